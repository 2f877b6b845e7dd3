/* counting.cu - the schedule for counting: a clock for each warp. Each test says which wrong schedule
 * it catches. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

static void by_clock(void)
{
    sim_set_checks("none");
    sim_schedule_by_clock(1);
}

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

__device__ static void add_by_swapping(unsigned int *word)
{
    unsigned int held = *(volatile unsigned int *)word, expected;
    do {
        expected = held;
        held = atomicCAS(word, expected, expected + 1);
    } while (held != expected);
}

__global__ static void count_in_global(unsigned int *bins)
{
    add_by_swapping(&bins[threadIdx.x % 32]);
}

__global__ static void count_in_shared(unsigned int *bins)
{
    __shared__ unsigned int own[32];
    if (threadIdx.x < 32)
        own[threadIdx.x] = 0;
    __syncthreads();
    add_by_swapping(&own[(threadIdx.x * 7 + threadIdx.x / 32) % 32]);
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

/* All warps of a block want one word, with one lane each. */
__global__ static void count_by_first_lanes(unsigned int *sum)
{
    __shared__ unsigned int own;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        add_by_swapping(&own);
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = own;
}

static unsigned long long attempts(void (*kernel)(unsigned int *), int blocks, int threads)
{
    unsigned int *bins = device_array<unsigned int>(32);
    sim_reset_counters();
    kernel<<<blocks, threads>>>(bins);
    unsigned int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += element(bins, i);
    cr_expect_eq(sum, (unsigned int)(blocks * threads));
    const struct sim_counters counters = sim_counters();
    return kernel == count_in_shared ? counters.shared[SIM_ATOM].requests
                                     : counters.global[SIM_ATOM].requests;
}

TestSuite(counting, .init = by_clock);

/* A schedule that depends on the host: on its clock, on where its memory lies. */
Test(counting, is_the_same_for_the_same_seed)
{
    const unsigned long long first = attempts(count_in_global, 200, 64);
    cr_expect_eq(attempts(count_in_global, 200, 64), first);
}

Test(counting, is_another_for_another_seed)
{
    const unsigned long long first = attempts(count_in_global, 200, 64);
    sim_set_seed(77);
    cr_expect_neq(attempts(count_in_global, 200, 64), first);
}

/* A schedule in which nothing passes between a warp's load and its swap. */
Test(counting, finds_more_attempts_than_the_drawn_schedule)
{
    const unsigned long long timed = attempts(count_in_global, 256, 32);
    sim_schedule_by_clock(0);
    cr_expect_gt(timed, 5 * attempts(count_in_global, 256, 32));
}

/* On the card each of 256 warps with 31 bins tried 90 times (chapter 21, docs/results/h200/cells.csv). A
 * queue that is served in order gives 200 and more, a drawn order some 20. */
Test(counting, tries_as_often_as_the_card_in_global_memory)
{
    const unsigned long long timed = attempts(count_in_global, 256, 32);
    cr_expect_gt(timed, 256 * 70);
    cr_expect_lt(timed, 256 * 125);
}

/* Two lanes want each word, and one of them passes. */
__global__ static void fetch_and_swap(const unsigned int *fetched, int rounds, unsigned int *words)
{
    __shared__ unsigned int own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < rounds; i++)
        if (fetched[i * 32 + threadIdx.x] == 0)
            add_by_swapping(&own[threadIdx.x / 2]);
    __syncthreads();
    if (threadIdx.x < 16)
        words[threadIdx.x] = own[threadIdx.x];
}

static unsigned long long requests_to_fetch(int rounds)
{
    const unsigned int *fetched = device_array<unsigned int>((size_t)rounds * 32);
    unsigned int *words = device_array<unsigned int>(16);
    sim_reset_counters();
    fetch_and_swap<<<1, 32>>>(fetched, rounds, words);
    for (int i = 0; i < 16; i++)
        cr_expect_eq(element(words, i), 2u * (unsigned int)rounds);
    return sim_counters().global[SIM_LOAD].requests;
}

