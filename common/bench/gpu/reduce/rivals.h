/* rivals.h - what the chapters are measured against, in the same run: CUB and Thrust, as a user would
 * call them (libraries.cu), and CUB's sum of floats that is the same on every GPU (gpu_to_gpu.cu). Each
 * is a library of its own, since they take long to compile, and may be of two versions of CUB. */
#ifndef RIVALS_H
#define RIVALS_H

#include <stddef.h>

#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All do what reduce() does, and queue their work on the default stream; memory that they need they
 * allocate in the first call for so many values, which is not part of the cost, unless it says
 * otherwise. A CUDA error ends the program with one line. */

/* CUB's DeviceReduce::Sum or Max; for dot TransformReduce of the products. */
void cub_reduce(const value_t *d_values, size_t length, value_t *d_result);

/* Thrust's reduce, for dot transform_reduce: it allocates in each call, and waits for the GPU, since it
 * returns the result to the host; that is part of the cost. The result is then copied to the device. */
void thrust_reduce(const value_t *d_values, size_t length, value_t *d_result);

/* CUB's DeviceReduce::Sum of floats with another guarantee than that of cub_reduce, which is the same
 * result on each run: the same on each GPU, or none. Only in a library that was compiled for float_sum
 * with CUB 3.1 or newer. */
void cub_gpu_to_gpu(const value_t *d_values, size_t length, value_t *d_result);
void cub_not_guaranteed(const value_t *d_values, size_t length, value_t *d_result);

/* "cub 3.0.1" */
extern const char libraries_version[];
extern const char gpu_to_gpu_version[];

#ifdef __cplusplus
}
#endif

#endif
