/* resident.h - how many blocks of a kernel are on a multiprocessor at a time: given code of chapter 42. Cards
 * for games hold 1,536 threads (compute capability 8.6, 8.9, 12.0), those for data centers 2,048, as the
 * CUDA Programming Guide's table of compute capabilities says. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stddef.h>

#include "cuda_check.h"

#if (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1100
#define THREADS_PER_MULTIPROCESSOR 1536
#else
#define THREADS_PER_MULTIPROCESSOR 2048
#endif

/* What __launch_bounds__ is to promise of blocks of so many threads: `blocks` of them, or as many as the card
 * that the kernel is compiled for holds. What does not fit the compiler ignores, and then it takes as many
 * registers as it likes. */
#define BLOCKS_THAT_FIT(threads, blocks)                                                           \
    ((threads) * (blocks) > THREADS_PER_MULTIPROCESSOR ? THREADS_PER_MULTIPROCESSOR / (threads)    \
                                                       : (blocks))

/* So many blocks are on the current device at a time: on each multiprocessor `blocks` of so many threads, or
 * as many as it holds. A CUDA call that fails ends the program with one line. */
static inline size_t resident_blocks(size_t threads, size_t blocks)
{
    int device, multiprocessors, held;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&held, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const size_t fit = (size_t)held / threads;
    return (size_t)multiprocessors * (fit < blocks ? fit : blocks);
}

#endif
