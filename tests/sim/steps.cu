/* steps.cu - what observers of steps are told: the values that each lane read and left. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

enum { MOST = 4096 };

/* All that was told: an event belongs to the first step that follows it. */
struct heard {
    struct sim_step steps[MOST];
    struct sim_event events[MOST];
    size_t step_count, event_count;
    size_t event_of[MOST];             /* by step */
    struct sim_array_name names[MOST]; /* by event, of its first lane */
    struct sim_race race;
    char element[64];
    unsigned int races;
};
static struct heard heard;

static void keep_event(const struct sim_event *event, void *context)
{
    struct heard *t = (struct heard *)context;
    if (t->event_count == MOST)
        return;
    sim_name_array(event, (unsigned int)__builtin_ctz(event->active), &t->names[t->event_count]);
    t->events[t->event_count++] = *event;
}

static void keep_step(const struct sim_step *step, void *context)
{
    struct heard *t = (struct heard *)context;
    if (t->step_count == MOST)
        return;
    t->event_of[t->step_count] = t->event_count - 1;
    t->steps[t->step_count] = *step;
    if (step->refused)
        keep_event(step->refused, t);
    t->event_of[t->step_count++] = t->event_count - 1;
}

/* A lane may be running, whose accesses these are not. */
__attribute__((no_sanitize_thread)) static void keep_race(const struct sim_race *race,
                                                          void *context)
{
    struct heard *t = (struct heard *)context;
    t->race.address = race->address;
    t->race.block = race->block;
    snprintf(t->element, sizeof t->element, "%s", race->element);
    t->races++;
}

static void observe(void)
{
    memset(&heard, 0, sizeof heard);
    sim_observe(keep_event, &heard);
    sim_observe_steps(keep_step, &heard);
    sim_observe_races(keep_race, &heard);
}

static void stop(void)
{
    sim_observe(NULL, NULL);
    sim_observe_steps(NULL, NULL);
    sim_observe_races(NULL, NULL);
}

static unsigned int *ints(size_t count)
{
    unsigned int *array;
    cr_assert_eq(cudaMalloc(&array, count * sizeof *array), cudaSuccess);
    cudaMemset(array, 0, count * sizeof *array);
    return array;
}

/* The n-th step of this kind, of an access of this kind; NULL when there is none. */
static const struct sim_step *step_of(enum sim_step_kind kind, int access, size_t n)
{
    for (size_t i = 0; i < heard.step_count; i++) {
        bool fits =
            heard.steps[i].kind == kind &&
            (access < 0 || heard.events[heard.event_of[i]].access == (enum sim_access)access);
        if (fits && n-- == 0)
            return &heard.steps[i];
    }
    return NULL;
}

__global__ static void copy_squares(const unsigned int *from, unsigned int *to)
{
    to[threadIdx.x] = from[threadIdx.x] * from[threadIdx.x];
}

Test(steps, tell_what_each_lane_read_and_wrote)
{
    unsigned int host[32], *from = ints(32), *to = ints(32);
    for (unsigned int i = 0; i < 32; i++)
        host[i] = 3 + i;
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    observe();
    copy_squares<<<1, 32>>>(from, to);
    stop();
    const struct sim_step *load = step_of(SIM_STEP_ACCESS, SIM_LOAD, 0);
    const struct sim_step *store = step_of(SIM_STEP_ACCESS, SIM_STORE, 0);
    cr_assert(load && store);
    for (unsigned int i = 0; i < 32; i++) {
        cr_expect_eq(load->before[i][0], 3 + i);
        cr_expect_eq(store->before[i][0], 0);
        cr_expect_eq(store->after[i][0], (3 + i) * (3 + i));
    }
    cr_expect_str_eq(heard.names[0].name, "from");
    const struct sim_array_name *last = &heard.names[heard.event_count - 1];
    cr_expect_str_eq(last->name, "to");
    cr_expect(last->element == 4 && last->base == (uintptr_t)to);
    cr_expect_eq(step_of(SIM_STEP_END, -1, 0)->active, UINT32_MAX);
    cr_expect_eq(heard.steps[0].kind, SIM_STEP_LAUNCH);
    cr_expect_str_eq(heard.steps[0].name, "copy_squares");
    cr_expect_eq(heard.steps[heard.step_count - 1].kind, SIM_STEP_LAUNCH_ENDS);
}

struct three {
    unsigned int x, y, z;
};
struct __attribute__((packed)) pair {
    unsigned char kind;
    unsigned int value;
};

template <typename T> __global__ static void copy_next(const T *from, T *to)
{
    to[threadIdx.x] = from[threadIdx.x + 1];
}

