/* measure.c - sorts the accesses of one call by the array they go to, and adds up what host code copies. */
#include "measure.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cards.h"
#include "device_abi.h"
#include "must_have.h"
#include "l2_rounds.h"
#include "target.h"

/* Dynamic shared memory begins behind the variables, at a place of its own. */
enum { WARP = 32, WARPS = 1024 / WARP, SHARED_WORDS = 640 * 1024 / 4 };

/* The half of a contract that has none of its own. It is an alias, since clang takes a weak constant for what each
 * other file has of that name, too, and reads none. */
const struct kernel_half no_kernel_half = {.begin = NULL};
extern const struct kernel_half kernel_half __attribute__((weak, alias("no_kernel_half")));

/* What one thread of the launch has done so far. */
struct thread {
    uint64_t loads, bytes;            /* of the input */
    uint64_t atomics, output_atomics; /* in global memory, since the last load */
    uint64_t shared_atomics;
    uint64_t hasty;    /* of these, before the block met at a barrier */
    uint64_t barriers; /* that its warp had passed at the last load */
    uintptr_t first;   /* what it loaded first */
    uint64_t laps;     /* times that it came there */
    uint64_t found;  /* loads of other global memory, each of another place than the one before: */
    uintptr_t place; /* a thread that waits for a word loads it again and again */
};

/* The same of a block. */
struct block {
    bool came[ARRAYS];        /* an atomic or a store */
    bool read;                /* of the input */
    uint64_t barriers[WARPS]; /* that a warp passed */
    uint32_t busy[WARPS];     /* its lanes that loaded the input, or used shared memory */
    unsigned char *words;     /* of shared memory that it touched, a bit each, or NULL */
    uint64_t word_count;
    unsigned int thread_count;
    struct thread threads[]; /* of whole warps */
};

struct watch {
    struct measurement *result;
    const struct call *call;
    uint64_t row_bins;       /* bins of a histogram */
    unsigned char *elements; /* a copy of those that have keys */
    uint8_t *reads;          /* of each byte of the input, at most 255 */
    struct watched *seen[ARRAYS];
    struct l2_rounds addresses[ARRAYS]; /* that atomics touched */
    struct block **blocks;              /* of the launch: those that did anything */
    size_t block_count;
    uint64_t launch;             /* its number */
    struct l2_rounds commits;    /* by launch, block and histogram of a batch */
    struct l2_rounds histograms; /* of a batch: blocks that committed to it */
    unsigned int multiprocessors;
    void *more; /* the contract's observer */
};

static void raise_to(uint64_t *most, uint64_t number)
{
    *most = number > *most ? number : *most;
}

/* A block of the launch that runs. */
static struct block *new_block(void)
{
    const struct sim_index size = sim_block_dim();
    const unsigned int threads = (size.x * size.y * size.z + WARP - 1) / WARP * WARP;
    struct block *block = must_have(calloc(1, sizeof *block + threads * sizeof *block->threads),
                                    "to watch the kernel");
    block->thread_count = threads;
    return block;
}

static struct block *block_of(struct watch *watch, unsigned int number)
{
    watch->blocks = must_have(
        sim_grow(watch->blocks, &watch->block_count, number + (size_t)1, sizeof *watch->blocks),
        "to watch the kernel");
    if (!watch->blocks[number])
        watch->blocks[number] = new_block();
    return watch->blocks[number];
}

static bool is_active(const struct sim_event *event, unsigned int lane)
{
    return event->active >> lane & 1;
}

static uint64_t lanes_in(const struct sim_event *event)
{
    return (uint64_t)__builtin_popcount(event->active);
}

/* Lanes at the address of this one, up to it. */
static unsigned int meet_before(const struct sim_event *event, unsigned int lane)
{
    unsigned int meet = 0;
    for (unsigned int other = 0; other <= lane; other++)
        meet += is_active(event, other) && event->address[other] == event->address[lane];
    return meet;
}

static struct sim_access_counters *kind_of(struct watched *seen, enum sim_atomic atomic)
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

