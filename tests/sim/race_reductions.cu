/* race_reductions.cu - reductions and scans under all checks: right, and with one planted bug. */
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
    BUG(tree, 2, "part[");
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

/* Votes, matches, shuffles and reductions wait for the lanes, and order no memory. */
__global__ static void exchange(int *out, int bug)
{
    __shared__ int held[32];
    unsigned int lane = threadIdx.x, seen = 0;
    held[lane] = (int)lane;
    if (bug == 0)
        __syncwarp();
    if (bug == 1)
        seen = __ballot_sync(0xffffffffu, 1);
    if (bug == 2)
        seen = __match_any_sync(0xffffffffu, lane);
    if (bug == 3)
        seen = __shfl_sync(0xffffffffu, lane, 0);
    if (bug == 4)
        seen = __reduce_add_sync(0xffffffffu, lane);
    out[lane] = held[31 - lane] + (int)seen;
}

static void exchanges(int bug)
{
    exchange<<<1, 32>>>(filled<int>(32, 0), bug);
}

Test(race_programs, intrinsics_that_order_no_memory)
{
    CLEAN(exchanges);
    for (int bug = 1; bug <= 4; bug++)
        BUG(exchanges, bug, "__syncwarp()");
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
    BUG(last_block, 1, "partial[");
    BUG(last_block, 2, "partial[");
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
    BUG(chain, 2, "sums[");
    BUG(chain, 3, "sums[");
}
