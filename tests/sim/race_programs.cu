/* race_programs.cu - programs of other fields: no report on a right one, and the
 * right report on its twin with a bug. */
#include "race_programs.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, BLOCKS = 6, COUNT = THREADS * BLOCKS };

/* Reductions */

__global__ static void reduce_tree(const int *in, int *out, int bug)
{
    __shared__ int part[THREADS];
    unsigned int t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    if (bug != 1)
        __syncthreads();
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        if (bug != 2)
            __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

static void tree(int bug)
{
    reduce_tree<<<BLOCKS, THREADS>>>(filled<int>(COUNT, 1), filled<int>(BLOCKS, 0), bug);
}

Test(race_programs, reduction_tree)
{
    CLEAN(tree);
    BUG(tree, 1, "part[");
    BUG(tree, 2, "__syncwarp");
}

__global__ static void reduce_warp(const int *in, int *out, int bug)
{
    __shared__ volatile int loose[64];
    __shared__ int part[64];
    unsigned int t = threadIdx.x;
    part[t] = loose[t] = in[t];
    __syncthreads();
    if (t < 32 && bug == 0)
        for (unsigned int half = 32; half > 0; half /= 2) {
            int other = part[t + half];
            __syncwarp();
            part[t] += other;
            __syncwarp();
        }
    if (t < 32 && bug == 1)
        for (unsigned int half = 32; half > 0; half /= 2)
            part[t] += part[t + half];
    if (t < 32 && bug == 2)
        for (unsigned int half = 32; half > 0; half /= 2)
            loose[t] += loose[t + half];
    if (t == 0)
        out[0] = part[0];
}

static void warp_synchronous(int bug)
{
    reduce_warp<<<1, 64>>>(filled<int>(64, 1), filled<int>(1, 0), bug);
}

Test(race_programs, warp_synchronous_reduction)
{
    CLEAN(warp_synchronous);
    BUG(warp_synchronous, 1, "__syncwarp");
    BUG(warp_synchronous, 2, "loose[");
}

__global__ static void reduce_shuffle(const int *in, int *out, int bug)
{
    __shared__ int sums[THREADS / 32];
    int sum = in[blockIdx.x * THREADS + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    if (bug != 1)
        __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            sum += sums[w];
        if (bug == 2)
            *out += sum;
        else if (bug == 3)
            atomicAdd_block(out, sum);
        else
            atomicAdd(out, sum);
    }
}

static void shuffles(int bug)
{
    reduce_shuffle<<<BLOCKS, THREADS>>>(filled<int>(COUNT, 1), filled<int>(1, 0), bug);
}

Test(race_programs, shuffle_reduction)
{
    CLEAN(shuffles);
    BUG(shuffles, 1, "sums[");
    BUG(shuffles, 2, "use atomicAdd");
    BUG(shuffles, 3, "_block");
}

__device__ static unsigned int blocks_done;

__global__ static void reduce_last_block(const int *in, int *partial, int *out, int bug)
{
    __shared__ int part[THREADS];
    __shared__ bool last;
    unsigned int t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = part[0];
        if (bug == 2)
            __threadfence_block();
        else if (bug != 1)
            __threadfence();
        last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    if (bug != 3)
        __syncthreads();
    if (!last)
        return;
    int sum = 0;
    for (unsigned int i = t; i < gridDim.x; i += THREADS)
        sum += partial[i];
    atomicAdd(out, sum);
}

static void last_block(int bug)
{
    reduce_last_block<<<BLOCKS, THREADS>>>(filled<int>(COUNT, 1), unfilled<int>(BLOCKS),
                                           filled<int>(1, 0), bug);
}

Test(race_programs, last_block_reduction)
{
    CLEAN(last_block);
    BUG(last_block, 1, "24-byte allocation");
    BUG(last_block, 2, "24-byte allocation");
    BUG(last_block, 3, "last");
}

__global__ static void all_fence_then_one_tells(int *data, int *done, int *out, int bug)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (bug != 1)
        __threadfence();
    __syncthreads();
    __shared__ int ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(done, 1);
    __syncthreads();
    if (ticket != (int)gridDim.x - 1)
        return;
    for (int i = (int)threadIdx.x; i < COUNT; i += THREADS)
        atomicAdd(out, data[i]);
}

