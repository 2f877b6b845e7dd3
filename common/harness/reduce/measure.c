/* measure.c - sorts the accesses of one call of reduce() by the array they go to. */
#include "measure.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_abi.h"
#include "stripes.h"
#include "target.h"
#include "traffic.h"

enum { THREADS = 1024, WARP = 32, WARPS = THREADS / WARP, SHARED_WORDS = 232448 / 4 };
enum { OF_VALUES, OF_RESULT, OF_OTHERS, OF_SHARED, ARRAYS };

/* What one block of the launch has done so far. */
struct block {
    uint64_t atomics[ARRAYS]; /* of lanes */
    bool came[ARRAYS];        /* an atomic or a store */
    bool read;                /* values */
    uint64_t barriers[WARPS]; /* that a warp passed */
    uint64_t bytes[THREADS];  /* of values, by a thread */
    unsigned char *words;     /* of shared memory that it touched, or NULL */
    uint64_t word_count;
};

struct watch {
    struct measurement *result;
    const struct call *call;
    size_t bytes;   /* of the values */
    size_t value;   /* of one */
    uint8_t *reads; /* of each byte of the values, at most 255 */
    struct watched *seen[ARRAYS];
    struct stripes addresses[ARRAYS];
    struct block **blocks; /* of the launch: those that did anything */
    size_t block_count;
    uint64_t grid; /* blocks of the launch */
    unsigned int multiprocessors;
};

static void *must_have(void *memory)
{
    if (!memory) {
        fprintf(stderr, "no memory to watch the kernel\n");
        exit(1);
    }
    return memory;
}

static struct block *block_of(struct watch *watch, unsigned int number)
{
    if (number >= watch->block_count) {
        const size_t count = 2 * (size_t)number + 64;
        watch->blocks = must_have(realloc(watch->blocks, count * sizeof *watch->blocks));
        memset(watch->blocks + watch->block_count, 0,
               (count - watch->block_count) * sizeof *watch->blocks);
        watch->block_count = count;
    }
    if (!watch->blocks[number])
        watch->blocks[number] = must_have(calloc(1, sizeof **watch->blocks));
    return watch->blocks[number];
}

static bool is_active(const struct sim_event *event, unsigned int lane)
{
    return event->active >> lane & 1;
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

static int array_at(const struct watch *watch, const struct sim_event *event)
{
    const uintptr_t address = event->address[__builtin_ctz(event->active)];
    if (event->space == SIM_SHARED)
        return OF_SHARED;
    if (address - watch->call->values < watch->bytes)
        return OF_VALUES;
    return address - watch->call->result < watch->value ? OF_RESULT : OF_OTHERS;
}

static void watch_atomic(struct watch *watch, int array, const struct sim_event *event)
{
    struct watched *seen = watch->seen[array];
    add_traffic(&seen->atomic, event);
    add_traffic(kind_of(seen, event->atomic), event);
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (is_active(event, lane))
            stripes_count(&watch->addresses[array], event->address[lane] + 1, 1);
}

static void watch_shared(struct block *block, const struct sim_event *event)
{
    if (!block->words)
        block->words = must_have(calloc(SHARED_WORDS, 1));
    for (unsigned int lane = 0; lane < WARP; lane++)
        for (unsigned int at = 0; is_active(event, lane) && at < event->bytes; at += 4) {
            const uintptr_t word = (event->address[lane] + at) / 4;
            if (word < SHARED_WORDS && !block->words[word]) {
                block->words[word] = 1;
                block->word_count++;
            }
        }
}

static void note_shape(struct watch *watch, const struct sim_event *event)
{
    struct measurement *result = watch->result;
    const struct sim_index block = sim_block_dim();
    snprintf(result->reader, sizeof result->reader, "%s", event->kernel);
    result->blocks = watch->grid;
    result->threads_per_block = (uint64_t)block.x * block.y * block.z;
    result->threads = result->blocks * result->threads_per_block;
}

static void watch_load_of_values(struct watch *watch, struct block *block,
                                 const struct sim_event *event)
{
    struct measurement *result = watch->result;
    const uint64_t bytes = event->bytes * (uint64_t)__builtin_popcount(event->active);
    if (!block->read)
        note_shape(watch, event);
    block->read = true;
    result->bytes_read += bytes;
    if (event->bytes == 16 && event->active == UINT32_MAX)
        result->full_requests++;
    else
        result->other_bytes += bytes;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!is_active(event, lane))
            continue;
        uint8_t *reads = watch->reads + (event->address[lane] - watch->call->values);
        for (unsigned int i = 0; i < event->bytes; i++)
            reads[i] = (uint8_t)(reads[i] + (reads[i] < UINT8_MAX));
        block->bytes[event->warp * WARP + lane] += event->bytes;
    }
}

static void observe(const struct sim_event *event, void *context)
{
    struct watch *watch = context;
    if (event->active == 0)
        return;
    if (watch->grid == 0) {
        const struct sim_index grid = sim_grid_dim();
        watch->grid = (uint64_t)grid.x * grid.y * grid.z;
    }
    const int array = array_at(watch, event);
    struct block *block = block_of(watch, event->block);
    if (event->access == SIM_LOAD)
        add_traffic(&watch->seen[array]->load, event);
    else if (event->access == SIM_STORE)
        add_traffic(&watch->seen[array]->store, event);
    else
        watch_atomic(watch, array, event);
    if (event->access != SIM_LOAD) {
        block->came[array] = true;
        if (event->access != SIM_STORE)
            block->atomics[array] += (uint64_t)__builtin_popcount(event->active);
    }
    if (array == OF_SHARED)
        watch_shared(block, event);
    if (array == OF_VALUES && event->access == SIM_LOAD)
        watch_load_of_values(watch, block, event);
    if (array == OF_OTHERS && event->access == SIM_STORE &&
        sim_host_can_read(event->address[__builtin_ctz(event->active)]))
        watch->result->host_visible += event->bytes * (uint64_t)__builtin_popcount(event->active);
}

