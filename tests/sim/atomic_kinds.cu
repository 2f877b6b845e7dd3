/* atomic_kinds.cu - an event says what its atomic does: what a suite of Part II tells apart. */
#include <criterion/criterion.h>

#include "sim.h"

struct seen {
    unsigned int global[SIM_ATOMICS], shared[SIM_ATOMICS];
};

static void count_kinds(const struct sim_event *event, void *context)
{
    struct seen *seen = (struct seen *)context;
    unsigned int *atomics = event->space == SIM_SHARED ? seen->shared : seen->global;
    cr_expect_eq(event->atomic != SIM_NO_ATOMIC, event->access == SIM_ATOM);
    atomics[event->atomic]++;
}

__device__ static unsigned int all_of_them(unsigned int *word)
{
    unsigned int sum = atomicAdd(word, 1);
    sum += atomicSub(word, 2);
    sum += atomicInc(word, 100);
    sum += atomicDec(word, 100);
    sum += atomicMin(word, 7);
    sum += atomicMax(word, threadIdx.x);
    sum += atomicAnd(word, 0xff);
    sum += atomicOr(word, 1);
    sum += atomicXor(word, 2);
    sum += atomicCAS(word, 1, 2);
    return sum + atomicExch(word, 9);
}

__global__ static void every_kind(unsigned int *word)
{
    __shared__ unsigned int own;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    *word = all_of_them(&own);
    __syncthreads();
    all_of_them(word);
}

static void expect_each(const unsigned int *atomics)
{
    cr_expect_eq(atomics[SIM_ADD], 4);
    cr_expect_eq(atomics[SIM_EXTREME], 2);
    cr_expect_eq(atomics[SIM_BITWISE], 3);
    cr_expect_eq(atomics[SIM_CAS], 1);
    cr_expect_eq(atomics[SIM_EXCHANGE], 1);
}

Test(atomic_kinds, are_told_apart_in_both_memories)
{
    unsigned int *word;
    struct seen seen = {{0}, {0}};
    cr_assert_eq(cudaMalloc(&word, sizeof *word), cudaSuccess);
    sim_set_checks("none");
    sim_observe(count_kinds, &seen);
    every_kind<<<1, 1>>>(word);
    sim_observe(NULL, NULL);
    sim_set_checks("all");
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    expect_each(seen.global);
    expect_each(seen.shared);
    cr_expect_eq(seen.shared[SIM_NO_ATOMIC], 1, "the store of 0");
    cr_expect_eq(seen.global[SIM_NO_ATOMIC], 1, "the store of the sum");
    cudaFree(word);
}
