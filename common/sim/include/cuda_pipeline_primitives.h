/* cuda_pipeline_primitives.h - asynchronous copies of a thread, as plain functions. A copy is
 * made at once; who reads it before the thread has waited is told. Other threads need a barrier as always. */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "sim_copy_async.h"

/* 4, 8 or 16 bytes, of which the last `zeros` become 0. */
SIM_INLINE void __pipeline_memcpy_async(void *__restrict__ __to, const void *__restrict__ __from,
                                        size_t __bytes, size_t __zeros = 0)
{
    cuda::details::__copy_part(__to, __from, __bytes - __zeros, 0, 1);
    for (size_t __i = __bytes - __zeros; __i < __bytes; __i++)
        ((unsigned char *)__to)[__i] = 0;
    ::sim_async_copy(__to, __bytes);
}

SIM_INLINE void __pipeline_commit()
{
    ::sim_async_commit();
}

/* Waits for all but the last `prior` commits. */
SIM_INLINE void __pipeline_wait_prior(size_t __prior)
{
    ::sim_async_wait(__prior);
}

#endif