static enum watched_array watched_array_at(const struct call *call, const struct sim_event *event)
{
    const uintptr_t address = event->address[__builtin_ctz(event->active)];
    if (event->space == SIM_SHARED)
        return OF_SHARED;
    if (address - call->elements < call->length * call->unit_bytes)
        return OF_INPUT;
    return address - call->bins < call->num_bins * call->bin_bytes ? OF_OUTPUT : OF_OTHERS;
}

static void watch_atomic(struct watch *watch, struct block *block, enum watched_array array,
                         const struct sim_event *event)
{
    struct watched *seen = watch->seen[array];
    add_accesses(&seen->atomic, event);
    add_accesses(kind_of(seen, event->atomic), event);
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        const unsigned int meet = meet_before(event, lane);
        raise_to(&seen->most_meeting, meet);
        seen->meeting += meet > 1;
        l2_rounds_count(&watch->addresses[array], event->address[lane] + 1, 1);
        struct thread *thread = &block->threads[event->warp * WARP + lane];
        thread->shared_atomics += event->space == SIM_SHARED;
        if (event->space == SIM_GLOBAL) {
            thread->atomics++;
            thread->output_atomics += array == OF_OUTPUT;
            thread->hasty += thread->barriers == block->barriers[event->warp];
        }
    }
}

static void watch_shared(struct block *block, const struct sim_event *event)
{
    if (!block->words)
        block->words = must_have(calloc(SHARED_WORDS / 8 + 1, 1), "to watch the kernel");
    for (unsigned int lane = 0; lane < WARP; lane++)
        for (unsigned int at = 0; is_active(event, lane) && at < event->bytes; at += 4) {
            const uintptr_t word = (event->address[lane] + at) / 4;
            const unsigned char bit = (unsigned char)(1u << word % 8);
            if (word < SHARED_WORDS && !(block->words[word / 8] & bit)) {
                block->words[word / 8] |= bit;
                block->word_count++;
            }
        }
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

/* The keys of the elements that begin in what a lane loads. */
static size_t add_keys(const struct watch *watch, const struct sim_event *event, unsigned int lane,
                       uint32_t *keys, size_t count)
{
    const struct call *call = watch->call;
    const uint64_t from = event->address[lane] - call->elements, unit = call->unit_bytes;
    for (uint64_t at = (from + unit - 1) / unit * unit;
         at < from + event->bytes && at < call->length * unit; at += unit) {
        const uint32_t key = kernel_half.key(call, watch->elements + at);
        size_t same = 0;
        while (same < count && keys[same] != key)
            same++;
        keys[count] = key;
        count += same == count && key < watch->row_bins;
    }
    return count;
}

static void watch_lane_load(struct watch *watch, struct block *block, const struct sim_event *event,
                            unsigned int lane)
{
    struct thread *thread = &block->threads[event->warp * WARP + lane];
    struct measurement *result = watch->result;
    uint8_t *reads = watch->reads + (event->address[lane] - watch->call->elements);
    for (unsigned int i = 0; i < event->bytes; i++)
        reads[i] = (uint8_t)(reads[i] + (reads[i] < UINT8_MAX));
    result->atomics_while_reading += thread->loads > 0 ? thread->atomics : 0;
    result->bins_while_reading += thread->loads > 0 ? thread->output_atomics : 0;
    result->atomics_between_loads += thread->loads > 0 ? thread->hasty : 0;
    thread->first = thread->loads > 0 ? thread->first : event->address[lane];
    thread->laps += thread->first == event->address[lane];
    raise_to(&result->most_laps, thread->laps);
    thread->loads++;
    thread->bytes += event->bytes;
    thread->atomics = thread->output_atomics = thread->hasty = 0;
    thread->barriers = block->barriers[event->warp];
}

static void watch_input_load(struct watch *watch, struct block *block,
                             const struct sim_event *event)
{
    enum { MOST_KEYS = WARP * 16 + 1 };
    struct measurement *result = watch->result;
    uint32_t keys[MOST_KEYS];
    size_t count = 0;
    note_shape(watch, event);
    block->read = true;
    result->bytes_read += event->bytes * lanes_in(event);
    result->full_requests += event->bytes == 16 && event->active == UINT32_MAX;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        watch_lane_load(watch, block, event, lane);
        if (kernel_half.key)
            count = add_keys(watch, event, lane, keys, count);
    }
    result->distinct_keys += count;
}

