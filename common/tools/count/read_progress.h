/* read_progress.h - tells while all ranks read a file how far they are. Both functions are collective. */
#ifndef READ_PROGRESS_H
#define READ_PROGRESS_H

#include <stdbool.h>

/* From here to the end rank 0 shows how much of the file the ranks of its machine have read; where ranks are
 * on other machines, too, it is told as an estimate of all. Nothing happens without `wanted`. */
void read_progress_begin(const char *file, unsigned long long length, bool wanted);
/* With `whole` the line says for the last time that all was read, and stays. */
void read_progress_end(bool whole);

#endif