static void raise_to(uint64_t *most, uint64_t number)
{
    *most = number > *most ? number : *most;
}

/* Of each array the blocks of the launch that has ended: those that did nothing made no atomic. */
static void sum_up_array(struct watch *watch, int array)
{
    struct watched *seen = watch->seen[array];
    uint64_t did = 0, fewest = UINT64_MAX, most = 0;
    for (size_t i = 0; i < watch->block_count; i++) {
        const struct block *block = watch->blocks[i];
        if (!block)
            continue;
        did++;
        seen->blocks += block->came[array];
        fewest = block->atomics[array] < fewest ? block->atomics[array] : fewest;
        raise_to(&most, block->atomics[array]);
    }
    if (most == 0)
        return;
    fewest = did < watch->grid ? 0 : fewest;
    seen->fewest_by_block =
        seen->most_by_block == 0 || fewest < seen->fewest_by_block ? fewest : seen->fewest_by_block;
    raise_to(&seen->most_by_block, most);
}

static void sum_up_block(struct watch *watch, const struct block *block)
{
    struct measurement *result = watch->result;
    result->reading_blocks += block->read;
    raise_to(&result->most_words, block->word_count);
    for (int warp = 0; warp < WARPS; warp++)
        raise_to(&result->most_barriers, block->barriers[warp]);
    for (int thread = 0; block->read && thread < THREADS; thread++)
        raise_to(&result->most_by_thread, (block->bytes[thread] + watch->value - 1) / watch->value);
}

/* As the engine has it (occupancy.c): whole warps, blocks, shared memory. */
static uint64_t resident(const struct sim_launch_shape *shape, unsigned int multiprocessors)
{
    enum { MOST_WARPS = 64, MOST_BLOCKS = 32, SHARED = 233472, RESERVED = 1024 };
    const uint64_t threads = (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
    const uint64_t blocks = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    const uint64_t by_warps = threads > 0 ? MOST_WARPS / ((threads + WARP - 1) / WARP) : 0;
    const uint64_t by_shared = SHARED / (shape->dynamic_shared + shape->static_shared + RESERVED);
    uint64_t fit = by_warps < by_shared ? by_warps : by_shared;
    fit = multiprocessors * (fit < MOST_BLOCKS ? fit : MOST_BLOCKS);
    return fit < blocks ? fit : blocks;
}

static void end_launch(struct watch *watch)
{
    bool read = false;
    for (int array = 0; array < ARRAYS; array++)
        sum_up_array(watch, array);
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
    watch->block_count = watch->grid = 0;
    const struct sim_launch_shape shape = sim_last_launch();
    if (read)
        watch->result->resident = resident(&shape, watch->multiprocessors);
}

static void observe_step(const struct sim_step *step, void *context)
{
    struct watch *watch = context;
    if (step->kind == SIM_STEP_BARRIER)
        block_of(watch, step->block)->barriers[step->warp]++;
    else if (step->kind == SIM_STEP_LAUNCH_ENDS)
        end_launch(watch);
}

/* Of a value the byte that was read most often counts. */
static void sum_up_reads(const struct watch *watch)
{
    struct measurement *result = watch->result;
    result->least_read = watch->call->length > 0 ? UINT8_MAX : 0;
    for (uint64_t i = 0; i < watch->call->length; i++) {
        uint64_t most = 0;
        for (size_t byte = 0; byte < watch->value; byte++)
            raise_to(&most, watch->reads[i * watch->value + byte]);
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
        watch->seen[i]->most_to_one = stripes_busiest(&watch->addresses[i]);
        stripes_free(&watch->addresses[i]);
    }
    result->counters = sim_counters();
    result->launches = result->counters.launches;
    result->cooperative_launches = result->counters.cooperative_launches;
    result->grid_barriers = result->counters.grid_barriers;
    result->conflicts = conflicts(&result->counters);
    result->shuffles = result->counters.votes;
    if (result->launches > 0)
        result->shape = sim_last_launch();
}

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    const size_t value = operation_bin_bytes((enum operation)call->operation);
    struct watch watch = {.result = result,
                          .call = call,
                          .value = value,
                          .bytes = call->length * value,
                          .seen = {[OF_VALUES] = &result->values,
                                   [OF_RESULT] = &result->result,
                                   [OF_OTHERS] = &result->elsewhere,
                                   [OF_SHARED] = &result->shared}};
    int multiprocessors = 0;
    *result = (struct measurement){.length = call->length};
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    watch.multiprocessors = (unsigned int)multiprocessors;
    watch.reads = must_have(calloc(watch.bytes + 16, 1));
    sim_reset_counters();
    sim_observe(observe, &watch);
    sim_observe_steps(observe_step, &watch);
    copies_begin(&result->copies, call->values, watch.bytes, call->result, value);
    call_make(call);
    const bool finished = target_finish(error, error_size);
    copies_end();
    sim_observe(NULL, NULL);
    sim_observe_steps(NULL, NULL);
    sum_up(&watch);
    free(watch.reads);
    return finished;
}
