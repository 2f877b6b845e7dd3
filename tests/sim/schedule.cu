/* schedule.cu - turns, convergence, barriers: what a kernel can see of the
 * scheduler. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture.h"
#include "sim.h"

template <typename T> static T *device_array(size_t count)
{
    T *array;
    cr_assert_eq(cudaMalloc(&array, count * sizeof(T)), cudaSuccess);
    cudaMemset(array, 0, count * sizeof(T));
    return array;
}

template <typename T> static T element(const T *array, size_t i)
{
    T value;
    cr_assert_eq(cudaMemcpy(&value, array + i, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

/* The order in which warps reach a counter shows the schedule. */
__global__ static void take_tickets(unsigned int *next, unsigned int *ticket)
{
    for (int round = 0; round < 4; round++)
        ticket[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + round] = atomicAdd(next, 1);
}

static unsigned int *tickets_of(unsigned long long seed)
{
    const size_t count = 8 * 128 * 4;
    static unsigned int host[2][8 * 128 * 4];
    static int which;
    unsigned int *next = device_array<unsigned int>(1), *ticket = device_array<unsigned int>(count);
    sim_set_seed(seed);
    take_tickets<<<8, 128>>>(next, ticket);
    which = !which;
    cudaMemcpy(host[which], ticket, count * sizeof *ticket, cudaMemcpyDeviceToHost);
    return host[which];
}

Test(schedule, is_the_same_for_the_same_seed)
{
    cr_expect_eq(memcmp(tickets_of(5), tickets_of(5), 8 * 128 * 4 * 4), 0);
}

Test(schedule, is_another_for_another_seed)
{
    cr_expect_neq(memcmp(tickets_of(5), tickets_of(6), 8 * 128 * 4 * 4), 0);
}

Test(schedule, hands_every_ticket_out_once)
{
    unsigned int *ticket = tickets_of(7);
    static char seen[8 * 128 * 4];
    for (int i = 0; i < 8 * 128 * 4; i++)
        cr_assert_eq(seen[ticket[i]]++, 0);
}

__global__ static void increment(unsigned int *counter, int rounds)
{
    for (int i = 0; i < rounds; i++)
        counter[0]++;
}

Test(schedule, loses_updates_that_are_not_atomic)
{
    unsigned int *counter = device_array<unsigned int>(1);
    increment<<<4, 64>>>(counter, 100);
    cr_expect_lt(element(counter, 0), 4 * 64 * 100 / 10);
    cr_expect_gt(element(counter, 0), 0);
}

__global__ static void guarded_increment(int *lock, unsigned int *counter)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    counter[0] = counter[0] + 1;
    __threadfence();
    atomicExch(lock, 0);
}

Test(schedule, lets_a_right_spin_lock_end)
{
    int *lock = device_array<int>(1);
    unsigned int *counter = device_array<unsigned int>(1);
    guarded_increment<<<8, 96>>>(lock, counter);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(element(counter, 0), 8 * 96);
}

/* Block 0 waits for the last block: it must be started although block 0 holds on. */
__global__ static void wait_for_the_last_block(volatile int *flag)
{
    if (blockIdx.x == gridDim.x - 1)
        *flag = 1;
    else
        while (*flag == 0)
            ;
}

Test(schedule, starts_more_blocks_when_the_resident_ones_wait)
{
    int *flag = device_array<int>(1);
    wait_for_the_last_block<<<100, 32>>>(flag);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}

