/* cooperative_groups.h - groups of threads: the grid, the block, tiles of a warp,
 * and the lanes that happen to be together.
 *
 * Left out: clusters, tiles of more than 32 threads, groups of several grids. */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

namespace details
{

SIM_INLINE unsigned int volume(struct sim_index size)
{
    return size.x * size.y * size.z;
}

SIM_INLINE unsigned int rank_in(struct sim_index at, struct sim_index size)
{
    return at.x + size.x * (at.y + size.y * at.z);
}

SIM_INLINE unsigned int block_size()
{
    return volume(sim_block_dim());
}

SIM_INLINE unsigned int rank_in_block()
{
    return rank_in(sim_thread_index(), sim_block_dim());
}

SIM_INLINE unsigned int lane()
{
    return rank_in_block() & 31u;
}

SIM_INLINE unsigned int first_lanes(unsigned int count)
{
    return count >= 32 ? ~0u : (1u << count) - 1;
}

/* The lanes of this warp that exist: the last warp of a block may be short. */
SIM_INLINE unsigned int existing_lanes()
{
    return first_lanes(block_size() - (rank_in_block() & ~31u));
}

SIM_INLINE unsigned int tile_mask(unsigned int size)
{
    return first_lanes(size) << (lane() & ~(size - 1)) & existing_lanes();
}

/* The lane of member `rank`; lane 0 when there is no such member. */
SIM_INLINE unsigned int lane_of(unsigned int mask, unsigned int rank)
{
    for (; rank && mask; --rank)
        mask &= mask - 1;
    return mask ? (unsigned int)__builtin_ctz(mask) : 0;
}

/* Bit i of the result is the bit of member i. */
SIM_INLINE unsigned int by_rank(unsigned int lanes, unsigned int mask)
{
    unsigned int result = 0;
    for (unsigned int rank = 0; mask; mask &= mask - 1, ++rank)
        result |= (lanes >> __builtin_ctz(mask) & 1u) << rank;
    return result;
}

/* Reads a member's value, for numbers, and for other types word by word. */
template <class T>
SIM_INLINE auto shuffle(unsigned int mask, const T &value, unsigned int from, int)
    -> decltype((T)__shfl_sync(mask, value, 0))
{
    return (T)__shfl_sync(mask, value, (int)from);
}

template <class T> SIM_INLINE T shuffle(unsigned int mask, const T &value, unsigned int from, long)
{
    unsigned int words[(sizeof(T) + 3) / 4] = {0};
    T result;
    __builtin_memcpy(words, &value, sizeof value);
    for (unsigned int i = 0; i < sizeof words / sizeof words[0]; ++i)
        words[i] = __shfl_sync(mask, words[i], (int)from);
    __builtin_memcpy(&result, words, sizeof result);
    return result;
}

/* What tiles and coalesced groups have in common: they are lanes of one warp. */
class lanes
{
  public:
    void sync() const
    {
        __syncwarp(mask);
    }
    int any(int predicate) const
    {
        return __any_sync(mask, predicate);
    }
    int all(int predicate) const
    {
        return __all_sync(mask, predicate);
    }
    unsigned int ballot(int predicate) const
    {
        return by_rank(__ballot_sync(mask, predicate), mask);
    }
    template <class T> unsigned int match_any(T value) const
    {
        return by_rank(__match_any_sync(mask, value), mask);
    }
    template <class T> unsigned int match_all(T value, int &all_equal) const
    {
        return by_rank(__match_all_sync(mask, value, &all_equal), mask);
    }
    template <class T> T shfl(T value, unsigned int rank) const
    {
        return shuffle(mask, value, lane_of(mask, rank), 0);
    }
    /* The lanes of the members, for the functions below. */
    unsigned int members() const
    {
        return mask;
    }

  protected:
    explicit lanes(unsigned int members_mask) : mask(members_mask)
    {
    }
    unsigned int mask;
};

} // namespace details