/* Who has passed waits behind the loop for those that have not: as many requests as rounds, and half of
 * those of the card. By the drawn schedule it is so. */
Test(counting, lets_who_has_swapped_fetch_what_comes_next)
{
    cr_expect_gt(requests_to_fetch(20), 30);
    sim_schedule_by_clock(0);
    cr_expect_eq(requests_to_fetch(20), 20);
}

/* Lane l wants word l % 16 first, then word l / 2: who has passed the first swap is at the second while
 * the other lane of its word is still at the first. */
__device__ static unsigned int word_wanted(int k)
{
    return k % 2 == 0 ? threadIdx.x % 16 : threadIdx.x / 2;
}

enum { SWAPS = 8 };

/* Of its loop nvcc makes a copy of the body for each round. */
__device__ static void swap_in_copies(unsigned int *own)
{
#pragma unroll
    for (int k = 0; k < SWAPS; k++)
        add_by_swapping(&own[word_wanted(k)]);
}

__device__ static void swap_in_one_loop(unsigned int *own)
{
    for (int k = 0; k < SWAPS; k++)
        add_by_swapping(&own[word_wanted(k)]);
}

__global__ static void swap_eight_times(unsigned int *words, bool in_copies)
{
    __shared__ unsigned int own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    if (in_copies)
        swap_in_copies(own);
    else
        swap_in_one_loop(own);
    __syncthreads();
    if (threadIdx.x < 16)
        words[threadIdx.x] = own[threadIdx.x];
}

static unsigned long long requests_to_swap(bool in_copies)
{
    unsigned int *words = device_array<unsigned int>(16);
    sim_reset_counters();
    swap_eight_times<<<1, 32>>>(words, in_copies);
    for (int i = 0; i < 16; i++)
        cr_expect_eq(element(words, i), 16u);
    return sim_counters().shared[SIM_ATOM].requests;
}

/* All rounds as one instruction, where nvcc has a copy of the swap for each (chapter 23). */
Test(counting, lets_lanes_in_copies_of_an_unrolled_loop_swap_apart)
{
    const unsigned long long together = requests_to_swap(false);
    cr_expect_gt(requests_to_swap(true), together);
    sim_schedule_by_clock(0);
    cr_expect_eq(requests_to_swap(true), requests_to_swap(false));
}

/* Chapter 23's loop, as the card has traced it (tests/fidelity/yields.cu). */
enum { TRACED_WARPS = 8, TRACED_ELEMENTS = 256, TRACED_BINS = 31 };