static void all_fence(int bug)
{
    all_fence_then_one_tells<<<BLOCKS, THREADS>>>(unfilled<int>(COUNT), filled<int>(1, 0),
                                                  filled<int>(1, 0), bug);
}

Test(race_programs, every_thread_fences_and_one_tells)
{
    CLEAN(all_fence);
    BUG(all_fence, 1, "RAW");
}

/* Scans */

__global__ static void scan_steps(const int *in, int *out, int bug)
{
    __shared__ int row[2][THREADS];
    int t = (int)threadIdx.x, now = 0;
    row[0][t] = in[t];
    __syncthreads();
    for (int reach = 1; reach < THREADS; reach *= 2) {
        int next = bug == 1 ? now : 1 - now;
        row[next][t] = row[now][t] + (t >= reach ? row[now][t - reach] : 0);
        now = next;
        if (bug != 2)
            __syncthreads();
    }
    out[t] = row[now][t];
}

static void scan(int bug)
{
    scan_steps<<<1, THREADS>>>(filled<int>(THREADS, 1), unfilled<int>(THREADS), bug);
}

__global__ static void scan_sweeps(int *data, int bug)
{
    __shared__ int tree[2 * THREADS];
    int t = (int)threadIdx.x, offset = 1;
    tree[2 * t] = data[2 * t];
    tree[2 * t + 1] = data[2 * t + 1];
    for (int d = THREADS; d > 0; d /= 2, offset *= 2) {
        if (bug != 1)
            __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    }
    if (t == 0)
        tree[2 * THREADS - 1] = 0;
    for (int d = 1; d < 2 * THREADS; d *= 2) {
        offset /= 2;
        if (bug != 2)
            __syncthreads();
        if (t < d) {
            int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1, held = tree[low];
            tree[low] = tree[high];
            tree[high] += held;
        }
    }
    __syncthreads();
    data[2 * t] = tree[2 * t];
    data[2 * t + 1] = tree[2 * t + 1];
}

static void sweeps(int bug)
{
    scan_sweeps<<<1, THREADS>>>(filled<int>(2 * THREADS, 1), bug);
}

/* Each block waits for the sum of the block before. */
__global__ static void scan_chain(const int *in, int *sums, volatile int *ready, int bug)
{
    __shared__ int before;
    int b = (int)blockIdx.x;
    if (threadIdx.x == 0) {
        before = 0;
        if (b > 0) {
            while (ready[b - 1] == 0)
                ;
            if (bug != 1)
                __threadfence();
            before = sums[b - 1];
        }
        sums[b] = before + in[b];
        if (bug == 3)
            __threadfence_block();
        else if (bug != 2)
            __threadfence();
        ready[b] = 1;
    }
    __syncthreads();
}

static void chain(int bug)
{
    scan_chain<<<BLOCKS, 32>>>(filled<int>(BLOCKS, 1), unfilled<int>(BLOCKS),
                               filled<int>(BLOCKS, 0), bug);
}

Test(race_programs, scans)
{
    CLEAN(scan);
    BUG(scan, 1, "row[");
    BUG(scan, 2, "__syncthreads");
    CLEAN(sweeps);
    BUG(sweeps, 1, "tree[");
    BUG(sweeps, 2, "tree[");
    CLEAN(chain);
    BUG(chain, 2, "24-byte allocation");
    BUG(chain, 3, "24-byte allocation");
}

/* Matrices and grids */

enum { TILE = 8, SIDE = 32 };

