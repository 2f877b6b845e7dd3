/* measure.c - sorts the accesses of one call of reduce_by_index() by the array they go to. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_abi.h"
#include "stripes.h"
#include "target.h"
#include "traffic.h"

enum { THREADS = 1024, WARP = 32 };

/* What one thread of the launch has done so far. */
struct thread {
    uint64_t loads;                 /* of elements */
    uint64_t atomics, bins_atomics; /* in global memory, since the last */
};

/* An array with the addresses that its atomics touched. */
struct array {
    struct watched *seen;
    struct stripes addresses;
};

struct watch {
    struct measurement *result;
    const struct call *call;
    enum operation operation;
    size_t element, bin;     /* bytes */
    uint64_t row_bins;       /* bins of a histogram */
    unsigned char *elements; /* a copy */
    uint8_t *reads;          /* of each byte of the elements, at most 255 */
    struct array arrays[4];
    struct thread **blocks; /* THREADS for each block of the launch that did anything */
    size_t block_count;
    uint64_t launch;                    /* that the blocks belong to */
    struct stripes readers, committers; /* by launch and block */
    struct stripes commits;             /* by launch, block and histogram of a batch */
    struct stripes histograms;          /* of a batch: blocks that committed to it */
};
enum { OF_ELEMENTS, OF_BINS, OF_OTHERS, OF_SHARED, ARRAYS };

static void *must_have(void *memory)
{
    if (!memory) {
        fprintf(stderr, "no memory to watch the kernel\n");
        exit(1);
    }
    return memory;
}

static void forget_blocks(struct watch *watch)
{
    for (size_t i = 0; i < watch->block_count; i++)
        free(watch->blocks[i]);
    free(watch->blocks);
    watch->blocks = NULL;
    watch->block_count = 0;
}

static struct thread *thread_of(struct watch *watch, const struct sim_event *event, unsigned lane)
{
    if (event->block >= watch->block_count) {
        const size_t count = 2 * (size_t)event->block + 64;
        watch->blocks = must_have(realloc(watch->blocks, count * sizeof *watch->blocks));
        memset(watch->blocks + watch->block_count, 0,
               (count - watch->block_count) * sizeof *watch->blocks);
        watch->block_count = count;
    }
    struct thread **block = &watch->blocks[event->block];
    if (!*block)
        *block = must_have(calloc(THREADS, sizeof **block));
    return &(*block)[event->warp * WARP + lane];
}

static bool is_active(const struct sim_event *event, unsigned lane)
{
    return event->active >> lane & 1;
}

/* Lanes at the address of this one, up to it. */
static unsigned int meet_before(const struct sim_event *event, unsigned lane)
{
    unsigned int meet = 0;
    for (unsigned int other = 0; other <= lane; other++)
        meet += is_active(event, other) && event->address[other] == event->address[lane];
    return meet;
}

static struct sim_traffic *kind_of(struct watched *seen, enum sim_atomic atomic)
{
    switch (atomic) {
    case SIM_EXTREME:
        return &seen->extreme;
    case SIM_BITWISE:
        return &seen->bitwise;
    case SIM_CAS:
        return &seen->cas;
    case SIM_EXCHANGE:
        return &seen->exchange;
    default:
        return &seen->add;
    }
}

static void watch_atomic(struct watch *watch, struct array *array, const struct sim_event *event)
{
    struct watched *seen = array->seen;
    add_traffic(&seen->atomic, event);
    add_traffic(kind_of(seen, event->atomic), event);
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        const unsigned int meet = meet_before(event, lane);
        seen->most_meeting = meet > seen->most_meeting ? meet : seen->most_meeting;
        seen->meeting += meet > 1;
        seen->distinct += meet == 1;
        stripes_count(&array->addresses, event->address[lane] + 1, 1);
        if (event->space == SIM_GLOBAL) {
            struct thread *thread = thread_of(watch, event, lane);
            thread->atomics++;
            thread->bins_atomics += array == &watch->arrays[OF_BINS];
        }
    }
}

