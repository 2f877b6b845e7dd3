/* cuda_pipeline_primitives.h - asynchronous copies of a thread, as plain functions. A copy is
 * made at once, so there is nothing to wait for; other threads need a barrier as always. */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "sim_copy_async.h"

/* 4, 8 or 16 bytes, of which the last `zeros` become 0. */
SIM_INLINE void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                        size_t bytes, size_t zeros = 0)
{
    cuda::details::copy_part(to, from, bytes - zeros, 0, 1);
    for (size_t i = bytes - zeros; i < bytes; i++)
        ((unsigned char *)to)[i] = 0;
}

SIM_INLINE void __pipeline_commit()
{
}

/* Waits for all but the last `prior` commits. */
SIM_INLINE void __pipeline_wait_prior(size_t prior)
{
    (void)prior;
}

#endif
