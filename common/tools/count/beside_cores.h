/* beside_cores.h - what the GPUs did beside what the cores of this machine do with the same files. */
#ifndef BESIDE_CORES_H
#define BESIDE_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "counted_file.h"

/* Counts the files again, on one core and on all, and compares times and bins. Prints a table to `out`:
 * seconds and rates of all files together. `seconds` is what `ranks` GPUs took. Returns false, and why, when a
 * file cannot be read any more, or the cores count something else. */
bool compare_with_cores(FILE *out, const struct counted_file *files, size_t count, double seconds,
                        int ranks, char *why, size_t size);

#endif
