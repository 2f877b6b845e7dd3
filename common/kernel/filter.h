/* filter.h - what a process with a student's code may ask the system for: the table in filter.c. */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>

/* The second argument of a program that is to narrow its filter before the student's code runs. */
#define CONFINE_FILTERED "filtered"

/* A process with the student's code at work in it; and a rank of MPI, once MPI_Init has returned. */
enum filter_list { FILTER_KERNEL, FILTER_RANK };

/* Filters what this process asks from here on. Returns false where this machine cannot. */
bool filter_install(enum filter_list list);
/* A process that asks for something else is ended by SIGSYS. Before that, `told` gets the number of the call, and
 * the place in the student's code from which it came, or "?". To be called before the list is installed, which
 * keeps it from being undone. */
void filter_tell(void (*on_call)(int call, const char *place));
/* The name of a call of this machine, "call 999" without one. Not to be freed. */
const char *filter_name(int call);

#endif
