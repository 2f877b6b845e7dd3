/* cooperative_groups.cu - ranks, sizes and exchanges of groups, and the barrier of
 * a whole grid. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <criterion/criterion.h>
#include <string.h>

namespace cg = cooperative_groups;

/* Results of a kernel, one for each of its threads. */
template <typename T, size_t N> struct results {
    T host[N];
    T *device;
    results()
    {
        cr_assert_eq(cudaMalloc(&device, sizeof host), cudaSuccess);
    }
    void fetch()
    {
        cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
        cr_assert_eq(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    }
};

struct place {
    unsigned int block_rank, block_size, thread_y, group_x;
    unsigned long long grid_rank, grid_size;
};

__global__ static void find_place(place *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    out[grid.thread_rank()] =
        place{block.thread_rank(),   block.size(),       block.thread_index().y,
              block.group_index().x, grid.thread_rank(), grid.size()};
}

Test(cooperative_groups, know_ranks_in_blocks_and_grids)
{
    results<place, 2 * 3 * 4 * 5> r;
    find_place<<<dim3(2, 3), dim3(4, 5)>>>(r.device);
    r.fetch();
    for (unsigned int i = 0; i < 120; i++) {
        cr_assert_eq(r.host[i].block_rank, i % 20);
        cr_assert_eq(r.host[i].block_size, 20);
        cr_assert_eq(r.host[i].thread_y, i % 20 / 4);
        cr_assert_eq(r.host[i].group_x, i / 20 % 2);
        cr_assert_eq(r.host[i].grid_rank, i);
        cr_assert_eq(r.host[i].grid_size, 120);
    }
}

struct tile_view {
    unsigned int rank, group, groups, odd, matches;
    int next, previous, crossed, fixed, sum, any, all;
};

template <unsigned int Size> __global__ static void look_around(tile_view *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<Size>(block);
    const int mine = (int)block.thread_rank();
    tile_view &view = out[mine];
    view.rank = tile.thread_rank();
    view.group = tile.meta_group_rank();
    view.groups = tile.meta_group_size();
    view.odd = tile.ballot(mine % 3 == 0);
    view.matches = tile.match_any(mine % 4);
    view.next = tile.shfl_down(mine, 1);
    view.previous = tile.shfl_up(mine, 2);
    view.crossed = tile.shfl_xor(mine, 1);
    view.fixed = tile.shfl(mine, Size - 1);
    view.sum = cg::reduce(tile, mine, cg::plus<int>());
    view.any = tile.any(mine == 9);
    view.all = tile.all(mine < 16);
    tile.sync();
}

template <unsigned int Size> static void expect_tiles()
{
    const int size = Size, threads = 64;
    results<tile_view, 64> r;
    look_around<Size><<<1, threads>>>(r.device);
    r.fetch();
    for (int i = 0; i < threads; i++) {
        const int first = i / size * size, last = first + size - 1;
        const unsigned int rank = (unsigned int)(i - first), group = (unsigned int)(i / size);
        unsigned int odd = 0, matches = 0;
        int sum = 0;
        for (int k = first; k <= last; k++) {
            odd |= (unsigned int)(k % 3 == 0) << (k - first);
            matches |= (unsigned int)(k % 4 == i % 4) << (k - first);
            sum += k;
        }
        const tile_view &view = r.host[i];
        cr_assert_eq(view.rank, rank);
        cr_assert_eq(view.group, group);
        cr_assert_eq(view.groups, 64 / Size);
        cr_assert_eq(view.odd, odd);
        cr_assert_eq(view.matches, matches);
        cr_assert_eq(view.next, i < last ? i + 1 : i);
        cr_assert_eq(view.previous, i - 2 >= first ? i - 2 : i);
        cr_assert_eq(view.crossed, size > 1 ? i ^ 1 : i);
        cr_assert_eq(view.fixed, last);
        cr_assert_eq(view.sum, sum);
        cr_assert_eq(view.any, first <= 9 && 9 <= last);
        cr_assert_eq(view.all, last < 16);
    }
}

Test(cooperative_groups, split_a_block_into_tiles)
{
    expect_tiles<32>();
    expect_tiles<16>();
    expect_tiles<8>();
    expect_tiles<4>();
    expect_tiles<2>();
    expect_tiles<1>();
}

__global__ static void sum_tiles(float *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    out[threadIdx.x] = cg::reduce(tile, (float)threadIdx.x, cg::plus<float>());
}

Test(cooperative_groups, work_in_a_warp_that_is_not_full)
{
    results<float, 40> r;
    sum_tiles<<<1, 40>>>(r.device);
    r.fetch();
    for (int i = 0; i < 40; i++)
        cr_assert_eq(r.host[i], i < 16 ? 120.0f : i < 32 ? 376.0f : 284.0f);
}

struct wide {
    double weight;
    int number;
    char letter;
};

__global__ static void pass_structs(wide *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const wide mine = {warp.thread_rank() * 0.5, (int)warp.thread_rank(), 'x'};
    out[threadIdx.x] = warp.shfl(mine, (warp.thread_rank() + 1) % 32);
}

Test(cooperative_groups, exchange_structures)
{
    results<wide, 32> r;
    pass_structs<<<1, 32>>>(r.device);
    r.fetch();
    for (int i = 0; i < 32; i++) {
        cr_assert_eq(r.host[i].number, (i + 1) % 32);
        cr_assert_eq(r.host[i].weight, (i + 1) % 32 * 0.5);
        cr_assert_eq(r.host[i].letter, 'x');
    }
}

struct coalesced_view {
    unsigned int size, rank, last;
    int first, neighbor, smallest, running, before;
};

__global__ static void work_coalesced(coalesced_view *out)
{
    if (threadIdx.x % 3 != 1)
        return;
    cg::coalesced_group active = cg::coalesced_threads();
    const int mine = (int)threadIdx.x;
    coalesced_view &view = out[mine];
    view.size = active.size();
    view.rank = active.thread_rank();
    view.last = active.ballot(mine == 31);
    view.first = active.shfl(mine, 0);
    view.neighbor = active.shfl_down(mine, 1);
    view.smallest = cg::reduce(active, 100 - mine, cg::less<int>());
    view.running = cg::inclusive_scan(active, mine);
    view.before = cg::exclusive_scan(active, 1, cg::plus<int>());
}

Test(cooperative_groups, take_the_lanes_that_are_together)
{
    results<coalesced_view, 32> r;
    work_coalesced<<<1, 32>>>(r.device);
    r.fetch();
    for (int i = 1, running = 0; i < 32; i += 3) {
        const coalesced_view &view = r.host[i];
        running += i;
        cr_assert_eq(view.size, 11);
        cr_assert_eq((int)view.rank, i / 3);
        cr_assert_eq(view.last, 1u << 10);
        cr_assert_eq(view.first, 1);
        cr_assert_eq(view.neighbor, i < 31 ? i + 3 : i);
        cr_assert_eq(view.smallest, 69);
        cr_assert_eq(view.running, running);
        cr_assert_eq(view.before, i / 3);
    }
}

__global__ static void split_by_label(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, (int)(threadIdx.x % 5));
    auto side = cg::binary_partition(warp, threadIdx.x < 10);
    auto four = cg::tiled_partition(same, 4);
    out[threadIdx.x] =
        (int)(same.size() * 10000 + side.size() * 100 + four.size() * 10 + four.thread_rank());
}

