/* litmus.h - small programs whose result tells what the memory promises (docs/memory_model.md).
 *
 * Two sides, a thread of an even block and one of the odd block beside it, use the same words. Each
 * program has a wrong form and a right one, and says which of the results that a trial leaves is
 * wrong. Seen on a card: litmus.cu says how. On the simulated
 * GPU: tests/sim/litmus.cu. */
#ifndef LITMUS_H
#define LITMUS_H

#include <cuda_runtime.h>
#include <stddef.h>

/* A thread has ROUNDS trials, one after the other. Its words lie side by side, one cache line of each
 * array, so that the line which an early trial has loaded is an old one for the trials behind it. */
enum { THREADS = 128, ROUNDS = 32 };

/* One word of each array is a trial's: x and y are what both sides use, first and second what is left
 * for the host. All are 0 when the kernel begins. `met` is for meet(). */
struct words {
    int *x, *y, *first, *second, *met;
};

typedef void litmus_kernel(struct words words);

struct litmus {
    const char *program, *form;
    litmus_kernel *kernel; /* __global__ */
    bool (*is_wrong)(const struct words *left, size_t trial);
};

extern const struct litmus message_passing[2], store_buffering[3], last_block[2], lock[2],
    flag_between_blocks[2];

/* 0 or 1: which side this thread is. */
__device__ static inline unsigned int side(void)
{
    return blockIdx.x % 2;
}

/* Which pair of blocks, and which pair of threads. */
__device__ static inline unsigned int pair_of_blocks(void)
{
    return blockIdx.x / 2;
}

__device__ static inline unsigned int pair_of_threads(void)
{
    return pair_of_blocks() * THREADS + threadIdx.x;
}

/* The place of this thread's words in a round. */
__device__ static inline unsigned int trial(unsigned int round)
{
    return pair_of_threads() * ROUNDS + round;
}

/* Lets both sides begin a round at the same time, or nearly: it gives up after some looks. It is no
 * part of the program, and orders nothing. But wrong results need two who are at work together. */
__device__ static inline void meet(struct words words, unsigned int round)
{
#ifdef SIMULATED_GPU
    const int looks = 0; // whoever is next is drawn
#else
    const int looks = 1000;
#endif
    int *met = &words.met[pair_of_threads()];
    const int both = 2 * ((int)round + 1);
    int here = atomicAdd(met, 1) + 1;
    for (int look = 0; look < looks && here < both; look++)
        here = atomicAdd(met, 0);
}

/* What the word is now: the compiler loads it anew at each look. */
__device__ static inline int look_at(int *word)
{
    return *(volatile int *)word;
}

__device__ static inline void set(int *word, int value)
{
    *(volatile int *)word = value;
}

#endif
