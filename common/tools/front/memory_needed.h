/* memory_needed.h - whether this machine has the memory for what was typed. */
#ifndef MEMORY_NEEDED_H
#define MEMORY_NEEDED_H

#include "parts.h"

/* Ends the program with one line when so many elements or bins need more memory than there is. */
void check_memory(const struct command *command);

#endif
