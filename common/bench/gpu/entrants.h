/* entrants.h - who takes part in a measurement: functions in shared libraries. */
#ifndef ENTRANTS_H
#define ENTRANTS_H

#include <stddef.h>

/* The library at `path`. One that cannot be loaded ends the program with one line. */
void *entrant_library(const char *path);

/* Sets a pointer to a function, of any type, to that of this name in the library, or to NULL. */
void entrant_function(void *library, const char *name, void *pointer);

/* The chapter that a library is of: of .../21_name/argmax/kernel.so, where `operation` is argmax, and
 * of .../21_name/kernel.so it is 21_name. */
void entrant_chapter(const char *path, const char *operation, char *name, size_t size);

#endif