__global__ static void transpose(const float *in, float *out, int bug)
{
    __shared__ float tile[TILE][TILE + 1];
    unsigned int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * SIDE + x];
    if (bug != 1)
        __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = (bug == 2 ? 0 : blockIdx.x) * TILE + threadIdx.y;
    out[y * SIDE + x] = tile[threadIdx.x][threadIdx.y];
}

static void transposes(int bug)
{
    transpose<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(
        filled<float>(SIDE * SIDE, 0), unfilled<float>(SIDE * SIDE), bug);
}

__global__ static void multiply(const float *a, const float *b, float *c, int bug)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    unsigned int tx = threadIdx.x, ty = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (unsigned int k = 0; k < SIDE; k += TILE) {
        tile_a[ty][tx] = a[row * SIDE + k + tx];
        tile_b[ty][tx] = b[(k + ty) * SIDE + column];
        if (bug != 1)
            __syncthreads();
        for (unsigned int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        if (bug != 2)
            __syncthreads();
    }
    c[row * SIDE + column] = sum;
}

static void product(int bug)
{
    multiply<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(
        filled<float>(SIDE * SIDE, 0), filled<float>(SIDE * SIDE, 0), unfilled<float>(SIDE * SIDE),
        bug);
}

__global__ static void smooth(const int *in, int *out, int count, int bug)
{
    __shared__ int row[THREADS + 2];
    int t = (int)threadIdx.x, i = (int)(blockIdx.x * THREADS) + t;
    row[t + 1] = in[i];
    if (t == 0)
        row[0] = i > 0 ? in[i - 1] : 0;
    if (t == THREADS - 1 && bug != 2)
        row[THREADS + 1] = i + 1 < count ? in[i + 1] : 0;
    if (bug == 3)
        row[t + 3] = 0;
    if (bug != 1)
        __syncthreads();
    out[i] = row[t] + row[t + 1] + row[t + 2] + (bug == 4 ? in[i + 1] : 0);
}

static void stencil(int bug)
{
    smooth<<<BLOCKS, THREADS>>>(filled<int>(COUNT, 1), unfilled<int>(COUNT), COUNT, bug);
}

__global__ static void smooth_in_place(int *data, int count, int bug)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 0 && i < count - 1)
        data[i + (bug ? 0 : count)] = data[i - 1] + data[i] + data[i + 1];
}

static void in_place(int bug)
{
    smooth_in_place<<<BLOCKS, THREADS>>>(filled<int>(2 * COUNT, 1), COUNT, bug);
}

Test(race_programs, matrices_and_stencils)
{
    CLEAN(transposes);
    BUG(transposes, 1, "tile[");
    CLEAN(product);
    BUG(product, 1, "tile_");
    BUG(product, 2, "tile_");
    CLEAN(stencil);
    BUG(stencil, 1, "row[");
    BUG(stencil, 2, "nothing has written row[129]");
    BUG(stencil, 3, "row[130]");
    BUG(stencil, 4, "after the end");
    CLEAN(in_place);
    BUG(in_place, 1, "nothing orders");
}

/* Sorting */

__global__ static void sort_bitonic(int *data, int bug)
{
    __shared__ int row[THREADS];
    unsigned int t = threadIdx.x;
    row[t] = data[t];
    __syncthreads();
    for (unsigned int size = 2; size <= THREADS; size *= 2)
        for (unsigned int stride = size / 2; stride > 0; stride /= 2) {
            unsigned int other = t ^ stride;
            if (other > t && (row[t] > row[other]) == ((t & size) == 0)) {
                int held = row[t];
                row[t] = row[other];
                row[other] = held;
            }
            if (bug == 2 && stride <= 16)
                __syncwarp();
            else if (bug != 1)
                __syncthreads();
        }
    data[t] = row[t];
}

static void sort(int bug)
{
    int host[THREADS];
    for (int i = 0; i < THREADS; i++)
        host[i] = (i * 37 + 11) % THREADS;
    sort_bitonic<<<1, THREADS>>>(uploaded(host, THREADS), bug);
}

