/* grids.cu - a grid that waits for itself: what is counted of it, and what is said where it cannot;
 * and the last block of a grid, by ticket, on many schedules. */
#include <cooperative_groups.h>

#include "race_programs.h"

namespace cg = cooperative_groups;

__global__ static void wait_for_all(int *seen, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; round++)
        grid.sync();
    if (grid.thread_rank() == 0)
        *seen = grid.is_valid();
}

__global__ static void is_a_grid(int *seen)
{
    *seen = cg::this_grid().is_valid();
}

static int fetched(const int *device)
{
    int host = -1;
    cr_assert_eq(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
}

/* As C says it, without a template: the kernel is a const void *. */
Test(grids, count_cooperative_launches_and_how_often_they_waited)
{
    int *seen = filled<int>(1, 0), rounds = 3;
    void *arguments[] = {&seen, &rounds};
    sim_reset_counters();
    cr_assert_eq(
        cudaLaunchCooperativeKernel((const void *)wait_for_all, 5, 64, arguments, 0, nullptr),
        cudaSuccess);
    cr_expect_eq(sim_last_launch().cooperative, 1);
    cr_expect_eq(fetched(seen), 1);
    rounds = 0;
    cr_assert_eq(
        cudaLaunchCooperativeKernel((const void *)wait_for_all, 1, 1, arguments, 0, nullptr),
        cudaSuccess);
    is_a_grid<<<1, 1>>>(seen);
    cr_expect_eq(sim_last_launch().cooperative, 0);
    cr_expect_eq(fetched(seen), 0);
    struct sim_counters c = sim_counters();
    cr_expect_eq(c.launches, 3);
    cr_expect_eq(c.cooperative_launches, 2);
    cr_expect_eq(c.grid_barriers, 3);
    cr_expect_eq(c.barriers, 0);
}

/* What `run` prints, which ends with `error`. */
static const char *output_of(void (*run)(void), cudaError_t error)
{
    static struct capture capture;
    sim_reset_errors();
    capture_start(&capture);
    run();
    cudaError_t got = cudaDeviceSynchronize();
    const char *text = capture_end(&capture);
    cr_expect_eq(got, error, "%s", cudaGetErrorString(got));
    cr_expect_gt(sim_error_count(), 0);
    sim_reset_errors();
    cudaDeviceReset();
    return text;
}

static void launch_plainly(void)
{
    wait_for_all<<<4, 32>>>(filled<int>(1, 0), 1);
}

/* On a card cooperative_groups traps. */
Test(grids, do_not_wait_for_themselves_in_an_ordinary_launch)
{
    const char *lists[] = {"all", "none"};
    for (int i = 0; i < 2; i++) {
        sim_set_checks(lists[i]);
        const char *text = output_of(launch_plainly, cudaErrorLaunchFailure);
        EXPECT_PRINTED(text, "The grid waits for itself in an ordinary launch");
        EXPECT_PRINTED(text, "at wait_for_all in ");
        EXPECT_PRINTED(text, "grids.cu:13\n");
        EXPECT_PRINTED(text, "launch the kernel with cudaLaunchCooperativeKernel");
    }
}

__global__ static void leave_one_out(int *seen)
{
    if (blockIdx.x == 3)
        return;
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *seen = 1;
}

static void launch_one_less(void)
{
    int *seen = filled<int>(1, 0);
    void *arguments[] = {&seen};
    cudaLaunchCooperativeKernel((const void *)leave_one_out, 8, 32, arguments, 0, nullptr);
}

Test(grids, miss_threads_that_have_returned)
{
    const char *text = output_of(launch_one_less, cudaSuccess);
    EXPECT_PRINTED(text, "Divergent thread(s) in grid: 32 of the grid's 256 threads have returned");
    EXPECT_PRINTED(text, "at leave_one_out in ");
}

/* In place of the wait of the grid one of the block, or none. */
__global__ static void turn_around(int *from, int *to, int bug)
{
    cg::grid_group grid = cg::this_grid();
    const unsigned long long i = grid.thread_rank();
    from[i] = (int)i;
    if (bug == 0)
        grid.sync();
    else if (bug == 1)
        __syncthreads();
    to[i] = from[grid.size() - 1 - i];
}

static void wait_and_turn_around(int bug)
{
    int *from = unfilled<int>(4 * 64), *to = unfilled<int>(4 * 64);
    void *arguments[] = {&from, &to, &bug};
    cudaLaunchCooperativeKernel((const void *)turn_around, 4, 64, arguments, 0, nullptr);
    cudaDeviceSynchronize();
}

Test(grids, are_told_where_a_wait_of_all_blocks_is_missing)
{
    CLEAN(wait_and_turn_around);
    BUG(wait_and_turn_around, 1, "put grid.sync() between lines");
    BUG(wait_and_turn_around, 2, "put grid.sync() between lines");
}

/* A barrier made by hand: who waits looks at the counter in one of three ways. */
enum look { BY_LOAD, BY_ADD, BY_SWAP };
template <enum look Look> __global__ static void meet(unsigned int *count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while ((Look == BY_LOAD  ? *(volatile unsigned int *)count
                : Look == BY_ADD ? atomicAdd(count, 0)
                                 : atomicCAS(count, 0, 0)) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

/* 256 threads a block, of which a multiprocessor holds eight. */
template <enum look Look> static void meet_in_nine(void)
{
    meet<Look><<<9, 256>>>(filled<unsigned int>(1, 0));
}

static void expect_no_room(const char *text)
{
    EXPECT_PRINTED(text, "Deadlock: blocks wait that hold the room of others: 1 of the grid's 9 "
                         "blocks have not started, for there is room for 8");
    EXPECT_PRINTED(text, "at meet");
    EXPECT_PRINTED(text, "grids.cu:1");
    EXPECT_PRINTED(text, "cudaLaunchCooperativeKernel and grid.sync()");
}

Test(grids, have_to_be_resident_to_meet_at_a_barrier_made_by_hand)
{
    sim_set_multiprocessors(1);
    expect_no_room(output_of(meet_in_nine<BY_LOAD>, cudaErrorLaunchTimeout));
    expect_no_room(output_of(meet_in_nine<BY_ADD>, cudaErrorLaunchTimeout));
    expect_no_room(output_of(meet_in_nine<BY_SWAP>, cudaErrorLaunchTimeout));
    meet<BY_LOAD><<<8, 256>>>(filled<unsigned int>(1, 0));
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}

/* Also where a harness has set how much a kernel may do. */
Test(grids, that_are_not_resident_are_told_before_the_budget_is)
{
    sim_set_multiprocessors(1);
    sim_set_budget_for(1 << 15, 1000, "value");
    expect_no_room(output_of(meet_in_nine<BY_LOAD>, cudaErrorLaunchTimeout));
}

/* A whole reduction: a block adds its values in a tree in shared memory, its first thread leaves the
 * sum in memory and takes a ticket; the block that draws the last adds up all sums, with all of its
 * threads. The next launch finds the counter at 0. */
enum { BLOCKS = 7, THREADS = 64, LENGTH = 1000 };

__device__ static unsigned int tree(unsigned int *shared, unsigned int mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    return threadIdx.x == 0 ? shared[0] : 0;
}

__global__ static void reduce_in_one(const unsigned int *values, unsigned int *sums,
                                     unsigned int *ticket, unsigned int *result, int bug)
{
    __shared__ unsigned int shared[THREADS];
    __shared__ bool is_last;
    unsigned int mine = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < LENGTH;
         i += gridDim.x * blockDim.x)
        mine += values[i];
    mine = tree(shared, mine);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = mine;
        if (bug == 2)
            __threadfence_block();
        else if (bug != 1)
            __threadfence();
        is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - (bug == 3 ? 2 : 1);
        if (bug == 4)
            __threadfence();
    }
    if (bug != 5)
        __syncthreads();
    if (!is_last)
        return;
    mine = 0;
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        mine += sums[b];
    mine = tree(shared, mine);
    if (threadIdx.x == 0)
        *result = mine;
}

static void last_block_reduces(int bug)
{
    static unsigned int host[LENGTH];
    unsigned int sum = 0, got = 0;
    for (unsigned int i = 0; i < LENGTH; i++)
        sum += host[i] = i * 2654435761u;
    unsigned int *values = uploaded(host, LENGTH), *sums = unfilled<unsigned int>(BLOCKS),
                 *ticket = filled<unsigned int>(1, 0), *result = unfilled<unsigned int>(1);
    for (int call = 0; call < 2; call++)
        reduce_in_one<<<BLOCKS, THREADS>>>(values, sums, ticket, result, bug);
    cr_assert_eq(cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    if (bug == 0 || bug == 4)
        cr_expect_eq(got, sum);
}

/* Also one with a fence behind the ticket, as the model of memory asks for. */
static void last_block_fences_twice(int bug)
{
    last_block_reduces(bug ? bug : 4);
}

/* Each warp leaves a sum of its own; a barrier, and then thread 0 fences for all of them and draws. */
__global__ static void reduce_by_warps(const unsigned int *values, unsigned int *sums,
                                       unsigned int *ticket, unsigned int *result, int bug)
{
    __shared__ bool is_last;
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, warps = blockDim.x / 32;
    unsigned int mine = __reduce_add_sync(0xffffffffu, values[i]);
    if (threadIdx.x % 32 == 0)
        sums[i / 32] = mine;
    if (bug != 2)
        __syncthreads();
    if (threadIdx.x == 0) {
        if (bug != 1)
            __threadfence();
        is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 5)
        return;
    mine = 0;
    for (unsigned int w = 0; w < gridDim.x * warps; w++)
        mine += sums[w];
    *result = mine;
}

static void last_block_fences_for_all_warps(int bug)
{
    unsigned int *values = filled<unsigned int>(LENGTH, 1),
                 *sums = unfilled<unsigned int>(BLOCKS * THREADS / 32),
                 *ticket = filled<unsigned int>(1, 0), *result = unfilled<unsigned int>(1);
    reduce_by_warps<<<BLOCKS, THREADS>>>(values, sums, ticket, result, bug);
    cudaDeviceSynchronize();
}

/* The bugs: no fence, one that reaches the block only, the wrong ticket, no barrier before the flag
 * is read. A fence behind the ticket does not make up for the one before. */
Test(grids, are_finished_by_their_last_block)
{
    CLEAN(last_block_reduces);
    CLEAN(last_block_fences_twice);
    CLEAN(last_block_fences_for_all_warps);
    BUG(last_block_fences_for_all_warps, 1, "hazard");
    BUG(last_block_fences_for_all_warps, 2, "hazard");
    BUG(last_block_reduces, 2, "hazard");
    BUG(last_block_reduces, 3, "hazard");
    BUG(last_block_reduces, 5, "hazard");
}

/* On every schedule, whether or not it gives a wrong sum. */
Test(grids, miss_the_fence_before_the_ticket_on_every_schedule)
{
    for (unsigned long long seed = 1; seed <= 2 * SEEDS; seed++) {
        unsigned long long errors;
        const char *text = run_program(last_block_reduces, 1, seed, &errors);
        cr_expect_gt(errors, 0, "not found with seed %llu", seed);
        EXPECT_PRINTED(text, "RAW hazard in global memory");
        EXPECT_PRINTED(text, "sums[");
        EXPECT_PRINTED(text, "if the atomics on ticket[0] tell that it has been written: put "
                             "__threadfence() between the write and the writer's atomic");
    }
}
