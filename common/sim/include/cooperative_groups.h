/* cooperative_groups.h - groups of threads: the grid, the block, tiles of a warp,
 * and the lanes that happen to be together.
 *
 * Left out: clusters of several blocks, tiles of more than 32 threads, groups of several grids. Of a
 * barrier in two halves the second is the whole: who waits arrives. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#ifdef __CUDACC__ /* a .cpp file has no groups */

namespace cooperative_groups
{

namespace details
{

SIM_INLINE unsigned int __volume(struct sim_index __size)
{
    return __size.x * __size.y * __size.z;
}

SIM_INLINE unsigned int __rank_in(struct sim_index __at, struct sim_index __size)
{
    return __at.x + __size.x * (__at.y + __size.y * __at.z);
}

SIM_INLINE unsigned int __block_size()
{
    return __volume(sim_block_dim());
}

SIM_INLINE unsigned int __rank_in_block()
{
    return __rank_in(sim_thread_index(), sim_block_dim());
}

SIM_INLINE unsigned int __lane()
{
    return __rank_in_block() & 31u;
}

SIM_INLINE unsigned int __first_lanes(unsigned int __count)
{
    return __count >= 32 ? ~0u : (1u << __count) - 1;
}

/* The lanes of this warp that exist: the last warp of a block may be short. */
SIM_INLINE unsigned int __existing_lanes()
{
    return __first_lanes(__block_size() - (__rank_in_block() & ~31u));
}

SIM_INLINE unsigned int __tile_mask(unsigned int __size)
{
    return __first_lanes(__size) << (__lane() & ~(__size - 1)) & __existing_lanes();
}

/* The lane of member `rank`; lane 0 when there is no such member. */
SIM_INLINE unsigned int __lane_of(unsigned int __mask, unsigned int __rank)
{
    for (; __rank && __mask; --__rank)
        __mask &= __mask - 1;
    return __mask ? (unsigned int)__builtin_ctz(__mask) : 0;
}

/* Bit i of the result is the bit of member i. */
SIM_INLINE unsigned int __by_rank(unsigned int __lanes, unsigned int __mask)
{
    unsigned int __result = 0;
    for (unsigned int __rank = 0; __mask; __mask &= __mask - 1, ++__rank)
        __result |= (__lanes >> __builtin_ctz(__mask) & 1u) << __rank;
    return __result;
}

/* Reads a member's value, for numbers, and for other types word by word. */
template <class __T>
SIM_INLINE auto __shuffle(unsigned int __mask, const __T &__value, unsigned int __from, int)
    -> decltype((__T)__shfl_sync(__mask, __value, 0))
{
    return (__T)__shfl_sync(__mask, __value, (int)__from);
}

template <class __T>
SIM_INLINE __T __shuffle(unsigned int __mask, const __T &__value, unsigned int __from, long)
{
    unsigned int __words[(sizeof(__T) + 3) / 4] = {0};
    __T __result;
    __builtin_memcpy(__words, &__value, sizeof __value);
    for (unsigned int __i = 0; __i < sizeof __words / sizeof __words[0]; ++__i)
        __words[__i] = __shfl_sync(__mask, __words[__i], (int)__from);
    __builtin_memcpy(&__result, __words, sizeof __result);
    return __result;
}

/* What tiles and coalesced groups have in common: they are lanes of one warp. */
class __lanes
{
  public:
    void sync() const
    {
        __syncwarp(__mask);
    }
    int any(int __predicate) const
    {
        return __any_sync(__mask, __predicate);
    }
    int all(int __predicate) const
    {
        return __all_sync(__mask, __predicate);
    }
    unsigned int ballot(int __predicate) const
    {
        return __by_rank(__ballot_sync(__mask, __predicate), __mask);
    }
    template <class __T> unsigned int match_any(__T __value) const
    {
        return __by_rank(__match_any_sync(__mask, __value), __mask);
    }
    template <class __T> unsigned int match_all(__T __value, int &__all_equal) const
    {
        return __by_rank(__match_all_sync(__mask, __value, &__all_equal), __mask);
    }
    template <class __T> __T shfl(__T __value, unsigned int __rank) const
    {
        return __shuffle(__mask, __value, __lane_of(__mask, __rank), 0);
    }
    /* The lanes of the members, for the functions below. */
    unsigned int __members() const
    {
        return __mask;
    }