__global__ static void odd_even(int *data, int count, int parity)
{
    int i = (int)(2 * (blockIdx.x * blockDim.x + threadIdx.x)) + parity;
    if (i + 1 < count && data[i] > data[i + 1]) {
        int held = data[i];
        data[i] = data[i + 1];
        data[i + 1] = held;
    }
}

static void sort_by_kernels(int bug)
{
    int *data = filled<int>(COUNT, 1);
    for (int round = 0; round < 4; round++)
        odd_even<<<BLOCKS, THREADS>>>(data, COUNT + bug, round & 1);
}

Test(race_programs, sorting_networks)
{
    CLEAN(sort);
    BUG(sort, 1, "row[");
    CLEAN(sort_by_kernels);
    BUG(sort_by_kernels, 1, "after the end");
}

/* Locks, queues, flags */

__global__ static void count_under_lock(int *lock, int *counter, int bug)
{
    if (threadIdx.x % 32 != 0)
        return;
    for (int round = 0; round < 3; round++) {
        if (bug != 3)
            while (atomicCAS(lock, 0, 1) != 0)
                ;
        __threadfence();
        *counter = *counter + 1;
        if (bug == 4)
            __threadfence_block();
        else if (bug != 1)
            __threadfence();
        if (bug == 2)
            *lock = 0;
        else if (bug != 3)
            atomicExch(lock, 0);
    }
}

static void lock(int bug)
{
    count_under_lock<<<4, 64>>>(filled<int>(1, 0), filled<int>(1, 0), bug);
}

/* All threads of a warp want the lock. */
__global__ static void count_in_turns(int *lock, int *counter)
{
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)counter = *(volatile int *)counter + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

static void crowded_lock(int bug)
{
    (void)bug;
    count_in_turns<<<2, 64>>>(filled<int>(1, 0), filled<int>(1, 0));
}

__global__ static void hand_over(int *slot, int *ready, int *out, int bug)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (int i = 0; i < 8; i++)
            slot[i] = i;
        if (bug != 1)
            __threadfence();
        if (bug == 2)
            *ready = 1;
        else
            atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0)
            ;
        __threadfence();
        for (int i = 0; i < 8; i++)
            atomicAdd(out, slot[i]);
    }
}

static void flag(int bug)
{
    hand_over<<<4, 32>>>(unfilled<int>(8), filled<int>(1, 0), filled<int>(1, 0), bug);
}

/* A queue: threads take numbers of tasks, and make new ones. */
__global__ static void work_queue(int *task, int *tail, int *head, int *ready, int *out, int bug)
{
    for (;;) {
        int i = atomicAdd(head, 1);
        if (i >= 64)
            return;
        while (atomicAdd(&ready[i], 0) == 0)
            ;
        __threadfence();
        int work = task[i];
        atomicAdd(out, work);
        if (work > 1) {
            int at = atomicAdd(tail, 1);
            if (at < 64) {
                task[at] = work - 1;
                if (bug != 1)
                    __threadfence();
                atomicExch(&ready[at], 1);
            }
        }
    }
}

static void queue(int bug)
{
    int tasks[64], ready[64], tail = 8;
    for (int i = 0; i < 64; i++) {
        ready[i] = i < 8;
        tasks[i] = 8;
    }
    work_queue<<<2, 1>>>(uploaded(tasks, 64), uploaded(&tail, 1), filled<int>(1, 0),
                         uploaded(ready, 64), filled<int>(1, 0), bug);
}

Test(race_programs, locks_and_queues)
{
    CLEAN(lock);
    BUG(lock, 1, "hazard");
    BUG(lock, 2, "hazard");
    BUG(lock, 3, "hazard");
    BUG(lock, 4, "hazard");
    CLEAN(crowded_lock);
    CLEAN(flag);
    BUG(flag, 1, "32-byte allocation");
    BUG(flag, 2, "hazard");
    CLEAN(queue);
    BUG(queue, 1, "RAW");
}

