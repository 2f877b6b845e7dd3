/* device_ints.h - ints on the device, for tests of the language. */
#ifndef DEVICE_INTS_H
#define DEVICE_INTS_H

#include <criterion/criterion.h>

/* Gives device memory of `count` ints, all zero. */
static inline int *device_ints(int count)
{
    int *memory;
    cr_assert_eq(cudaMalloc(&memory, count * sizeof *memory), cudaSuccess);
    cr_assert_eq(cudaMemset(memory, 0, count * sizeof *memory), cudaSuccess);
    return memory;
}

/* The int at `memory[i]` once all kernels have run. */
static inline int fetch(const int *memory, int i)
{
    int value;
    cr_assert_eq(cudaMemcpy(&value, memory + i, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

#endif
