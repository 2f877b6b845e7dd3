/* own_make.h - a make that a program of make starts: with jobs and options of its own. */
#ifndef OWN_MAKE_H
#define OWN_MAKE_H

/* Runs `make` with these words, which end with NULL, in the root of the course. BINS is for
 * chapters that have bins: it is one of the words, or not set. What it prints goes to `log`, whose
 * folder is made. Returns its exit status. */
int own_make(const char *const words[], const char *log);

#endif