__global__ static void warps_in_a_ring(int *out, int bug)
{
    __shared__ int data[4];
    __shared__ volatile int turn;
    unsigned int w = threadIdx.x / 32;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (turn != (int)w)
            ;
        __threadfence_block();
        data[w] = w ? data[w - 1] + 1 : 1;
        if (bug != 1)
            __threadfence_block();
        turn = (int)w + 1;
    }
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = data[threadIdx.x];
}

static void ring(int bug)
{
    warps_in_a_ring<<<2, 128>>>(filled<int>(4, 0), bug);
}

/* Cooperative groups */

__global__ static void grid_phases(int *a, int *b, int bug)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), n = (int)(gridDim.x * blockDim.x);
    a[i] = i;
    if (bug != 1)
        grid.sync();
    b[i] = a[(i + 1) % n] + a[(i + 37) % n];
    if (bug != 2)
        grid.sync();
    a[i] = b[(i + 5) % n];
}

static void grid(int bug)
{
    int *a = unfilled<int>(COUNT), *b = unfilled<int>(COUNT);
    void *arguments[] = {&a, &b, &bug};
    cudaLaunchCooperativeKernel((void *)grid_phases, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0);
}

__global__ static void tiles(const int *in, int *out, int bug)
{
    __shared__ int row[THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    unsigned int t = block.thread_rank();
    row[t] = in[t];
    if (bug != 1)
        tile.sync();
    int other = row[t ^ (bug == 2 ? 8 : 7)];
    if (bug != 3)
        tile.sync();
    row[t] = other;
    block.sync();
    out[t] = row[THREADS - 1 - t];
}

static void tiled(int bug)
{
    tiles<<<1, THREADS>>>(filled<int>(THREADS, 1), unfilled<int>(THREADS), bug);
}

Test(race_programs, groups_and_rings)
{
    CLEAN(ring);
    BUG(ring, 1, "data[");
    CLEAN(grid);
    BUG(grid, 1, "3072-byte");
    BUG(grid, 2, "3072-byte");
    CLEAN(tiled);
    BUG(tiled, 1, "row[");
    BUG(tiled, 2, "row[");
    BUG(tiled, 3, "row[");
}

/* Small types, structs, compaction */

struct body {
    char kind;
    short weight;
    double at[2];
};

__global__ static void small_types(const unsigned char *in, unsigned char *out, short *wide,
                                   body *bodies, int count, int bug)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    out[i] = in[i] ^ 1;
    out[i] += 1;
    wide[i] = (short)(out[bug == 1 ? i ^ 1 : i] * 2);
    bodies[i].kind = 1;
    bodies[i].weight = 2;
    bodies[i].at[0] = bodies[i].at[1] = 0;
    bodies[count + i] = bodies[i];
}

static void small(int bug)
{
    small_types<<<3, 67>>>(filled<unsigned char>(200, 1), unfilled<unsigned char>(200),
                           unfilled<short>(200), unfilled<body>(400), 200, bug);
}

__global__ static void compact(const int *in, int *out, int *length, int bug)
{
    unsigned int lane = threadIdx.x % 32;
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned int keep = __ballot_sync(0xffffffffu, value % 3 == 0);
    int first = 0;
    if (lane == 0) {
        if (bug == 1) {
            first = *length;
            *length = first + __popc(keep);
        } else {
            first = atomicAdd(length, __popc(keep));
        }
    }
    first = __shfl_sync(0xffffffffu, first, 0);
    if (value % 3 == 0)
        out[first + __popc(keep & ((1u << lane) - 1))] = value;
}

static void compaction(int bug)
{
    static int host[COUNT];
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
    compact<<<BLOCKS, THREADS>>>(uploaded(host, COUNT), unfilled<int>(COUNT), filled<int>(1, 0),
                                 bug);
}

Test(race_programs, small_types_and_compaction)
{
    CLEAN(small);
    BUG(small, 1, "hazard");
    CLEAN(compaction);
    BUG(compaction, 1, "4-byte allocation");
}
