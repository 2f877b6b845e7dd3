/* names.h - the names that a student's object defines and uses. */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>

/* An object leaves alone what is the judge's when it defines no function that the program around
 * it uses, calls none that looks behind the judge's back, and has none that the loader calls. Returns
 * NULL then, or for one that is not there; else which name it is, and where. With `threads` it may
 * begin host threads and map files. */
const char *wrong_names(const char *object, bool threads);

#endif
