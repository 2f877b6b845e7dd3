/* complaints.h - the first complaint in what a test printed, as one sentence. */
#ifndef COMPLAINTS_H
#define COMPLAINTS_H

#include <stdbool.h>
#include <stddef.h>

/* "FILE:LINE: HEADLINE" of the first report of the simulator. Returns whether there is one. */
bool complaint_of_simulator(const char *file, char *sentence, size_t size);

/* The first line of the kind "SOURCE:LINE: ...": CHECK or the simulator say so why a call or a
 * launch was refused. Returns whether there is one. */
bool complaint_in(const char *file, const char *source, char *sentence, size_t size);

#endif