/* Other memory from which a thread reads holds what threads, or blocks, have left for it. */
static void watch_other_load(struct block *block, const struct sim_event *event)
{
    for (unsigned int lane = 0; lane < WARP; lane++) {
        struct thread *thread = &block->threads[event->warp * WARP + lane];
        if (!is_active(event, lane))
            continue;
        thread->found += thread->place != event->address[lane];
        thread->place = event->address[lane];
    }
}

/* Which blocks of a batch come to the row of each histogram. */
static void watch_commit(struct watch *watch, const struct sim_event *event)
{
    const struct call *call = watch->call;
    const uintptr_t block = (uintptr_t)(watch->launch << 32) + event->block + 1;
    const uint64_t row = watch->row_bins * call->bin_bytes;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        const uintptr_t histogram = (event->address[lane] - call->bins) / row + 1;
        const size_t before = watch->commits.used;
        l2_rounds_count(&watch->commits, block * 0x9e3779b97f4a7c15u + histogram, 1);
        if (watch->commits.used > before)
            l2_rounds_count(&watch->histograms, histogram, 1);
    }
}

static void watch_change(struct watch *watch, struct block *block, enum watched_array array,
                         const struct sim_event *event)
{
    block->came[array] = true;
    if (event->access == SIM_STORE)
        add_accesses(&watch->seen[array]->store, event);
    else
        watch_atomic(watch, block, array, event);
    if (array == OF_OUTPUT && watch->call->batch > 0)
        watch_commit(watch, event);
    if (array == OF_OTHERS && event->access == SIM_STORE &&
        sim_host_can_read(event->address[__builtin_ctz(event->active)]))
        watch->result->host_visible += event->bytes * lanes_in(event);
}

static void observe(const struct sim_event *event, void *context)
{
    struct watch *watch = context;
    if (event->active == 0)
        return;
    updates_note(event);
    const enum watched_array array = watched_array_at(watch->call, event);
    struct block *block = block_of(watch, event->block);
    if (event->access == SIM_LOAD)
        add_accesses(&watch->seen[array]->load, event);
    else
        watch_change(watch, block, array, event);
    if (array == OF_SHARED)
        watch_shared(block, event);
    if (array == OF_INPUT || (array == OF_SHARED && event->access != SIM_STORE))
        block->busy[event->warp] |= event->active;
    if (array == OF_INPUT && event->access == SIM_LOAD)
        watch_input_load(watch, block, event);
    if (array == OF_OTHERS && event->access == SIM_LOAD)
        watch_other_load(block, event);
    if (watch->more)
        kernel_half.note(watch->more, event, array);
}

/* Counts the threads that had a part in what a block read, which is `units`. */
static void sum_up_busy(struct measurement *result, const struct block *block, uint64_t units)
{
    enum { MUCH = 8 }; /* units for each thread */
    if (units < MUCH * result->threads_per_block)
        return;
    result->busy_of += result->threads_per_block;
    for (int warp = 0; warp < WARPS; warp++)
        result->busy_threads += (uint64_t)__builtin_popcount(block->busy[warp]);
}

/* Finds the thread that read most of what others had left. */
static void sum_up_found(struct measurement *result, const struct block *block)
{
    uint64_t most = 0, all = 0;
    for (unsigned int thread = 0; thread < block->thread_count; thread++) {
        raise_to(&most, block->threads[thread].found);
        all += block->threads[thread].found;
    }
    if (most > result->most_found) {
        result->most_found = most;
        result->found_beside = all;
    }
}