/* Which block ended first, and which last. */
__global__ static void note_ends(const int *array, unsigned int *ended, unsigned int *first,
                                 unsigned int *last)
{
    int sum = 0;
    for (unsigned int i = 0; i < 8; i++)
        sum += array[(blockIdx.x * 8 + i) * blockDim.x + threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    const unsigned int ticket = atomicAdd(ended, 1 + (unsigned int)sum);
    if (ticket == 0)
        atomicExch(first, blockIdx.x);
    if (ticket == gridDim.x - 1)
        atomicExch(last, blockIdx.x);
}

static void expect_all_ends(unsigned int blocks, unsigned int threads)
{
    enum { SEEDS = 64 }; /* as many as a verdict has: common/judge/expect_right.h */
    unsigned int firsts = 0, lasts = 0;
    int *array = device_array<int>(blocks * threads * 8);
    for (unsigned int seed = 1; seed <= SEEDS; seed++) {
        unsigned int *ends = device_array<unsigned int>(3);
        sim_set_seed(seed);
        note_ends<<<blocks, threads>>>(array, ends, ends + 1, ends + 2);
        firsts |= 1u << element(ends, 1);
        lasts |= 1u << element(ends, 2);
        cudaFree(ends);
    }
    cr_expect_eq(firsts, (1u << blocks) - 1, "first of %u x %u: %x", blocks, threads, firsts);
    cr_expect_eq(lasts, (1u << blocks) - 1, "last of %u x %u: %x", blocks, threads, lasts);
    cudaFree(array);
}

Test(schedule, has_each_of_a_few_blocks_end_first_and_last)
{
    for (unsigned int blocks : {2, 3, 8, 13, 16})
        for (unsigned int threads : {32, 1024})
            expect_all_ends(blocks, threads);
}

/* Each block takes the lock of its number, and then the next one's. */
__global__ static void dine(int *fork, bool in_order)
{
    const unsigned int one = blockIdx.x, other = (blockIdx.x + 1) % gridDim.x;
    const unsigned int first = in_order && other < one ? other : one, then = one + other - first;
    if (threadIdx.x > 0)
        return;
    while (atomicCAS(&fork[first], 0, 1) != 0)
        ;
    while (atomicCAS(&fork[then], 0, 1) != 0)
        ;
    atomicExch(&fork[then], 0);
    atomicExch(&fork[first], 0);
}

static unsigned int stopped_on(unsigned int philosophers, bool in_order)
{
    enum { SEEDS = 4 }; /* an input has as many */
    struct capture capture;
    unsigned int stopped = 0;
    capture_start(&capture);
    for (unsigned int seed = 1; seed <= SEEDS; seed++) {
        int *fork = device_array<int>(philosophers);
        sim_set_seed(seed);
        dine<<<philosophers, 32>>>(fork, in_order);
        stopped += cudaDeviceSynchronize() != cudaSuccess;
        cudaDeviceReset(); /* what has failed fails on */
    }
    capture_end(&capture);
    return stopped;
}

Test(schedule, finds_locks_that_are_taken_in_a_circle)
{
    for (unsigned int philosophers = 2; philosophers <= 9; philosophers++) {
        cr_expect_geq(stopped_on(philosophers, false), 1u, "%u", philosophers);
        cr_expect_eq(stopped_on(philosophers, true), 0u, "%u", philosophers);
    }
}

/* --- Convergence: requests are counted as the hardware's warps would make them. --- */

static struct sim_counters counters_of(void (*kernel)(int *), int blocks, int threads)
{
    int *array = device_array<int>(1 << 16);
    sim_reset_counters();
    kernel<<<blocks, threads>>>(array);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    return sim_counters();
}

__global__ static void branch_and_meet(int *array)
{
    int i = threadIdx.x;
    if (i % 2)
        array[i] = 1;
    else
        array[i + 64] = 2;
    array[i + 128] = 3;
}

Test(convergence, lanes_meet_after_a_branch)
{
    cr_expect_eq(counters_of(branch_and_meet, 1, 32).global[SIM_STORE].requests, 3);
}

__global__ static void loop_as_often_as_the_lane(int *array)
{
    int i = threadIdx.x;
    for (int round = 0; round <= i; round++)
        array[i + 32 * round] = 1;
    array[i + 2048] = 2;
}

Test(convergence, lanes_that_left_a_loop_wait_for_the_others)
{
    struct sim_counters c = counters_of(loop_as_often_as_the_lane, 1, 32);
    cr_expect_eq(c.global[SIM_STORE].requests, 32 + 1);
    cr_expect_eq(c.global[SIM_STORE].lanes, 32 * 33 / 2 + 32);
}

__global__ static void skip_in_a_loop(int *array)
{
    int i = threadIdx.x;
    for (int round = 0; round < 10; round++) {
        int value = array[i + 32 * round];
        if ((i + round) % 3 == value)
            atomicAdd(&array[4096 + i], 1);
    }
}

Test(convergence, lanes_that_skip_a_statement_do_not_run_ahead_to_the_next_round)
{
    struct sim_counters c = counters_of(skip_in_a_loop, 1, 32);
    cr_expect_eq(c.global[SIM_LOAD].requests, 10);
    cr_expect_eq(c.global[SIM_RED].requests, 10);
}

__global__ static void nested_loops(int *array)
{
    int i = threadIdx.x;
    for (int outer = 0; outer < 5; outer++) {
        int rounds = array[i + outer] + (i + outer) % 4;
        for (int inner = 0; inner < rounds; inner++)
            if (array[inner + i] == 0)
                array[i + 64 * inner] = 0;
        array[i + 1024] = outer;
    }
}

Test(convergence, holds_in_nested_loops)
{
    struct sim_counters c = counters_of(nested_loops, 1, 32);
    cr_expect_eq(c.global[SIM_LOAD].requests, 5 + 5 * 3);
    cr_expect_eq(c.global[SIM_STORE].requests, 5 * 3 + 5);
}

/* The last store before the inner loop is behind it: it does not make that loop reach so far. */
__global__ static void loop_without_a_stop_before_it(int *array)
{
    const int i = threadIdx.x;
    for (int outer = 0; outer < 4; outer++) {
        if (i < 24)
            for (int inner = 0; inner < i % 3; inner++)
                array[i + 32 * inner] = outer;
        array[i + 1024] = outer;
    }
}

Test(convergence, holds_behind_a_loop_that_lanes_leave_after_other_rounds)
{
    struct sim_counters c = counters_of(loop_without_a_stop_before_it, 1, 32);
    cr_expect_eq(c.global[SIM_STORE].requests, 4 * 2 + 4);
}

/* More loops one after the other than a lane remembers nested ones; a loop that has ended is not
 * around the next. In the last one lane 0 is behind when the others begin their next round. */
__device__ static void add_up(int *sum)
{
    for (int i = 0; i < 3; i++)
        *sum += 1;
}

__global__ static void many_loops_and_a_branch(int *array)
{
    const int lane = threadIdx.x;
    for (int i = 0; i < 3; i++)
        array[64 + lane] += 1;
    for (int i = 0; i < 3; i++)
        array[96 + lane] += 1;
    for (int i = 0; i < 3; i++)
        array[128 + lane] += 1;
    for (int i = 0; i < 3; i++)
        array[160 + lane] += 1;
    for (int i = 0; i < 3; i++)
        array[192 + lane] += 1;
    for (int i = 0; i < 3; i++)
        array[224 + lane] += 1;
    add_up(&array[256 + lane]);
    for (int i = 0; i < 4; i++) {
        array[lane] = i;
        if (lane == 0)
            array[32] += 1;
    }
}

Test(convergence, holds_after_many_loops)
{
    struct sim_counters c = counters_of(many_loops_and_a_branch, 1, 32);
    cr_expect_eq(c.global[SIM_STORE].requests, 7 * 3 + 4 + 4);
}

__global__ static void early_return(int *array)
{
    if (threadIdx.x >= 20)
        return;
    array[threadIdx.x] = (int)__activemask();
}

Test(convergence, activemask_shows_the_lanes_that_are_together)
{
    int *array = device_array<int>(32);
    early_return<<<1, 32>>>(array);
    cr_expect_eq(element(array, 3), (1 << 20) - 1);
}

/* --- Barriers --- */

__global__ static void rotate(int *array)
{
    __shared__ int shared[256];
    int i = threadIdx.x;
    shared[i] = i;
    __syncthreads();
    array[i] = shared[(i + 33) % 256];
}

Test(barrier, makes_the_block_wait)
{
    for (int seed = 0; seed < 20; seed++) {
        int *array = device_array<int>(256);
        sim_set_seed(seed);
        rotate<<<1, 256>>>(array);
        for (int i = 0; i < 256; i++)
            cr_assert_eq(element(array, i), (i + 33) % 256, "seed %d", seed);
    }
}

__global__ static void count_odd(int *array)
{
    array[threadIdx.x] = __syncthreads_count(threadIdx.x % 2) + 1000 * __syncthreads_and(1) +
                         10000 * __syncthreads_or(threadIdx.x == 70);
}

Test(barrier, counts_predicates_over_the_block)
{
    int *array = device_array<int>(96);
    count_odd<<<1, 96>>>(array);
    cr_expect_eq(element(array, 0), 48 + 1000 + 10000);
    cr_expect_eq(element(array, 95), 48 + 1000 + 10000);
}

__global__ static void barrier_in_a_branch(int *array)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    array[threadIdx.x] = 1;
}

