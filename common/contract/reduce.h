/* reduce.h - the one function that the chapters of Part III implement. */
#ifndef REDUCE_H
#define REDUCE_H

#include <stddef.h>

#ifndef OPERATION
#define OPERATION sum
#endif
#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduces an array to one value: *d_result becomes
 *
 *     combine(d_values[0], combine(d_values[1], ... d_values[length - 1]))
 *
 * in any order, and neutral() when the length is 0.
 *
 * d_values  device pointer to `length` values, aligned as one value, and no more; they are only read
 * length    in values, 0 to 2^32 - 1; more are refused: one line on standard error, *d_result is not
 *           touched, and the program exits with status 1
 * d_result  device pointer to one value, at a multiple of 256; what it holds before does not matter
 *
 * Returns when the kernels have been launched; cudaDeviceSynchronize waits for the result. Calls follow
 * each other in one stream. A CUDA call that fails ends the program with one line on standard error. */
void reduce(const value_t *d_values, size_t length, value_t *d_result);

#ifdef __cplusplus
}
#endif

#endif
