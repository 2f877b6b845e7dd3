/* run_filter.h - programs of others, which read one file and write another. */
#ifndef RUN_FILTER_H
#define RUN_FILTER_H

#include <stdbool.h>
#include <stdio.h>

enum filtered { DONE, NOT_INSTALLED, FAILED };

/* Runs `program -`, whose standard input is one file and whose standard output the other, both from where they are
 * now. What it says on standard error nobody hears. It has failed when its status is not 0. */
enum filtered run_filter(const char *program, FILE *from, FILE *to);

/* Whether there is a program of that name. */
bool is_installed(const char *program);

#endif