Test(cooperative_groups, split_a_group_by_labels)
{
    results<int, 32> r;
    split_by_label<<<1, 32>>>(r.device);
    r.fetch();
    for (int i = 0; i < 32; i++) {
        const int same = i % 5 < 2 ? 7 : 6, rank = i / 5;
        const int four = rank < 4 ? 4 : same - 4;
        cr_assert_eq(r.host[i], same * 10000 + (i < 10 ? 10 : 22) * 100 + four * 10 + rank % 4);
    }
}

/* A function that does not know which kind of group it works for. */
__device__ static int sum_in_group(cg::thread_group group, int *scratch, int value)
{
    const unsigned int rank = group.thread_rank();
    for (unsigned int half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half)
            value += scratch[rank + half];
        group.sync();
    }
    return value;
}

__global__ static void sum_in_groups(int *out)
{
    __shared__ int scratch[64];
    cg::thread_block block = cg::this_thread_block();
    const int rank = (int)block.thread_rank();
    int whole = sum_in_group(block, scratch, rank);
    block.sync();
    int part = sum_in_group(cg::tiled_partition(block, 8), scratch + rank / 8 * 8, rank);
    if (rank % 8 == 0)
        out[rank / 8] = rank == 0 ? whole : part;
}

Test(cooperative_groups, hide_their_kind_behind_thread_group)
{
    results<int, 8> r;
    sum_in_groups<<<1, 64>>>(r.device);
    r.fetch();
    cr_expect_eq(r.host[0], 64 * 63 / 2);
    for (int i = 1; i < 8; i++)
        cr_expect_eq(r.host[i], 8 * 8 * i + 28);
}

__global__ static void copy_together(const int *from, int *to)
{
    __shared__ int staged[100];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, staged, from, sizeof staged);
    cg::wait(block);
    for (unsigned int i = threadIdx.x; i < 100; i += blockDim.x)
        to[i] = staged[99 - i];
}

