/* add_four.h - adds to four floats in global memory, to which others add theirs now: given code of chapter 73. */
#ifndef ADD_FOUR_H
#define ADD_FOUR_H

/* One atomic on cards that have it, else four. */
__device__ __forceinline__ static void add_four(float4 *to, float4 sums)
{
#if __CUDA_ARCH__ >= 900 // the first cards that add four floats by one atomic
    atomicAdd(to, sums);
#else
    atomicAdd(&to->x, sums.x);
    atomicAdd(&to->y, sums.y);
    atomicAdd(&to->z, sums.z);
    atomicAdd(&to->w, sums.w);
#endif
}

#endif
