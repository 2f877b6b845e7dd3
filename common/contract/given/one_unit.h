/* one_unit.h - floats as whole numbers of one unit, whose sum is the same in any order: given code of chapter 70. */
#ifndef ONE_UNIT_H
#define ONE_UNIT_H

#include <math.h>
#include <stddef.h>

/* The largest magnitude of a finite float, as its bits: without their sign they are in the order of the floats. Is
 * launched with whole warps; *largest is 0 before. */
__global__ void find_largest(const float *floats, size_t length, unsigned int *largest)
{
    enum { INFINITE = 0x7f800000, WARP_LANES = 32 };
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int mine = 0;
    for (size_t i = first; i < length; i += (size_t)gridDim.x * blockDim.x) {
        const unsigned int magnitude = __float_as_uint(fabsf(floats[i]));
        if (magnitude < INFINITE && magnitude > mine)
            mine = magnitude;
    }
    for (unsigned int away = WARP_LANES / 2; away > 0; away /= 2) {
        const unsigned int other = __shfl_down_sync(0xffffffffu, mine, away);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % WARP_LANES == 0)
        atomicMax(largest, mine); // protects the largest from other warps
}

/* How many units are 1: a power of two, so that no sum of `length` floats needs more than 62 bits and a sign. */
__device__ static double units_of_one(unsigned int largest, size_t length)
{
    const int exponent = (int)(largest >> 23) - 126; // each magnitude is below 2^exponent
    return ldexp(1.0, 62 - exponent - (64 - __clzll((long long)length)));
}

/* In units: negative numbers wrap, and so do their sums. */
__device__ __forceinline__ static unsigned long long in_units(float number, double units)
{
    return (unsigned long long)__double2ll_rn((double)number * units);
}

/* Adds units to a sum in shared memory, where hardware adds 32 bits at a time: to its low half, and then to its high half,
 * with 1 more if the low half wrapped. The thread whose addition made it wrap is the only one that sees so. */
__device__ __forceinline__ static void add_in_halves(unsigned int *low, unsigned int *high,
                                                     unsigned long long units)
{
    const unsigned int low_units = (unsigned int)units;
    const unsigned int before = atomicAdd(low, low_units); // protects it from the block's threads
    const unsigned int carry = before + low_units < before;
    atomicAdd(high, (unsigned int)(units >> 32) + carry); // likewise
}

#endif
