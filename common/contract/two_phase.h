/* two_phase.h - the function of a library that chapter 80 implements, beside reduce_by_index(). */
#ifndef TWO_PHASE_H
#define TWO_PHASE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum count_status {
    COUNT_OK,
    COUNT_NULL,       /* a pointer that is needed is NULL */
    COUNT_MISALIGNED, /* d_keys is no multiple of 4, d_bins of 4, or temporary of 256 */
    COUNT_OVERLAP,    /* d_bins or the temporary memory overlap each other, or the keys */
    COUNT_SHORT,      /* *temporary_bytes is less than the call needs */
    COUNT_FAILED      /* a call of CUDA failed */
};

/* Adds to d_bins[j] how many of the keys are j, for each j below num_bins.
 *
 * temporary        NULL: *temporary_bytes becomes what the same call needs, 1 or more, and nothing else happens, whatever
 *                  the other pointers are. Else device memory of at least so many bytes, at a multiple of 256, that
 *                  holds anything
 * d_keys           `length` keys; NULL is allowed where length is 0
 * num_bins         1 to 2^31 - 1
 * stream           all work is put there, and nothing waits for it
 *
 * Allocates nothing, waits for nothing and ends no program, so that it can be captured in a graph; may be called by
 * several threads at the same time. A status other than COUNT_OK and COUNT_FAILED is found on the host: then nothing
 * is launched or written. */
enum count_status count_keys(void *temporary, size_t *temporary_bytes, const unsigned int *d_keys,
                             size_t length, unsigned int *d_bins, size_t num_bins,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
