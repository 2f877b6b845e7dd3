/* driver.h - does what a command line asks for: it calls make for each goal, one after the other. */
#ifndef DRIVER_H
#define DRIVER_H

#include "parts.h"

/* Works off the goals. Returns the exit status: that of the first make that failed. Of the environment
 * MAKE is what is called, WATCHED the process with whose end all is to end, and LOCKED says that
 * build/ is locked already; MAKE_OPTIONS is for each make: "-n". */
int drive(const struct command *command);

#endif
