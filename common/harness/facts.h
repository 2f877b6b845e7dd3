/* facts.h - what the tests of a program tell its verdict, across their processes.
 *
 * Each test is a process of its own, so they write lines into a file, which
 * FACTS in the environment names. Without it nothing is written. */
#ifndef FACTS_H
#define FACTS_H

/* Appends one line. */
__attribute__((format(printf, 1, 2))) void facts_add(const char *format, ...);

#endif