static void sum_up_block(struct watch *watch, const struct block *block)
{
    uint64_t units = 0;
    struct measurement *result = watch->result;
    const uint64_t unit = watch->call->unit_bytes;
    for (int array = 0; array < ARRAYS; array++)
        watch->seen[array]->blocks += block->came[array];
    result->reading_blocks += block->read;
    raise_to(&result->most_words, block->word_count);
    for (int warp = 0; warp < WARPS; warp++)
        raise_to(&result->most_barriers, block->barriers[warp]);
    for (unsigned int thread = 0; block->read && thread < block->thread_count; thread++) {
        const uint64_t own = (block->threads[thread].bytes + unit - 1) / unit;
        raise_to(&result->most_by_thread, own);
        raise_to(&result->most_shared_atomics, block->threads[thread].shared_atomics);
        units += own;
    }
    sum_up_found(result, block);
    if (block->read)
        sum_up_busy(result, block, units);
}

/* How many blocks of a launch the card holds at a time. */
static uint64_t resident(const struct sim_launch_shape *shape, unsigned int multiprocessors)
{
    const uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
    const uint64_t blocks = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    if (threads == 0)
        return 0;
    const uint64_t fit =
        multiprocessors * sim_blocks_on_card(sim_card_chosen(), threads,
                                             shape->dynamic_shared + shape->static_shared);
    return fit < blocks ? fit : blocks;
}

static void end_launch(struct watch *watch)
{
    bool read = false;
    for (size_t i = 0; i < watch->block_count; i++) {
        if (!watch->blocks[i])
            continue;
        sum_up_block(watch, watch->blocks[i]);
        read |= watch->blocks[i]->read;
        free(watch->blocks[i]->words);
        free(watch->blocks[i]);
    }
    free(watch->blocks);
    watch->blocks = NULL;
    watch->block_count = 0;
    watch->launch++;
    const struct sim_launch_shape shape = sim_last_launch();
    if (read)
        watch->result->resident = resident(&shape, watch->multiprocessors);
}

static void observe_step(const struct sim_step *step, void *context)
{
    struct watch *watch = context;
    updates_note_step(step);
    if (step->kind == SIM_STEP_BARRIER)
        block_of(watch, step->block)->barriers[step->warp]++;
    else if (step->kind == SIM_STEP_LAUNCH_ENDS)
        end_launch(watch);
}

/* A unit was read as often as that byte of it which was read most often: the value of an element need not be read
 * where its key has no bin. */
static void sum_up_reads(const struct watch *watch)
{
    struct measurement *result = watch->result;
    const uint64_t unit = watch->call->unit_bytes;
    result->least_read = watch->call->length > 0 ? UINT8_MAX : 0;
    for (uint64_t i = 0; i < watch->call->length; i++) {
        uint64_t most = 0;
        for (size_t byte = 0; byte < unit; byte++)
            raise_to(&most, watch->reads[i * unit + byte]);
        result->least_read = most < result->least_read ? most : result->least_read;
        raise_to(&result->most_read, most);
    }
}

static uint64_t conflicts(const struct sim_counters *counters)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++)
        sum += counters->shared[kind].wavefronts - counters->shared[kind].least;
    return sum;
}

static void sum_up(struct watch *watch)
{
    struct measurement *result = watch->result;
    end_launch(watch); /* of one that came to no end */
    sum_up_reads(watch);
    for (int i = 0; i < ARRAYS; i++) {
        watch->seen[i]->addresses = watch->addresses[i].used;
        watch->seen[i]->most_to_one = l2_rounds_busiest(&watch->addresses[i]);
        l2_rounds_free(&watch->addresses[i]);
    }
    result->most_committing = l2_rounds_busiest(&watch->histograms);
    l2_rounds_free(&watch->commits);
    l2_rounds_free(&watch->histograms);
    result->counters = sim_counters();
    result->launches = result->counters.launches;
    result->cooperative_launches = result->counters.cooperative_launches;
    result->grid_barriers = result->counters.grid_barriers;
    result->conflicts = conflicts(&result->counters);
    result->shuffles = result->counters.votes;
    if (result->launches > 0)
        result->shape = sim_last_launch();
}

