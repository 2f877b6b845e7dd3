/* sim_sync.h - barriers, fences, clocks. */
#ifndef SIM_SYNC_H
#define SIM_SYNC_H

#include "../device_abi.h"
#include "sim_inline.h"

SIM_INLINE void __syncthreads(void)
{
    sim_syncthreads();
}

SIM_INLINE int __syncthreads_count(int __predicate)
{
    return sim_syncthreads_count(__predicate);
}

SIM_INLINE int __syncthreads_and(int __predicate)
{
    return sim_syncthreads_and(__predicate);
}

SIM_INLINE int __syncthreads_or(int __predicate)
{
    return sim_syncthreads_or(__predicate);
}

SIM_INLINE void __threadfence_block(void)
{
    sim_fence(SIM_FENCE_BLOCK);
}

SIM_INLINE void __threadfence(void)
{
    sim_fence(SIM_FENCE_DEVICE);
}

SIM_INLINE void __threadfence_system(void)
{
    sim_fence(SIM_FENCE_SYSTEM);
}

/* Lets other lanes run; the time itself is not simulated. */
SIM_INLINE void __nanosleep(unsigned int __nanoseconds)
{
    (void)__nanoseconds;
    sim_yield();
}

SIM_INLINE long long clock64(void)
{
    return sim_clock();
}

SIM_INLINE unsigned long long __globaltimer(void)
{
    return (unsigned long long)sim_clock();
}

SIM_INLINE void __trap(void)
{
    sim_trap();
}

SIM_INLINE void __brkpt(void)
{
    sim_trap();
}

SIM_INLINE void __prof_trigger(int __counter)
{
    (void)__counter;
}

#endif