Test(barrier, reports_threads_at_different_barriers)
{
    struct capture capture;
    int *array = device_array<int>(64);
    capture_start(&capture);
    barrier_in_a_branch<<<1, 64>>>(array);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "Barrier error detected. Divergent thread(s) in block");
    EXPECT_PRINTED(text, "schedule.cu:");
    cr_expect_eq(sim_error_count(), 1);
}

__global__ static void return_before_barrier(int *array)
{
    if (threadIdx.x == 5)
        return;
    __syncthreads();
    array[threadIdx.x] = 1;
}

Test(barrier, reports_threads_that_returned_before_it)
{
    struct capture capture;
    int *array = device_array<int>(64);
    capture_start(&capture);
    return_before_barrier<<<1, 64>>>(array);
    EXPECT_PRINTED(capture_end(&capture), "Divergent thread(s) in block");
}

/* --- Kernels that never end --- */

__global__ static void take_lock_and_keep_it(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
}

Test(hang, a_lock_that_nobody_frees_ends_with_a_message)
{
    struct capture capture;
    int *lock = device_array<int>(1);
    capture_start(&capture);
    take_lock_and_keep_it<<<2, 64>>>(lock);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text,
                   "Deadlock: 127 threads wait for lock[0], and the thread that holds it has");
    EXPECT_PRINTED(text, "schedule.cu:");
    cr_expect_eq(cudaGetLastError(), cudaErrorLaunchTimeout);
}

