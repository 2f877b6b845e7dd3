/* on_cores.h - the same files counted by the cores of this machine, in a stream as well. */
#ifndef ON_CORES_H
#define ON_CORES_H

#include <stddef.h>

#include "binning.h"

/* All cores that this process may ever use, whichever one it is bound to now. */
unsigned int cores_here(void);

/* How these count, "16 tables". */
extern const char way_of_cores[];

/* Adds to the bins what is in a file, read and counted by so many cores; `length` of its bytes. Returns the
 * seconds it took, or less than 0 when it could not be read to there; `why` then says why. */
double count_on_cores(const char *path, unsigned long long length, unsigned int cores,
                      unsigned long long *bins, char *why, size_t size);

#endif
