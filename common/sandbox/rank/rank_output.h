/* rank_output.h - what this rank writes to standard error. */
#ifndef RANK_OUTPUT_H
#define RANK_OUTPUT_H

#include <stddef.h>

/* From here on standard output and error are files in the job's folder. Ends the program when they cannot be
 * made. */
void rank_output_begin(const char *folder, unsigned int rank);
/* Notes at once what a check has caught, and where, for the program may end with it. */
void rank_output_caught(const char *check, const char *place);
/* How many lines of standard error came since the last time, without the reports of the simulator; the first
 * of them is copied, "" for none. */
unsigned int rank_output_since(char *first, size_t size);

#endif