  protected:
    explicit __lanes(unsigned int __members_mask) : __mask(__members_mask)
    {
    }
    unsigned int __mask;
};

} // namespace details

/* All threads of a block. */
class thread_block
{
  public:
    struct arrival_token {
    };
    SIM_TOGETHER static void sync()
    {
        __syncthreads();
    }
    static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    SIM_TOGETHER static void barrier_wait(arrival_token &&)
    {
        __syncthreads();
    }
    static unsigned int thread_rank()
    {
        return details::__rank_in_block();
    }
    static unsigned int size()
    {
        return details::__block_size();
    }
    static unsigned int num_threads()
    {
        return size();
    }
    static dim3 group_index()
    {
        struct sim_index __at = sim_block_index();
        return dim3(__at.x, __at.y, __at.z);
    }
    static dim3 thread_index()
    {
        struct sim_index __at = sim_thread_index();
        return dim3(__at.x, __at.y, __at.z);
    }
    static dim3 group_dim()
    {
        struct sim_index __size = sim_block_dim();
        return dim3(__size.x, __size.y, __size.z);
    }
    static dim3 dim_threads()
    {
        return group_dim();
    }
};

/* All threads of a grid; sync needs a cooperative launch. */
class grid_group
{
  public:
    struct arrival_token {
    };
    SIM_TOGETHER static void sync()
    {
        sim_grid_sync();
    }
    static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    SIM_TOGETHER static void barrier_wait(arrival_token &&)
    {
        sim_grid_sync();
    }
    static bool is_valid()
    {
        return sim_grid_is_valid();
    }
    static unsigned long long block_rank()
    {
        struct sim_index __at = sim_block_index(), __size = sim_grid_dim();
        return __at.x +
               (unsigned long long)__size.x * (__at.y + (unsigned long long)__size.y * __at.z);
    }
    static unsigned long long num_blocks()
    {
        struct sim_index __size = sim_grid_dim();
        return (unsigned long long)__size.x * __size.y * __size.z;
    }
    static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static unsigned long long num_threads()
    {
        return size();
    }
    static dim3 block_index()
    {
        return thread_block::group_index();
    }
    static dim3 group_dim()
    {
        struct sim_index __size = sim_grid_dim();
        return dim3(__size.x, __size.y, __size.z);
    }
    static dim3 dim_blocks()
    {
        return group_dim();
    }
};

/* The cluster of a block that was launched without clusters: itself. */
class cluster_group : public thread_block
{
  public:
    static unsigned int block_rank()
    {
        return 0;
    }
    static unsigned int num_blocks()
    {
        return 1;
    }
    static dim3 block_index()
    {
        return dim3(0, 0, 0);
    }
    static dim3 dim_blocks()
    {
        return dim3(1, 1, 1);
    }
    template <class __T> static __T *map_shared_rank(__T *__address, unsigned int)
    {
        return __address;
    }
    static unsigned int query_shared_rank(const void *)
    {
        return 0;
    }
};

/* Some lanes of a warp, in the order of their numbers. */
class coalesced_group : public details::__lanes
{
  public:
    explicit coalesced_group(unsigned int __members_mask) : __lanes(__members_mask)
    {
    }
    unsigned int thread_rank() const
    {
        return (unsigned int)__popc(__mask & details::__first_lanes(details::__lane()));
    }
    unsigned int size() const
    {
        return (unsigned int)__popc(__mask);
    }
    unsigned int num_threads() const
    {
        return size();
    }
    unsigned int meta_group_rank() const
    {
        return 0;
    }
    unsigned int meta_group_size() const
    {
        return 1;
    }
    template <class __T> __T shfl_up(__T __value, unsigned int __delta) const
    {
        unsigned int __rank = thread_rank(), __from = __rank >= __delta ? __rank - __delta : __rank;
        return details::__shuffle(__mask, __value, details::__lane_of(__mask, __from), 0);
    }
    template <class __T> __T shfl_down(__T __value, unsigned int __delta) const
    {
        unsigned int __rank = thread_rank(),
                     __from = __delta < size() - __rank ? __rank + __delta : __rank;
        return details::__shuffle(__mask, __value, details::__lane_of(__mask, __from), 0);
    }
};

/* `Size` neighboring lanes, a power of two up to 32. */
template <unsigned int __Size, class __Parent = void>
class thread_block_tile : public details::__lanes
{
    static_assert(
        __Size > 0 && __Size <= 32 && (__Size & (__Size - 1)) == 0,
        "a tile has 1, 2, 4, 8, 16 or 32 threads: tiles of several warps are not simulated");

