/* chosen.h - the chapters that a command names, as the folders that they are. */
#ifndef CHOSEN_H
#define CHOSEN_H

#include "parts.h"

/* Lists with blanks between, of "05_privatized_global". */
struct chosen {
    char *stems, *texts, *keyed; /* all; those that count texts; those with an operation */
    char *copies;                /* folders that look like one of them, and have no suite */
};

/* Looks in CHAPTERS, solutions and tests/stubs. Ends the program with one line when a chapter that was
 * named is not there: one that has a suite. */
struct chosen chosen_by(const struct command *command);

/* "05_a/further 06_b/further", of "05_a 06_b". */
char *exercises_of(const char *stems);

#endif
