/* last_block.cu - all threads of two blocks store a part, and the block that draws the last ticket
 * reads those of the other. Wrong: it reads an old one. */
#include "litmus.h"

/* Draws a ticket for the block. Returns, to all of its threads, whether it was the last. */
__device__ static bool draw(int *ticket, bool fences)
{
    __shared__ bool is_last;
    __syncthreads(); // all parts of the block are stored
    if (threadIdx.x == 0) {
        if (fences)
            __threadfence(); // also for the parts that the other threads have stored
        is_last = atomicAdd(ticket, 1) == 1;
        if (fences)
            __threadfence(); // no part is read before the ticket was drawn
    }
    __syncthreads(); // thread 0 has drawn
    return is_last;
}

__device__ static void store_and_draw(struct words words, bool fences)
{
    int *mine = side() == 0 ? words.x : words.y, *other = side() == 0 ? words.y : words.x;
    int *sum = words.first, *tickets = words.second;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        mine[here] = 1;
        if (draw(&tickets[pair_of_blocks() * THREADS * ROUNDS + round], fences))
            sum[here] = mine[here] + other[here];
    }
}

__global__ void ticket_without_fences(struct words words)
{
    store_and_draw(words, false);
}

/* Stores by all, a barrier, one fence: it is cumulative, and orders what the barrier has ordered
 * before it. */
__global__ void ticket_between_fences(struct words words)
{
    store_and_draw(words, true);
}

static bool part_is_missing(const struct words *left, size_t trial)
{
    return left->first[trial] != 2;
}

const struct litmus last_block[2] = {
    {"last block", "wrong", ticket_without_fences, part_is_missing},
    {"last block", "right", ticket_between_fences, part_is_missing},
};