/* Each part of the copy of a structure is loaded, and then stored: what is left is what was loaded. */
template <typename T> static void expect_copied(void)
{
    unsigned char host[33 * sizeof(T)];
    T *from, *to;
    cr_assert(cudaMalloc(&from, sizeof host) == cudaSuccess &&
              cudaMalloc(&to, sizeof host) == cudaSuccess);
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)(7 * i + 1);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, sizeof host);
    observe();
    copy_next<<<1, 32>>>(from, to);
    stop();
    size_t loaded = 0, stored = 0; // bytes of lane 3
    for (size_t i = 0; i < heard.step_count; i++) {
        if (heard.steps[i].kind != SIM_STEP_ACCESS)
            continue;
        const struct sim_event *event = &heard.events[heard.event_of[i]];
        const bool stores = event->access == SIM_STORE;
        size_t *at = stores ? &stored : &loaded;
        const unsigned char *wanted = host + (3 + 1) * sizeof(T) + *at;
        cr_expect_eq(memcmp((stores ? heard.steps[i].after : heard.steps[i].before)[3], wanted,
                            event->bytes),
                     0, "%zu bytes, byte %zu: %s", sizeof(T), *at, stores ? "stored" : "loaded");
        *at += event->bytes;
        cr_expect(stored <= loaded, "%zu bytes: byte %zu is stored before it is loaded", sizeof(T),
                  stored);
    }
    cr_expect_eq(stored, sizeof(T));
    cudaFree(from);
    cudaFree(to);
}

/* gcc calls for the store of a structure before it calls for the load of what is stored. */
Test(steps, load_a_structure_before_they_store_it)
{
    expect_copied<uchar4>();
    expect_copied<float4>();
    expect_copied<uint2>();
    expect_copied<three>();
    expect_copied<pair>();
    expect_copied<ulonglong4>();
}

__global__ static void all_write(unsigned int *word)
{
    *word = 100 + threadIdx.x;
}

/* Where lanes store to one place, each is told what it left there, and not what the last did. */
Test(steps, tell_the_stores_of_one_element_apart)
{
    unsigned int *word = ints(1);
    struct capture report;
    capture_start(&report); /* a race it is */
    observe();
    all_write<<<1, 64>>>(word);
    stop();
    const char *expected = capture_end(&report);
    EXPECT_PRINTED(expected, "Race reported");
    sim_reset_errors();
    const struct sim_step *store = step_of(SIM_STEP_ACCESS, SIM_STORE, 0);
    cr_assert(store);
    const unsigned int first = 100 + 32 * store->warp;
    for (unsigned int i = 0; i < 32; i++) {
        cr_expect_eq(store->after[i][0], first + i);
        cr_expect_eq(store->before[i][0], i == 0 ? 0 : first + i - 1, "lane %u", i);
    }
    cr_expect_eq(heard.races, 1);
    cr_expect_str_eq(heard.element, "word[0]");
    cr_expect(heard.race.address == (uintptr_t)word && heard.race.block == 0);
}

__global__ static void take(unsigned int *next, unsigned int *mine)
{
    mine[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 2);
    atomicMax(next, threadIdx.x);
}

/* Of an atomic, lane after lane in the order in which they took their turns. */
Test(steps, tell_what_an_atomic_found_and_left)
{
    unsigned int *next = ints(1), *mine = ints(32), got[32];
    observe();
    take<<<1, 32>>>(next, mine);
    stop();
    cudaMemcpy(got, mine, sizeof got, cudaMemcpyDeviceToHost);
    const struct sim_step *add = step_of(SIM_STEP_ACCESS, SIM_ATOM, 0);
    const struct sim_step *max = step_of(SIM_STEP_ACCESS, SIM_ATOM, 1);
    cr_assert(add && max);
    for (unsigned int i = 0; i < 32; i++) {
        cr_expect_eq(add->before[i][0], got[i]);
        cr_expect_eq(add->after[i][0], got[i] + 2);
        cr_expect(max->before[i][0] == 64 && max->after[i][0] == 64);
    }
    const struct sim_step *site = step_of(SIM_STEP_SITE, -1, 0);
    const struct sim_step *other = step_of(SIM_STEP_SITE, -1, 1);
    cr_assert(site && other);
    cr_expect_eq((site->pc == add->pc ? site : other)->active, 1);
    cr_expect_eq((site->pc == max->pc ? site : other)->active, 0);
}

__global__ static void fenced(unsigned int *next, unsigned int *mine)
{
    __threadfence();
    mine[threadIdx.x] = atomicAdd(next, 1);
}

/* With fences the lanes themselves carry their atomics out. */
Test(steps, tell_the_same_of_atomics_behind_a_fence)
{
    unsigned int *next = ints(1), *mine = ints(32), got[32];
    observe();
    fenced<<<1, 32>>>(next, mine);
    stop();
    cudaMemcpy(got, mine, sizeof got, cudaMemcpyDeviceToHost);
    const struct sim_step *add = step_of(SIM_STEP_ACCESS, SIM_ATOM, 0);
    cr_assert(add);
    for (unsigned int i = 0; i < 32; i++)
        cr_expect(add->before[i][0] == got[i] && add->after[i][0] == got[i] + 1, "lane %u", i);
}

