/* scale.h - a second contract, as small as can be: a copy of the course has it for a test. */
#ifndef SCALE_H
#define SCALE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes factor x d_values[i] to d_results[i], for each i below `length`. Both are device pointers
 * to `length` floats and do not overlap. Returns when the kernel has been launched. */
void scale(const float *d_values, size_t length, float factor, float *d_results);

#ifdef __cplusplus
}
#endif

#endif