  public:
    thread_block_tile() : __lanes(details::__tile_mask(__Size))
    {
    }
    template <class __OtherParent>
    thread_block_tile(const thread_block_tile<__Size, __OtherParent> &__other)
        : __lanes(__other.__members())
    {
    }
    static unsigned int thread_rank()
    {
        return details::__lane() & (__Size - 1);
    }
    static constexpr unsigned int size()
    {
        return __Size;
    }
    static constexpr unsigned int num_threads()
    {
        return __Size;
    }
    /* Which of its parent's tiles this is, and how many there are. */
    static unsigned int meta_group_rank()
    {
        return __parent_rank((__Parent *)nullptr) / __Size;
    }
    static unsigned int meta_group_size()
    {
        return (__parent_size((__Parent *)nullptr) + __Size - 1) / __Size;
    }
    template <class __T> __T shfl(__T __value, unsigned int __rank) const
    {
        return details::__shuffle(__mask, __value, __first_lane() | (__rank & (__Size - 1)), 0);
    }
    template <class __T> __T shfl_up(__T __value, unsigned int __delta) const
    {
        unsigned int __rank = thread_rank(), __from = __rank >= __delta ? __rank - __delta : __rank;
        return details::__shuffle(__mask, __value, __first_lane() | __from, 0);
    }
    template <class __T> __T shfl_down(__T __value, unsigned int __delta) const
    {
        unsigned int __rank = thread_rank(),
                     __from = __delta < __Size - __rank ? __rank + __delta : __rank;
        return details::__shuffle(__mask, __value, __first_lane() | __from, 0);
    }
    template <class __T> __T shfl_xor(__T __value, unsigned int __bits) const
    {
        unsigned int __rank = thread_rank(),
                     __from = (__rank ^ __bits) < __Size ? __rank ^ __bits : __rank;
        return details::__shuffle(__mask, __value, __first_lane() | __from, 0);
    }

  private:
    static unsigned int __first_lane()
    {
        return details::__lane() & ~(__Size - 1);
    }
    template <class __Other> static unsigned int __parent_rank(__Other *)
    {
        return details::__rank_in_block();
    }
    template <class __Other> static unsigned int __parent_size(__Other *)
    {
        return details::__block_size();
    }
    template <unsigned int __N, class __Other>
    static unsigned int __parent_rank(thread_block_tile<__N, __Other> *)
    {
        return details::__lane() & (__N - 1);
    }
    template <unsigned int __N, class __Other>
    static unsigned int __parent_size(thread_block_tile<__N, __Other> *)
    {
        return __N;
    }
};

/* Any group within a block, its kind known at run time only. */
class thread_group
{
  public:
    thread_group(const thread_block &) : __mask(0)
    {
    }
    thread_group(const details::__lanes &__lanes) : __mask(__lanes.__members())
    {
    }
    SIM_TOGETHER void sync() const
    {
        if (__mask)
            __syncwarp(__mask);
        else
            __syncthreads();
    }
    unsigned int thread_rank() const
    {
        return __mask ? coalesced_group(__mask).thread_rank() : details::__rank_in_block();
    }
    unsigned int size() const
    {
        return __mask ? coalesced_group(__mask).size() : details::__block_size();
    }
    unsigned int num_threads() const
    {
        return size();
    }

