/* far_reads.c - how the blocks that run read the longest input, which nobody has written. */
#include "far_reads.h"

#include <stdlib.h>

#include "device_abi.h"
#include "measure.h"
#include "must_have.h"
#include "target.h"

enum { THREADS = 1024, WARP = 32, MOST_BLOCKS = 4096 };

struct reader {
    uint64_t next; /* the unit after its last load; 0 before the first */
    uint64_t bytes, laps;
};

struct watch {
    struct far_reads *seen;
    const struct call *call;
    const struct far_limits *limits;
    bool stops_at_once;
    unsigned int first_block; /* that was seen: those before it do not run */
    struct far_reads largest; /* the shape of the largest grid, whatever it reads */
    struct reader *readers[MOST_BLOCKS];
};

/* NULL for a block that comes too late to be watched. */
static struct reader *reader_of(struct watch *watch, const struct sim_event *event, unsigned lane)
{
    if (watch->seen->blocks == 0)
        watch->first_block = event->block;
    const unsigned int at = event->block - watch->first_block;
    if (at >= MOST_BLOCKS)
        return NULL;
    if (!watch->readers[at])
        watch->readers[at] = calloc(THREADS, sizeof **watch->readers);
    return watch->readers[at] ? &watch->readers[at][event->warp * WARP + lane] : NULL;
}

static void note_far_shape(struct far_reads *seen)
{
    const struct sim_index grid = sim_grid_dim(), block = sim_block_dim();
    seen->blocks = (uint64_t)grid.x * grid.y * grid.z;
    seen->threads_per_block = (uint64_t)block.x * block.y * block.z;
    seen->threads = seen->blocks * seen->threads_per_block;
}

static void take_last_launch(struct far_reads *seen)
{
    const struct sim_launch_shape shape = sim_last_launch();
    seen->blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    seen->threads_per_block = (uint64_t)shape.block[0] * shape.block[1] * shape.block[2];
    seen->threads = seen->blocks * seen->threads_per_block;
}

/* The unit of which a part lies so many bytes after the first. */
static uint64_t unit_at(const struct call *call, uint64_t offset)
{
    return kernel_half.unit_at ? kernel_half.unit_at(call, offset)
                               : offset / call->unit_bytes % call->length;
}

static void note_load(struct watch *watch, struct reader *reader, uintptr_t address,
                      unsigned int bytes)
{
    struct far_reads *seen = watch->seen;
    const uint64_t offset = address - watch->call->elements, half = (uint64_t)1 << 31;
    reader->laps += unit_at(watch->call, offset) + half <= reader->next;
    reader->next = unit_at(watch->call, offset + bytes - 1) + 1;
    reader->bytes += bytes;
    const uint64_t units = reader->bytes / watch->call->unit_bytes;
    const size_t end = reader->next;
    seen->laps = reader->laps > seen->laps ? reader->laps : seen->laps;
    seen->longest = units > seen->longest ? units : seen->longest;
    seen->end = end > seen->end ? end : seen->end;
}

/* Stops a trial that has seen enough. */
static void stop_when_clear(const struct watch *watch)
{
    enum { LITTLE = 1 << 17 };
    const struct far_limits *limits = watch->limits;
    const struct far_reads *seen = watch->seen;
    const uint64_t share = seen->length / seen->blocks;
    if (watch->stops_at_once || seen->laps >= limits->laps || seen->units > limits->most ||
        (share > limits->much && seen->units > LITTLE) ||
        (seen->end > seen->length / 2 && seen->longest > share + share / 4))
        sim_set_budget(0);
}

static void note_if_larger(struct far_reads *largest)
{
    struct far_reads current = *largest;
    note_far_shape(&current);
    if (current.threads > largest->threads)
        *largest = current;
}

static void observe_far_read(const struct sim_event *event, void *context)
{
    struct watch *watch = context;
    const struct call *call = watch->call;
    uint64_t bytes = 0;
    note_if_larger(&watch->largest);
    if (event->active == 0 || event->access != SIM_LOAD || event->space != SIM_GLOBAL ||
        event->address[__builtin_ctz(event->active)] - call->elements >=
            call->length * call->unit_bytes)
        return;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!(event->active >> lane & 1))
            continue;
        struct reader *reader = reader_of(watch, event, lane);
        if (reader)
            note_load(watch, reader, event->address[lane], event->bytes);
        bytes += event->bytes;
    }
    if (watch->seen->blocks == 0)
        note_far_shape(watch->seen);
    watch->seen->units += (bytes + call->unit_bytes - 1) / call->unit_bytes;
    watch->seen->last_load = event->pc;
    stop_when_clear(watch);
}

/* The largest grid, or the last without any access; a call that read nothing has its shape. */
static void take_largest(struct watch *watch)
{
    struct far_reads *seen = watch->seen;
    if (watch->largest.blocks == 0 && seen->launches > 0)
        take_last_launch(&watch->largest);
    seen->largest_threads = watch->largest.threads;
    seen->largest_block = watch->largest.threads_per_block;
    if (seen->blocks > 0)
        return;
    seen->blocks = watch->largest.blocks;
    seen->threads_per_block = watch->largest.threads_per_block;
    seen->threads = watch->largest.threads;
}

bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     bool stops_at_first_read, struct far_reads *seen, char *error,
                     size_t error_size)
{
    struct watch *watch = must_have(calloc(1, sizeof *watch), "to watch the kernel");
    *watch = (struct watch){
        .seen = seen, .call = call, .limits = limits, .stops_at_once = stops_at_first_read};
    *seen = (struct far_reads){.length = call->length};
    const uint64_t launches_before = sim_counters().launches;
    sim_observe(observe_far_read, watch);
    call_make(call);
    const bool finished = target_finish(error, error_size);
    sim_observe(NULL, NULL);
    seen->launches = sim_counters().launches - launches_before;
    take_largest(watch);
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        free(watch->readers[i]);
    free(watch);
    return finished;
}
