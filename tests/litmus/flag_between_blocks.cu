/* flag_between_blocks.cu - all threads of a block store words, and a thread of another block waits for
 * their flag; then all of its threads read them. Wrong: one reads an old word. */
#include "litmus.h"

/* The writer's part of a round, and the reader's. `flag` says how many rounds are written. */
__device__ static void hand_over(struct words words, unsigned int round, bool fence_of_device)
{
    int *flag = &words.y[pair_of_blocks()];
    words.x[trial(round)] = 1;
    __syncthreads(); // all threads of the block have stored
    if (threadIdx.x == 0) {
        if (fence_of_device)
            __threadfence();
        else
            __threadfence_block();
        set(flag, (int)round + 1);
    }
}

__device__ static void take_over(struct words words, unsigned int round, bool fence_of_device)
{
    int *flag = &words.y[pair_of_blocks()];
    if (threadIdx.x == 0) {
        while (look_at(flag) <= (int)round) {
        }
        if (fence_of_device)
            __threadfence();
        else
            __threadfence_block();
    }
    __syncthreads(); // thread 0 has seen the flag
    words.first[trial(round)] = words.x[trial(round)];
}

/* The fence is for threads of one block, and two blocks have to agree. */
__global__ void fence_of_the_block(struct words words)
{
    for (unsigned int round = 0; round < ROUNDS; round++) {
        if (side() == 0)
            hand_over(words, round, false);
        else
            take_over(words, round, false);
    }
}

/* The block of the writer comes first, so that it runs while the reader waits. */
__global__ void fence_of_the_device(struct words words)
{
    for (unsigned int round = 0; round < ROUNDS; round++) {
        if (side() == 0)
            hand_over(words, round, true);
        else
            take_over(words, round, true);
    }
}

static bool old_word(const struct words *left, size_t trial)
{
    return left->first[trial] != 1;
}

const struct litmus flag_between_blocks[2] = {
    {"flag between blocks", "wrong", fence_of_the_block, old_word},
    {"flag between blocks", "right", fence_of_the_device, old_word},
};