__global__ static void add_as_traced(const unsigned int *elements)
{
    __shared__ unsigned int bins[TRACED_BINS];
    if (threadIdx.x < TRACED_BINS)
        bins[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (unsigned int i = 0; i < TRACED_ELEMENTS; i += 32) {
        const unsigned int bin = elements[blockIdx.x * TRACED_ELEMENTS + i + threadIdx.x] % 32;
        if (bin < TRACED_BINS)
            add_by_swapping(&bins[bin]);
    }
}

static void draw_as_traced(unsigned int *elements)
{
    unsigned int state = 1;
    for (int i = 0; i < TRACED_WARPS * TRACED_ELEMENTS; i++) {
        state = state * 1664525u + 1013904223u;
        const unsigned int bin = state >> 8 & 63;
        elements[i] = (state >> 16) * 32 + (bin == 63 ? TRACED_BINS : bin % TRACED_BINS);
    }
}

/* How many lines docs/results/h200/yields.csv has of swaps in that loop. */
static unsigned int swaps_traced(void)
{
    unsigned int swaps = 0;
    char line[100];
    FILE *file = fopen("docs/results/h200/yields.csv", "r");
    cr_assert_neq(file, NULL);
    while (fgets(line, sizeof line, file))
        swaps += strncmp(line, "unrolled,", 9) == 0 && strstr(line, ",swap,");
    fclose(file);
    return swaps;
}

/* All lanes wait until the last one of them has passed a copy: a third less. Those that have failed wait until all
 * others are through: too few of them swap together. */
Test(counting, lets_parts_of_a_warp_take_turns_at_copies_of_a_swap_as_the_card)
{
    static unsigned int drawn[TRACED_WARPS * TRACED_ELEMENTS];
    draw_as_traced(drawn);
    unsigned int *elements = device_array<unsigned int>(TRACED_WARPS * TRACED_ELEMENTS);
    cr_assert_eq(cudaMemcpy(elements, drawn, sizeof drawn, cudaMemcpyHostToDevice), cudaSuccess);
    sim_reset_counters();
    add_as_traced<<<TRACED_WARPS, 32>>>(elements);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    const double swaps = (double)sim_counters().shared[SIM_ATOM].requests, card = swaps_traced();
    cr_expect_gt(swaps, 0.85 * card, "%.0f swaps, and %.0f on the card", swaps, card);
    cr_expect_lt(swaps, 1.15 * card, "%.0f swaps, and %.0f on the card", swaps, card);
}

/* In each round one of them passes, and the others learn what the word holds. Who is passed over as if it
 * spun learns nothing, and tries some hundred times more. */
Test(counting, lets_who_has_failed_know_what_the_word_holds)
{
    unsigned int *word = device_array<unsigned int>(1);
    sim_reset_counters();
    count_by_first_lanes<<<1, 1024>>>(word);
    cr_expect_eq(element(word, 0), 32u);
    cr_expect_leq(sim_counters().shared[SIM_ATOM].requests, 32 * 33 / 2);
}

/* A sum of floats at one address waits for the one before; at many addresses it does not
 * (docs/results/h200/latencies.csv). */
template <typename T> __global__ static void add_at(T *sums, unsigned int places)
{
    atomicAdd(&sums[(threadIdx.x + blockIdx.x * blockDim.x) % places], (T)1);
}

template <typename T> static double picoseconds_to_add(unsigned int places)
{
    T *sums = device_array<T>(places);
    sim_reset_counters();
    add_at<<<264, 256>>>(sums, places);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    return (double)sim_counters().picoseconds;
}

Test(counting, lets_floats_at_one_address_wait_for_each_other)
{
    cr_expect_gt(picoseconds_to_add<float>(1), 2.2 * picoseconds_to_add<int>(1));
    cr_expect_lt(picoseconds_to_add<float>(4096), 1.1 * picoseconds_to_add<int>(4096));
}

/* A launch that takes no time, or as long however many warps want its words. */
Test(counting, says_how_long_launches_take)
{
    const unsigned long long few = (attempts(count_in_global, 2, 32), sim_counters().picoseconds);
    cr_expect_gt(few, 300 * 1000);
    const unsigned long long many =
        (attempts(count_in_global, 256, 32), sim_counters().picoseconds);
    cr_expect_gt(many, 5 * few);
    sim_schedule_by_clock(0);
    cr_expect_eq((attempts(count_in_global, 2, 32), sim_counters().picoseconds), 0);
}

/* One schedule for all of a block's warps would give 32, for each warp one. */
Test(counting, lets_warps_of_a_block_come_between)
{
    const unsigned long long timed = attempts(count_in_shared, 1, 1024);
    cr_expect_gt(timed, 64);
}

__global__ static void see_who_is_there(unsigned int *there, unsigned int *most)
{
    if (threadIdx.x == 0) {
        atomicMax(most, atomicAdd(there, 1) + 1);
        for (int i = 0; i < 100; i++)
            atomicAdd(&most[1], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicSub(there, 1);
}

/* A few resident blocks; or more than the card holds. */
Test(counting, has_as_many_blocks_resident_as_the_card)
{
    unsigned int *words = device_array<unsigned int>(3);
    see_who_is_there<<<300, 1024>>>(&words[0], &words[1]);
    cr_expect_eq(element(words, 1), 264);
}

enum work { NOTHING, LOAD_GLOBAL, LOAD_SHARED, FENCE };

/* Each block does some work, and then draws a ticket: who draws the lower one was faster. */
__global__ static void race(enum work first, int times, enum work second, int other_times,
                            volatile unsigned int *memory, unsigned int *next, unsigned int *ticket)
{
    __shared__ unsigned int words[32 * 32];
    volatile unsigned int *shared = words;
    const enum work work = blockIdx.x == 0 ? first : second;
    const int rounds = blockIdx.x == 0 ? times : other_times;
    for (int i = 0; i < 32; i++)
        words[threadIdx.x + 32 * i] = 0;
    for (int i = 0; i < rounds; i++) {
        if (work == LOAD_GLOBAL)
            memory[threadIdx.x];
        else if (work == LOAD_SHARED)
            shared[threadIdx.x];
        if (work == FENCE)
            __threadfence();
        if (work == FENCE)
            shared[threadIdx.x];
    }
    if (threadIdx.x == 0)
        ticket[blockIdx.x] = atomicAdd(next, 1);
}

static bool first_is_faster(enum work first, int times, enum work second, int other_times)
{
    unsigned int *memory = device_array<unsigned int>(32), *next = device_array<unsigned int>(1);
    unsigned int *ticket = device_array<unsigned int>(2);
    race<<<2, 32>>>(first, times, second, other_times, memory, next, ticket);
    return element(ticket, 0) < element(ticket, 1);
}

/* A schedule in which each access takes one step. */
Test(counting, lets_a_load_from_global_memory_take_longer_than_several_from_shared)
{
    cr_expect(!first_is_faster(LOAD_GLOBAL, 20, LOAD_SHARED, 60));
    cr_expect(first_is_faster(LOAD_GLOBAL, 20, LOAD_SHARED, 300));
}

Test(counting, lets_a_fence_take_time)
{
    cr_expect(!first_is_faster(FENCE, 20, LOAD_SHARED, 60));
    cr_expect(first_is_faster(FENCE, 20, LOAD_SHARED, 300));
}

enum { ADDS = 40, WARPS_THAT_ADD = 8 };

__global__ static void add_to_banks(unsigned int separate, unsigned int *sum)
{
    __shared__ unsigned int words[32 * 32];
    for (int i = 0; i < 32 && threadIdx.x < 32; i++)
        words[threadIdx.x + 32 * i] = 0;
    __syncthreads();
    for (unsigned int i = 0; i < ADDS; i++)
        atomicAdd(&words[threadIdx.x % 32 * separate], i + 2);
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = words[0];
}

static double nanoseconds_to_add(unsigned int separate)
{
    unsigned int *sum = device_array<unsigned int>(1);
    sim_reset_counters();
    add_to_banks<<<1, 32 * WARPS_THAT_ADD>>>(separate, sum);
    cr_expect_eq(element(sum, 0), WARPS_THAT_ADD * (ADDS * (ADDS + 3) / 2));
    return (double)sim_counters().picoseconds / 1000;
}

/* Lanes that want one bank wait for each other: 16.2 ns for a warp of them, when many come ("shared add by lanes at an
 * address" in docs/results/h200/micro.csv). One takes twice as long for each lane when nobody else does anything. */
Test(counting, lets_lanes_of_one_bank_wait)
{
    const double more = nanoseconds_to_add(32) - nanoseconds_to_add(1);
    const double one_bank = ADDS * WARPS_THAT_ADD * 16.186;
    cr_expect_gt(more, 0.6 * one_bank, "%.0f ns", more);
    cr_expect_lt(more, 1.05 * one_bank, "%.0f ns", more);
}

__global__ static void add_under_lock(int *lock, volatile unsigned int *sum, unsigned int *gave_up)
{
    bool done = false;
    int tries = 0;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum = *sum + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        } else if (++tries == 100000) {
            atomicAdd(gave_up, 1);
            return;
        }
    }
}

/* A holder that never gets a turn. */
Test(counting, ends_a_lock_that_many_want)
{
    int *lock = device_array<int>(1);
    unsigned int *sum = device_array<unsigned int>(2);
    add_under_lock<<<40, 64>>>(lock, sum, &sum[1]);
    cr_expect_eq(element(sum, 0), 40 * 64);
    cr_expect_eq(element(sum, 1), 0);
}

__global__ static void try_some_times(int *lock, unsigned int *gave_up)
{
    int tries = 0;
    while (atomicCAS(lock, 0, 1) != 0)
        if (++tries == 1000) {
            atomicAdd(gave_up, 1);
            return;
        }
}

/* Spinning that is only counted, and never done: who counts tries would never give up. */
Test(counting, lets_those_who_count_their_tries_give_up)
{
    int *lock = device_array<int>(1);
    unsigned int *gave_up = device_array<unsigned int>(1);
    try_some_times<<<4, 64>>>(lock, gave_up);
    cr_expect_eq(element(gave_up, 0), 4 * 64 - 1);
}

/* Whose access was told last, of those that no step has followed yet. */
struct untold {
    bool any;
    unsigned int block, warp;
    unsigned long long wrong;
};

static void keep_access(const struct sim_event *event, void *context)
{
    struct untold *untold = (struct untold *)context;
    untold->wrong += untold->any && (untold->block != event->block || untold->warp != event->warp);
    untold->any = true;
    untold->block = event->block;
    untold->warp = event->warp;
}

static void expect_its_step(const struct sim_step *step, void *context)
{
    struct untold *untold = (struct untold *)context;
    if (step->kind != SIM_STEP_ACCESS)
        return;
    untold->wrong += !untold->any || untold->block != step->block || untold->warp != step->warp;
    untold->any = false;
}

/* Tries that are only counted, whose values an observer would take for those of the next warp: it would
 * miss that a lock was freed. */
Test(counting, tells_of_each_try_what_became_of_it)
{
    int *lock = device_array<int>(1);
    unsigned int *sum = device_array<unsigned int>(2);
    struct untold untold = {};
    sim_observe(keep_access, &untold);
    sim_observe_steps(expect_its_step, &untold);
    add_under_lock<<<4, 64>>>(lock, sum, &sum[1]);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    sim_observe(NULL, NULL);
    sim_observe_steps(NULL, NULL);
    cr_expect_eq(untold.wrong, 0);
    cr_expect_eq(element(sum, 0), 4 * 64);
}

__global__ static void leave_a_lock(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
}

Test(counting, tells_a_deadlock)
{
    struct capture capture;
    int *lock = device_array<int>(1);
    capture_start(&capture);
    leave_a_lock<<<4, 64>>>(lock);
    EXPECT_PRINTED(capture_end(&capture), "Deadlock: 255 threads wait for lock[0]");
}

__global__ static void keep_on_the_stack(unsigned int *wrong, unsigned int *arrived)
{
    volatile unsigned int own[100];
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int i = 0; i < 100; i++)
        own[i] = thread * 100 + i;
    atomicAdd(arrived, 1);
    while (*(volatile unsigned int *)arrived < gridDim.x * blockDim.x)
        ;
    for (unsigned int i = 0; i < 100; i++)
        if (own[i] != thread * 100 + i)
            atomicAdd(wrong, 1);
}

/* Warps that share a set of stacks, and find there what another has left. */
Test(counting, keeps_the_stacks_of_all_warps)
{
    unsigned int *words = device_array<unsigned int>(2);
    keep_on_the_stack<<<132, 256>>>(&words[0], &words[1]);
    cr_expect_eq(element(words, 1), 132 * 256);
    cr_expect_eq(element(words, 0), 0);
}

/* Launches of other shapes, one after the other, in the same slots. */
Test(counting, uses_slots_again_for_blocks_of_another_size)
{
    unsigned int *words = device_array<unsigned int>(2);
    const unsigned int shapes[][2] = {{3, 1024}, {40, 32}, {300, 64}, {5, 1000}, {132, 160}};
    for (const unsigned int *shape : shapes) {
        cudaMemset(words, 0, 8);
        keep_on_the_stack<<<shape[0], shape[1]>>>(&words[0], &words[1]);
        cr_expect_eq(element(words, 1), shape[0] * shape[1]);
        cr_expect_eq(element(words, 0), 0);
    }
}
