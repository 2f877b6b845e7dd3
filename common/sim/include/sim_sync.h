/* sim_sync.h - barriers, fences, clocks. */
#ifndef SIM_SYNC_H
#define SIM_SYNC_H

#include "../device_abi.h"
#include "sim_inline.h"

SIM_TOGETHER SIM_INLINE void __syncthreads(void)
{
    sim_syncthreads();
}

SIM_TOGETHER SIM_INLINE int __syncthreads_count(int __predicate)
{
    return sim_syncthreads_count(__predicate);
}

SIM_TOGETHER SIM_INLINE int __syncthreads_and(int __predicate)
{
    return sim_syncthreads_and(__predicate);
}

SIM_TOGETHER SIM_INLINE int __syncthreads_or(int __predicate)
{
    return sim_syncthreads_or(__predicate);
}

/* Of the block's barriers the simulated GPU has one. */
SIM_TOGETHER SIM_INLINE void __barrier_sync(unsigned int __number)
{
    (void)__number;
    sim_syncthreads();
}

/* Where an address lies; of shared memory also how far from its beginning. */
SIM_INLINE unsigned int __isShared(const void *__address)
{
    return sim_space_of(__address) == SIM_ADDRESS_SHARED;
}

SIM_INLINE unsigned int __isLocal(const void *__address)
{
    return sim_space_of(__address) == SIM_ADDRESS_LOCAL;
}

SIM_INLINE unsigned int __isGlobal(const void *__address)
{
    return sim_space_of(__address) == SIM_ADDRESS_GLOBAL;
}

SIM_INLINE size_t __cvta_generic_to_shared(const void *__address)
{
    return sim_shared_offset(__address);
}

SIM_INLINE void *__cvta_shared_to_generic(size_t __offset)
{
    return sim_shared_at(__offset);
}

SIM_INLINE size_t __cvta_generic_to_global(const void *__address)
{
    return (size_t)__address;
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
