/* race_flags.cu - locks, queues, flags, cooperative groups and small types under all checks: right,
 * and with one planted bug. */
#include "race_programs.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, BLOCKS = 6, COUNT = THREADS * BLOCKS };

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
    BUG(flag, 1, "slot[0]");
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
    BUG(grid, 1, "a thread reads a[");
    BUG(grid, 2, "a thread reads b[");
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
    BUG(compaction, 1, "length[0]");
}