static void measurement_arrays(struct measurement *result, struct watched *seen[ARRAYS])
{
    seen[OF_INPUT] = &result->elements;
    seen[OF_OUTPUT] = &result->bins;
    seen[OF_OTHERS] = &result->elsewhere;
    seen[OF_SHARED] = &result->shared;
}

static void begin(struct watch *watch)
{
    enum { WIDEST = 16 }; /* bytes of an access, which may begin in the last unit */
    const struct call *call = watch->call;
    const size_t bytes = call->length * call->unit_bytes;
    int multiprocessors = 0;
    struct measurement *result = watch->result;
    *result = (struct measurement){.length = call->length, .num_bins = call->num_bins};
    measurement_arrays(result, watch->seen);
    watch->row_bins = call->num_bins / (call->batch ? call->batch : 1);
    watch->reads = must_have(calloc(bytes + WIDEST, 1), "to watch the kernel");
    if (kernel_half.key) {
        watch->elements = must_have(malloc(bytes + WIDEST), "to watch the kernel");
        target_read(watch->elements, (const void *)(uintptr_t)call->elements, bytes);
    }
    if (kernel_half.begin)
        watch->more = kernel_half.begin(call, result);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    watch->multiprocessors = (unsigned int)multiprocessors;
}

static struct {
    struct host_copies *copies;
    uintptr_t input, bins;
    size_t input_bytes, bins_bytes;
} copied; /* where the copies of the call at hand are added up */

/* Bytes that two ranges have in common. */
static uint64_t common_bytes(uintptr_t one, size_t bytes, uintptr_t other, size_t others)
{
    uintptr_t begin = one > other ? one : other;
    uintptr_t end = one + bytes < other + others ? one + bytes : other + others;
    return begin < end ? end - begin : 0;
}

static void note_copy(const struct sim_copy_seen *copy, void *unused)
{
    (void)unused;
    struct host_copies *copies = copied.copies;
    const void *const to = copy->to, *const from = copy->from;
    const size_t bytes = copy->bytes;
    if (from && sim_host_can_read((uintptr_t)to)) {
        copies->from_input +=
            common_bytes((uintptr_t)from, bytes, copied.input, copied.input_bytes);
        if (!sim_host_can_read((uintptr_t)from))
            copies->to_host += bytes;
    }
    copies->to_device += !sim_host_can_read((uintptr_t)to);
    copies->into_bins += common_bytes((uintptr_t)to, bytes, copied.bins, copied.bins_bytes);
}

void copies_begin(struct host_copies *copies, uintptr_t input, size_t input_bytes, uintptr_t bins,
                  size_t bins_bytes)
{
    *copies = (struct host_copies){.to_host = 0};
    copied.copies = copies;
    copied.input = input;
    copied.input_bytes = input_bytes;
    copied.bins = bins;
    copied.bins_bytes = bins_bytes;
    sim_observe_copies(note_copy, NULL);
}

void copies_end(void)
{
    sim_observe_copies(NULL, NULL);
}

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    struct watch watch = {.result = result, .call = call};
    begin(&watch);
    sim_reset_counters();
    updates_begin(kernel_half.key != NULL);
    sim_observe(observe, &watch);
    sim_observe_steps(observe_step, &watch);
    copies_begin(&result->copies, call->elements, call->length * call->unit_bytes, call->bins,
                 call->num_bins * call->bin_bytes);
    sim_reset_device_memory(0);
    const uint64_t before = sim_device_memory(0).bytes;
    call_make(call);
    const bool finished = target_finish(error, error_size);
    result->allocated = sim_device_memory(0).most - before;
    result->left = sim_device_memory(0).bytes > before ? sim_device_memory(0).bytes - before : 0;
    copies_end();
    sim_observe(NULL, NULL);
    sim_observe_steps(NULL, NULL);
    result->updates = updates_end();
    sum_up(&watch);
    if (watch.more)
        kernel_half.end(watch.more);
    free(watch.elements);
    free(watch.reads);
    return finished;
}
