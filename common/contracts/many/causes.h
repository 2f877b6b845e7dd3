/* causes.h - the likeliest cause of a wrong count on many devices, or ranks. */
#ifndef CAUSES_H
#define CAUSES_H

#include "many_run.h"

/* Writes a sentence about bins that are wrong. */
void find_cause(const struct many_case *asked, const struct many_seen *seen, char *cause,
                size_t size);
/* For the call after it on as many units, which may have kept its counts. */
void remember_call(const struct many_case *asked, const struct many_seen *seen);

/* "byte 7 of 10", "bytes 7 to 9 of 10" */
const char *many_name_range(uint64_t begin, uint64_t end, uint64_t length, char *name, size_t size);

/* "device", "devices", "rank", "ranks". */
const char *many_units_of(unsigned int units);

#endif
