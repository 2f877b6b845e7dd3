/* lock.cu - each side adds 1 to a counter under a lock. Wrong: one of the two is lost. */
#include "litmus.h"

/* The lock is taken and freed, and nothing orders what is done in between. */
__global__ void lock_without_fences(struct words words)
{
    int *counter = words.x, *lock = words.y;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        for (bool done = false; !done;) {
            if (atomicCAS(&lock[here], 0, 1) == 0) {
                counter[here] = counter[here] + 1;
                atomicExch(&lock[here], 0);
                done = true;
            }
        }
    }
}

__global__ void lock_with_fences(struct words words)
{
    int *counter = words.x, *lock = words.y;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        for (bool done = false; !done;) {
            if (atomicCAS(&lock[here], 0, 1) == 0) {
                __threadfence(); // what the last holder wrote is read, and nothing older
                counter[here] = counter[here] + 1;
                __threadfence(); // it is written before anyone finds the lock free
                atomicExch(&lock[here], 0);
                done = true;
            }
        }
    }
}

static bool one_is_lost(const struct words *left, size_t trial)
{
    return left->x[trial] != 2;
}

const struct litmus lock[2] = {
    {"lock", "wrong", lock_without_fences, one_is_lost},
    {"lock", "right", lock_with_fences, one_is_lost},
};