/* All threads of a block. */
class thread_block
{
  public:
    static void sync()
    {
        __syncthreads();
    }
    static unsigned int thread_rank()
    {
        return details::rank_in_block();
    }
    static unsigned int size()
    {
        return details::block_size();
    }
    static unsigned int num_threads()
    {
        return size();
    }
    static dim3 group_index()
    {
        struct sim_index at = sim_block_index();
        return dim3(at.x, at.y, at.z);
    }
    static dim3 thread_index()
    {
        struct sim_index at = sim_thread_index();
        return dim3(at.x, at.y, at.z);
    }
    static dim3 group_dim()
    {
        struct sim_index size = sim_block_dim();
        return dim3(size.x, size.y, size.z);
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
    static void sync()
    {
        sim_grid_sync();
    }
    static bool is_valid()
    {
        return true;
    }
    static unsigned long long block_rank()
    {
        struct sim_index at = sim_block_index(), size = sim_grid_dim();
        return at.x + (unsigned long long)size.x * (at.y + (unsigned long long)size.y * at.z);
    }
    static unsigned long long num_blocks()
    {
        struct sim_index size = sim_grid_dim();
        return (unsigned long long)size.x * size.y * size.z;
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
        struct sim_index size = sim_grid_dim();
        return dim3(size.x, size.y, size.z);
    }
    static dim3 dim_blocks()
    {
        return group_dim();
    }
};

/* Some lanes of a warp, in the order of their numbers. */
class coalesced_group : public details::lanes
{
  public:
    explicit coalesced_group(unsigned int members_mask) : lanes(members_mask)
    {
    }
    unsigned int thread_rank() const
    {
        return (unsigned int)__popc(mask & details::first_lanes(details::lane()));
    }
    unsigned int size() const
    {
        return (unsigned int)__popc(mask);
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
    template <class T> T shfl_up(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank(), from = rank >= delta ? rank - delta : rank;
        return details::shuffle(mask, value, details::lane_of(mask, from), 0);
    }
    template <class T> T shfl_down(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank(), from = delta < size() - rank ? rank + delta : rank;
        return details::shuffle(mask, value, details::lane_of(mask, from), 0);
    }
};

/* `Size` neighboring lanes, a power of two up to 32. */
template <unsigned int Size, class Parent = void> class thread_block_tile : public details::lanes
{
    static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    thread_block_tile() : lanes(details::tile_mask(Size))
    {
    }
    template <class OtherParent>
    thread_block_tile(const thread_block_tile<Size, OtherParent> &other) : lanes(other.members())
    {
    }
    static unsigned int thread_rank()
    {
        return details::lane() & (Size - 1);
    }
    static constexpr unsigned int size()
    {
        return Size;
    }
    static constexpr unsigned int num_threads()
    {
        return Size;
    }
    /* Which of its parent's tiles this is, and how many there are. */
    static unsigned int meta_group_rank()
    {
        return parent_rank((Parent *)nullptr) / Size;
    }
    static unsigned int meta_group_size()
    {
        return (parent_size((Parent *)nullptr) + Size - 1) / Size;
    }
    template <class T> T shfl(T value, unsigned int rank) const
    {
        return details::shuffle(mask, value, first_lane() | (rank & (Size - 1)), 0);
    }
    template <class T> T shfl_up(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank(), from = rank >= delta ? rank - delta : rank;
        return details::shuffle(mask, value, first_lane() | from, 0);
    }
    template <class T> T shfl_down(T value, unsigned int delta) const
    {
        unsigned int rank = thread_rank(), from = delta < Size - rank ? rank + delta : rank;
        return details::shuffle(mask, value, first_lane() | from, 0);
    }
    template <class T> T shfl_xor(T value, unsigned int bits) const
    {
        unsigned int rank = thread_rank(), from = (rank ^ bits) < Size ? rank ^ bits : rank;
        return details::shuffle(mask, value, first_lane() | from, 0);
    }

  private:
    static unsigned int first_lane()
    {
        return details::lane() & ~(Size - 1);
    }
    template <class Other> static unsigned int parent_rank(Other *)
    {
        return details::rank_in_block();
    }
    template <class Other> static unsigned int parent_size(Other *)
    {
        return details::block_size();
    }
    template <unsigned int N, class Other>
    static unsigned int parent_rank(thread_block_tile<N, Other> *)
    {
        return details::lane() & (N - 1);
    }
    template <unsigned int N, class Other>
    static unsigned int parent_size(thread_block_tile<N, Other> *)
    {
        return N;
    }
};

/* Any group within a block, its kind known at run time only. */
class thread_group
{
  public:
    thread_group(const thread_block &) : mask(0)
    {
    }
    thread_group(const details::lanes &lanes) : mask(lanes.members())
    {
    }
    void sync() const
    {
        if (mask)
            __syncwarp(mask);
        else
            __syncthreads();
    }
    unsigned int thread_rank() const
    {
        return mask ? coalesced_group(mask).thread_rank() : details::rank_in_block();
    }
    unsigned int size() const
    {
        return mask ? coalesced_group(mask).size() : details::block_size();
    }
    unsigned int num_threads() const
    {
        return size();
    }

  private:
    unsigned int mask; /* 0 stands for the whole block */
};

SIM_INLINE thread_block this_thread_block()
{
    return thread_block();
}

SIM_INLINE grid_group this_grid()
{
    return grid_group();
}

SIM_INLINE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <unsigned int Size, class Parent>
SIM_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}

/* Members with neighboring ranks, `size` to a group. */
SIM_INLINE coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size)
{
    unsigned int rank = parent.thread_rank(), first = rank - rank % size, members = 0;
    for (unsigned int i = first; i < first + size && i < parent.size(); ++i)
        members |= 1u << details::lane_of(parent.members(), i);
    return coalesced_group(members);
}

SIM_INLINE thread_group tiled_partition(const thread_group &, unsigned int size)
{
    return coalesced_group(details::tile_mask(size));
}

/* The members of the group that gave the same label. */
template <class Group, class Label>
SIM_INLINE coalesced_group labeled_partition(const Group &group, Label label)
{
    return coalesced_group(__match_any_sync(group.members(), label));
}

template <class Group> SIM_INLINE coalesced_group binary_partition(const Group &group, bool side)
{
    unsigned int yes = __ballot_sync(group.members(), side);
    return coalesced_group(side ? yes : group.members() & ~yes);
}

template <class Group> SIM_INLINE void sync(const Group &group)
{
    group.sync();
}

template <class Group> SIM_INLINE auto thread_rank(const Group &group) -> decltype(group.size())
{
    return group.thread_rank();
}

template <class Group> SIM_INLINE auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}

} // namespace cooperative_groups

#endif