Test(cooperative_groups, copy_together)
{
    results<int, 100> from, to;
    for (int i = 0; i < 100; i++)
        from.host[i] = i * i;
    cudaMemcpy(from.device, from.host, sizeof from.host, cudaMemcpyHostToDevice);
    copy_together<<<1, 64>>>(from.device, to.device);
    to.fetch();
    for (int i = 0; i < 100; i++)
        cr_assert_eq(to.host[i], (99 - i) * (99 - i));
}

/* Each round, every block reads what its neighbor wrote in the round before. */
__global__ static void pass_around(int *cells, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    const int blocks = (int)gridDim.x, block = (int)blockIdx.x;
    for (int round = 0; round < rounds; round++) {
        int seen = cells[(block + 1) % blocks];
        grid.sync();
        if (threadIdx.x == 0)
            cells[block] = seen + 1;
        grid.sync();
    }
}

Test(cooperative_groups, wait_for_the_whole_grid)
{
    enum { BLOCKS = 20 };
    results<int, BLOCKS> r;
    int rounds = 7;
    for (int i = 0; i < BLOCKS; i++)
        r.host[i] = 100 * i;
    cudaMemcpy(r.device, r.host, sizeof r.host, cudaMemcpyHostToDevice);
    void *arguments[] = {&r.device, &rounds};
    cr_assert_eq(cudaLaunchCooperativeKernel((void *)pass_around, BLOCKS, 48, arguments, 0, 0),
                 cudaSuccess);
    r.fetch();
    for (int i = 0; i < BLOCKS; i++)
        cr_expect_eq(r.host[i], 100 * ((i + 7) % BLOCKS) + 7);
}

/* The same, by a barrier in two halves. */
__global__ static void pass_in_halves(int *cells)
{
    cg::grid_group grid = cg::this_grid();
    const int seen = cells[(blockIdx.x + 1) % gridDim.x];
    grid.barrier_wait(grid.barrier_arrive());
    if (threadIdx.x == 0)
        cells[blockIdx.x] = seen + 1;
    auto arrived = grid.barrier_arrive();
    grid.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(arrived));
}

Test(cooperative_groups, arrive_and_wait)
{
    enum { BLOCKS = 5 };
    results<int, BLOCKS> r;
    for (int i = 0; i < BLOCKS; i++)
        r.host[i] = 100 * i;
    cudaMemcpy(r.device, r.host, sizeof r.host, cudaMemcpyHostToDevice);
    void *arguments[] = {&r.device};
    cr_assert_eq(cudaLaunchCooperativeKernel((void *)pass_in_halves, BLOCKS, 48, arguments, 0, 0),
                 cudaSuccess);
    r.fetch();
    for (int i = 0; i < BLOCKS; i++)
        cr_expect_eq(r.host[i], 100 * ((i + 1) % BLOCKS) + 1);
}

/* Of each tile one member adds the sum; one thread of the block stores where things lie. */
__global__ static void reduce_and_ask(unsigned int *out)
{
    __shared__ cg::block_tile_memory<64> memory;
    __shared__ unsigned int word;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<16>(block);
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> sum(out[0]);
    cg::reduce_update_async(tile, sum, threadIdx.x, cg::plus<unsigned int>());
    if (block.thread_rank() < 16)
        cg::reduce_store_async(tile, &out[1], threadIdx.x, cg::greater<unsigned int>());
    cg::invoke_one(block, [&] { word = 7; });
    __barrier_sync(0);
    const unsigned int sent = cg::invoke_one_broadcast(tile, [&] { return word + 1; });
    unsigned int local = sent;
    if (threadIdx.x == 63) {
        out[2] = sent;
        out[3] = __isShared(&word) + 2 * __isGlobal(out) + 4 * __isShared(out) +
                 8 * __isGlobal(&local) + 16 * __isLocal(&local);
        out[4] = *(unsigned int *)__cvta_shared_to_generic(__cvta_generic_to_shared(&word));
        out[5] = cg::this_cluster().num_blocks() + cg::this_cluster().block_rank();
    }
}

Test(cooperative_groups, update_and_say_where_things_lie)
{
    results<unsigned int, 6> r;
    const unsigned int expected[] = {64 * 63 / 2, 15, 8, 1 + 2 + 16, 7, 1};
    cudaMemset(r.device, 0, sizeof r.host);
    reduce_and_ask<<<1, 64>>>(r.device);
    r.fetch();
    cr_expect_eq(memcmp(r.host, expected, sizeof expected), 0);
}

Test(cooperative_groups, refuse_a_grid_that_cannot_be_resident)
{
    int *cells = nullptr, rounds = 0;
    void *arguments[] = {&cells, &rounds};
    cr_expect_eq(
        cudaLaunchCooperativeKernel((void *)pass_around, 132 * 2 + 1, 1024, arguments, 0, 0),
        cudaErrorCooperativeLaunchTooLarge);
    cr_expect_eq(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}