__global__ static void meet(unsigned int *out)
{
    __shared__ unsigned int sum[2];
    if (threadIdx.x < 2)
        sum[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned int votes = __ballot_sync(0xffffffff, threadIdx.x % 32 < 3);
    out[threadIdx.x] = votes + sum[0] + __shfl_down_sync(0xffffffff, threadIdx.x, 1);
}

Test(steps, tell_barriers_and_what_lanes_give_each_other)
{
    unsigned int *out = ints(64);
    observe();
    meet<<<1, 64>>>(out);
    stop();
    const struct sim_step *barrier = step_of(SIM_STEP_BARRIER, -1, 0);
    const struct sim_step *second = step_of(SIM_STEP_BARRIER, -1, 1);
    cr_assert(barrier && second && !step_of(SIM_STEP_BARRIER, -1, 2));
    cr_expect(barrier->active == UINT32_MAX && barrier->warp == 0 && second->warp == 1);
    const struct sim_step *vote = step_of(SIM_STEP_INTRINSIC, -1, 0);
    cr_assert(vote);
    cr_expect_str_eq(vote->name, "__ballot_sync");
    cr_expect(vote->before[2][0] == 1 && vote->before[3][0] == 0 && vote->after[5][0] == 7);
    const struct sim_step *shuffle = step_of(SIM_STEP_INTRINSIC, -1, 1);
    for (size_t n = 1; shuffle && strcmp(shuffle->name, "__shfl_down_sync") != 0;)
        shuffle = step_of(SIM_STEP_INTRINSIC, -1, ++n);
    cr_assert(shuffle);
    cr_expect_eq(shuffle->before[4][0] + 1, shuffle->after[4][0]);
    cr_expect_eq(heard.events[0].space, SIM_SHARED);
    cr_expect_str_eq(heard.names[0].name, "sum");
    cr_expect(heard.names[0].bytes == 8 && heard.names[0].element == 4);
}

__global__ static void reach_out(unsigned int *array)
{
    array[threadIdx.x + 3] = 1;
}

Test(steps, tell_of_an_access_that_is_refused)
{
    unsigned int *array = ints(4);
    struct capture report;
    capture_start(&report);
    observe();
    reach_out<<<1, 2>>>(array);
    cudaDeviceSynchronize();
    stop();
    capture_end(&report);
    sim_reset_errors();
    const struct sim_step *refused = step_of(SIM_STEP_REFUSED, -1, 0);
    cr_assert(refused);
    const struct sim_event *event = &heard.events[heard.event_count - 1];
    cr_expect(refused->active == 2 && event->address[1] == (uintptr_t)(array + 4));
    cr_expect(event->access == SIM_STORE && event->cost == 0);
    cr_expect_str_eq(heard.names[heard.event_count - 1].name, "array");
    cr_expect_eq(heard.names[heard.event_count - 1].base, (uintptr_t)array);
}

/* Whoever looks changes nothing: not the schedule, nor what is counted. */
Test(steps, are_the_same_whether_or_not_somebody_observes)
{
    unsigned int *next = ints(1), *mine = ints(512), *others = ints(512);
    static unsigned int one[512], other[512];
    sim_reset_counters();
    take<<<4, 128>>>(next, mine);
    const struct sim_counters plain = sim_counters();
    cudaMemset(next, 0, sizeof *next);
    sim_reset_counters();
    observe();
    take<<<4, 128>>>(next, others);
    stop();
    const struct sim_counters observed = sim_counters();
    cudaMemcpy(one, mine, sizeof one, cudaMemcpyDeviceToHost);
    cudaMemcpy(other, others, sizeof other, cudaMemcpyDeviceToHost);
    cr_expect_arr_eq(one, other, sizeof one);
    cr_expect_arr_eq(&plain, &observed, sizeof plain);
}

__global__ static void swap_in_shared(unsigned int *out)
{
    __shared__ unsigned int word[33];
    word[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&word[threadIdx.x % 4], threadIdx.x);
    atomicCAS(&word[threadIdx.x], 0, 1);
    out[threadIdx.x] = atomicExch(&word[threadIdx.x], 2);
}

/* The costs of the events add up to what is counted. */
Test(steps, cost_what_the_counters_say)
{
    unsigned int *out = ints(32);
    uint64_t atomics = 0, least = 0;
    sim_reset_counters();
    observe();
    swap_in_shared<<<1, 32>>>(out);
    stop();
    for (size_t i = 0; i < heard.step_count; i++) {
        if (heard.steps[i].kind != SIM_STEP_ACCESS)
            continue; // it may come before any event
        const struct sim_event *event = &heard.events[heard.event_of[i]];
        bool returns = false;
        if (event->access != SIM_ATOM)
            continue;
        for (size_t j = 0; j < heard.step_count; j++)
            returns |= heard.steps[j].kind == SIM_STEP_SITE && heard.steps[j].pc == event->pc &&
                       heard.steps[j].active;
        atomics += returns ? event->used : event->unused;
        least += event->least;
    }
    cr_expect_eq(atomics, sim_counters().shared[SIM_ATOM].wavefronts);
    cr_expect_eq(least, sim_counters().shared[SIM_ATOM].least);
}
