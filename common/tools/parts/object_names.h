/* object_names.h - the names that a student's object defines and uses. */
#ifndef OBJECT_NAMES_H
#define OBJECT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the object leaves alone what is the judge's: it defines no function that the program
 * around it uses, and calls none that looks behind the judge's back. If not, `sentence` says which,
 * and where. An object that is not there is fine. With `threads` it may begin host threads and map files. */
bool names_are_fine(const char *object, bool threads, char *sentence, size_t size);

#endif
