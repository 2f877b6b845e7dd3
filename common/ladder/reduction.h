/* reduction.h - what the host and the kernels that reduce an array share. C and CUDA C. */
#ifndef LADDER_REDUCTION_H
#define LADDER_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>

#include "ladder.h"

enum {
    LADDER_REDUCE_THREADS = 1024,
    LADDER_MOST_PARTS = 1024, /* results of blocks, each of 8 bytes: one block takes them all */
    LADDER_SEGMENTS = 256,    /* of a sum that is reproducible, at most */
    LADDER_PART_BYTES = 8,
    LADDER_VALUES_PER_WORD = 4,
};

/* One call. */
struct ladder_reduce_call {
    const void *values, *others;
    size_t length;
    void *result;
    void *parts; /* LADDER_MOST_PARTS of them, in temporary memory; NULL if one block is enough */
    unsigned int blocks; /* 1 without parts */
    cudaStream_t stream;
};

#pragma GCC visibility push(hidden) /* known within the library alone */

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t ladder_reduce_sum(const struct ladder_reduce_call *call);
cudaError_t ladder_reduce_max(const struct ladder_reduce_call *call);
cudaError_t ladder_reduce_dot(const struct ladder_reduce_call *call);
cudaError_t ladder_reduce_float_sum(const struct ladder_reduce_call *call);
cudaError_t ladder_reduce_reproducible(const struct ladder_reduce_call *call);
#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