static uintptr_t number_of_block(const struct watch *watch, const struct sim_event *event)
{
    return (uintptr_t)(watch->launch << 32) + event->block + 1;
}

/* The keys of the elements that begin in what a lane loads. */
static size_t add_keys(const struct watch *watch, const struct sim_event *event, unsigned lane,
                       uint32_t *keys, size_t count)
{
    const uint64_t from = event->address[lane] - watch->call->elements;
    const uint64_t size = watch->call->length * watch->element;
    for (uint64_t at = (from + watch->element - 1) / watch->element * watch->element;
         at < from + event->bytes && at < size; at += watch->element) {
        const uint32_t key = operation_key(watch->operation, watch->elements + at);
        size_t same = 0;
        while (same < count && keys[same] != key)
            same++;
        keys[count] = key;
        count += same == count && key < watch->row_bins;
    }
    return count;
}

static void note_shape(struct watch *watch, const struct sim_event *event)
{
    struct measurement *result = watch->result;
    const struct sim_index grid = sim_grid_dim(), block = sim_block_dim();
    snprintf(result->reader, sizeof result->reader, "%s", event->kernel);
    result->blocks = (uint64_t)grid.x * grid.y * grid.z;
    result->threads_per_block = (uint64_t)block.x * block.y * block.z;
    result->threads = result->blocks * result->threads_per_block;
}

static void watch_element_load(struct watch *watch, const struct sim_event *event)
{
    enum { MOST_KEYS = WARP * 16 + 1 };
    struct measurement *result = watch->result;
    uint32_t keys[MOST_KEYS];
    size_t count = 0;
    note_shape(watch, event);
    stripes_count(&watch->readers, number_of_block(watch, event), 1);
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        struct thread *thread = thread_of(watch, event, lane);
        uint8_t *reads = watch->reads + (event->address[lane] - watch->call->elements);
        result->bytes_read += event->bytes;
        for (unsigned int i = 0; i < event->bytes; i++)
            reads[i] = (uint8_t)(reads[i] + (reads[i] < UINT8_MAX));
        result->atomics_while_reading += thread->loads > 0 ? thread->atomics : 0;
        result->bins_while_reading += thread->loads > 0 ? thread->bins_atomics : 0;
        thread->loads++;
        thread->atomics = thread->bins_atomics = 0;
        count = add_keys(watch, event, lane, keys, count);
    }
    result->distinct_keys += count;
}

static struct array *array_at(struct watch *watch, const struct sim_event *event, uintptr_t address)
{
    const struct call *call = watch->call;
    if (event->space == SIM_SHARED)
        return &watch->arrays[OF_SHARED];
    if (address - call->elements < call->length * watch->element)
        return &watch->arrays[OF_ELEMENTS];
    if (address - call->bins < call->num_bins * watch->bin)
        return &watch->arrays[OF_BINS];
    return &watch->arrays[OF_OTHERS];
}

/* Which blocks touch the bins, and of a batch the row of each histogram. */
static void watch_commit(struct watch *watch, const struct sim_event *event)
{
    const struct call *call = watch->call;
    const uintptr_t block = number_of_block(watch, event);
    stripes_count(&watch->committers, block, 1);
    if (call->batch == 0)
        return;
    const uint64_t row = call->num_bins / call->batch * watch->bin;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        const uintptr_t histogram = (event->address[lane] - call->bins) / row + 1;
        const size_t before = watch->commits.used;
        stripes_count(&watch->commits, block * 0x9e3779b97f4a7c15u + histogram, 1);
        if (watch->commits.used > before)
            stripes_count(&watch->histograms, histogram, 1);
    }
}