__global__ static void compute_for_ever(int *array)
{
    unsigned int x = threadIdx.x;
    while (x != 0xffffffff)
        x = x * 1664525 & 0x7fffffff;
    array[0] = (int)x;
}

Test(hang, a_loop_without_memory_accesses_ends_with_a_message)
{
    struct capture capture;
    setenv("SIM_PATIENCE", "1", 1);
    int *array = device_array<int>(1);
    capture_start(&capture);
    compute_for_ever<<<1, 32>>>(array);
    EXPECT_PRINTED(capture_end(&capture), "Endless kernel");
}

Test(hang, the_budget_ends_a_loop_with_memory_accesses)
{
    struct capture capture;
    unsigned int *counter = device_array<unsigned int>(1);
    sim_set_budget(100000);
    capture_start(&capture);
    increment<<<1, 32>>>(counter, 1 << 30);
    EXPECT_PRINTED(capture_end(&capture), "SIM_BUDGET");
}

__global__ static void wait_for_a_lane_that_left(int *array)
{
    if (threadIdx.x < 16)
        array[threadIdx.x] = (int)__ballot_sync(0xffffffffu, 1);
    else
        __syncthreads();
}

Test(hang, a_deadlock_names_where_threads_stand)
{
    struct capture capture;
    int *array = device_array<int>(32);
    sim_set_checks("none"); /* synccheck would say more */
    capture_start(&capture);
    wait_for_a_lane_that_left<<<1, 32>>>(array);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "Deadlock");
    EXPECT_PRINTED(text, "a warp intrinsic");
    EXPECT_PRINTED(text, "__syncthreads");
}

__global__ static void store_for_ever(int *array)
{
    for (int i = 0; threadIdx.x == 0; i++)
        array[i % 32] = i;
}

Test(hang, of_one_thread_that_stores_is_ended_in_20_seconds)
{
    struct capture capture;
    int *array = device_array<int>(32);
    const clock_t begun = clock();
    sim_set_checks("none"); /* as many steps, in less time */
    capture_start(&capture);
    store_for_ever<<<1, 32>>>(array);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "Endless kernel");
    EXPECT_PRINTED(text, "few threads of a warp at a time");
    cr_expect_lt((clock() - begun) / CLOCKS_PER_SEC, 20);
}

/* --- What the simulator itself needs --- */

__global__ static void touch(int *array)
{
    array[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    array[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

Test(memory, of_64k_threads_stays_under_200_megabytes)
{
    int *array = device_array<int>(65536);
    touch<<<256, 256>>>(array);
    cr_expect_eq(element(array, 65535), 2);
    cr_expect_lt(sim_peak_bytes(), (size_t)200 << 20);
}