  private:
    unsigned int __mask; /* 0 stands for the whole block */
};

SIM_INLINE thread_block this_thread_block()
{
    return thread_block();
}

/* What tiles of more than a warp would need, which are left out: nothing. */
template <unsigned int __MaxBlockSize = 1024> struct block_tile_memory {
};

template <unsigned int __MaxBlockSize>
SIM_INLINE thread_block this_thread_block(block_tile_memory<__MaxBlockSize> &)
{
    return thread_block();
}

SIM_INLINE cluster_group this_cluster()
{
    return cluster_group();
}

SIM_INLINE grid_group this_grid()
{
    return grid_group();
}

SIM_INLINE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <unsigned int __Size, class __Parent>
SIM_INLINE thread_block_tile<__Size, __Parent> tiled_partition(const __Parent &)
{
    return thread_block_tile<__Size, __Parent>();
}

/* Members with neighboring ranks, `size` to a group. */
SIM_INLINE coalesced_group tiled_partition(const coalesced_group &__parent, unsigned int __size)
{
    unsigned int __rank = __parent.thread_rank(), __first = __rank - __rank % __size, __members = 0;
    for (unsigned int __i = __first; __i < __first + __size && __i < __parent.size(); ++__i)
        __members |= 1u << details::__lane_of(__parent.__members(), __i);
    return coalesced_group(__members);
}

SIM_INLINE thread_group tiled_partition(const thread_group &, unsigned int __size)
{
    return coalesced_group(details::__tile_mask(__size));
}

/* The members of the group that gave the same label. */
template <class __Group, class __Label>
SIM_INLINE coalesced_group labeled_partition(const __Group &__group, __Label __label)
{
    return coalesced_group(__match_any_sync(__group.__members(), __label));
}

template <class __Group>
SIM_INLINE coalesced_group binary_partition(const __Group &__group, bool __side)
{
    unsigned int __yes = __ballot_sync(__group.__members(), __side);
    return coalesced_group(__side ? __yes : __group.__members() & ~__yes);
}

template <class __Group> SIM_INLINE void sync(const __Group &__group)
{
    __group.sync();
}

template <class __Group>
SIM_INLINE auto thread_rank(const __Group &__group) -> decltype(__group.size())
{
    return __group.thread_rank();
}

template <class __Group>
SIM_INLINE auto group_size(const __Group &__group) -> decltype(__group.size())
{
    return __group.size();
}

/* One member calls the function with the arguments. */
template <class __Group, class __Function, class... __Arguments>
SIM_INLINE void invoke_one(const __Group &__group, __Function &&__function,
                           __Arguments &&...__arguments)
{
    if (__group.thread_rank() == 0)
        __function(static_cast<__Arguments &&>(__arguments)...);
}

/* The same, and all members of a tile or a coalesced group get the result. */
template <class __Group, class __Function, class... __Arguments>
SIM_INLINE auto invoke_one_broadcast(const __Group &__group, __Function &&__function,
                                     __Arguments &&...__arguments)
    -> decltype(__function(static_cast<__Arguments &&>(__arguments)...))
{
    decltype(__function(static_cast<__Arguments &&>(__arguments)...)) __result = {};
    if (__group.thread_rank() == 0)
        __result = __function(static_cast<__Arguments &&>(__arguments)...);
    return __group.shfl(__result, 0);
}

} // namespace cooperative_groups

#endif

#endif