static void observe(const struct sim_event *event, void *context)
{
    struct watch *watch = context;
    if (event->active == 0)
        return;
    updates_note(event, NULL);
    const uint64_t launch = sim_counters().launches;
    if (launch != watch->launch)
        forget_blocks(watch);
    watch->launch = launch;
    const uintptr_t address = event->address[__builtin_ctz(event->active)];
    struct array *array = array_at(watch, event, address);
    if (event->access == SIM_LOAD)
        add_traffic(&array->seen->load, event);
    else if (event->access == SIM_STORE)
        add_traffic(&array->seen->store, event);
    else
        watch_atomic(watch, array, event);
    if (event->access == SIM_LOAD && array == &watch->arrays[OF_ELEMENTS])
        watch_element_load(watch, event);
    if (event->access != SIM_LOAD && array == &watch->arrays[OF_BINS])
        watch_commit(watch, event);
    if (event->access == SIM_STORE && array == &watch->arrays[OF_OTHERS] &&
        sim_host_can_read(address))
        watch->result->host_visible += event->bytes * (uint64_t)__builtin_popcount(event->active);
}

/* Of an element the byte that was read most often counts: its value need not be read where its key
 * has no bin. */
static void sum_up_reads(const struct watch *watch)
{
    struct measurement *result = watch->result;
    result->least_read = watch->call->length > 0 ? UINT8_MAX : 0;
    for (uint64_t i = 0; i < watch->call->length; i++) {
        uint64_t most = 0;
        for (size_t byte = 0; byte < watch->element; byte++)
            most = watch->reads[i * watch->element + byte] > most
                       ? watch->reads[i * watch->element + byte]
                       : most;
        result->least_read = most < result->least_read ? most : result->least_read;
        result->most_read = most > result->most_read ? most : result->most_read;
    }
}

static void sum_up(struct watch *watch)
{
    struct measurement *result = watch->result;
    sum_up_reads(watch);
    for (int i = 0; i < ARRAYS; i++) {
        watch->arrays[i].seen->addresses = watch->arrays[i].addresses.used;
        stripes_free(&watch->arrays[i].addresses);
    }
    result->reading_blocks = watch->readers.used;
    result->committing_blocks = watch->committers.used;
    result->most_committing = stripes_busiest(&watch->histograms);
    stripes_free(&watch->commits);
    stripes_free(&watch->histograms);
    stripes_free(&watch->readers);
    stripes_free(&watch->committers);
    forget_blocks(watch);
    result->counters = sim_counters();
    result->launches = result->counters.launches;
    if (result->launches > 0)
        result->shape = sim_last_launch();
}

static void begin(struct watch *watch)
{
    const size_t bytes = watch->call->length * watch->element;
    struct measurement *result = watch->result;
    *result =
        (struct measurement){.length = watch->call->length, .num_bins = watch->call->num_bins};
    watch->elements = must_have(malloc(bytes + sizeof(uint64_t)));
    watch->reads = must_have(calloc(bytes + sizeof(uint64_t) * 2, 1));
    target_read(watch->elements, (const void *)(uintptr_t)watch->call->elements, bytes);
    watch->arrays[OF_ELEMENTS].seen = &result->elements;
    watch->arrays[OF_BINS].seen = &result->bins;
    watch->arrays[OF_OTHERS].seen = &result->elsewhere;
    watch->arrays[OF_SHARED].seen = &result->shared;
}

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    const enum operation operation = (enum operation)call->operation;
    struct watch watch = {.result = result,
                          .call = call,
                          .operation = operation,
                          .element = operation_element_bytes(operation),
                          .bin = operation_bin_bytes(operation),
                          .row_bins = call->num_bins / (call->batch ? call->batch : 1)};
    begin(&watch);
    sim_reset_counters();
    sim_observe(observe, &watch);
    updates_watch_steps();
    copies_begin(&result->copies, call->elements, call->length * watch.element, call->bins,
                 call->num_bins * watch.bin);
    call_make(call);
    const bool finished = target_finish(error, error_size);
    copies_end();
    result->updates = updates_end();
    sum_up(&watch);
    free(watch.elements);
    free(watch.reads);
    return finished;
}
