/* far_watch.c - how the blocks that run read the longest input, which nobody has written. */
#include "far_watch.h"

#include <stdio.h>
#include <stdlib.h>

#include "device_abi.h"
#include "must_have.h"
#include "sim.h"

enum { THREADS = 1024, WARP = 32, MOST_BLOCKS = 4096 };

struct reader {
    uintptr_t next; /* the address after its last load; 0 before the first */
    uint64_t bytes, laps;
};

struct far_watch {
    struct far_reads *seen;
    struct far_input input;
    struct far_limits limits;
    bool stops_at_once;
    uint64_t launches_before;
    unsigned int first_block; /* that was seen: those before it do not run */
    struct far_reads largest; /* the shape of the largest grid, whatever it reads */
    struct reader *readers[MOST_BLOCKS];
};

/* NULL for a block that comes too late to be watched. */
static struct reader *reader_of(struct far_watch *watch, const struct sim_event *event,
                                unsigned lane)
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

static void note_shape(struct far_reads *seen)
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

static void note_load(struct far_watch *watch, struct reader *reader, uintptr_t address,
                      unsigned int bytes)
{
    struct far_reads *seen = watch->seen;
    const size_t half = ((size_t)1 << 31) * watch->input.unit;
    reader->laps += reader->next != 0 && address < reader->next && reader->next - address >= half;
    reader->next = address + bytes;
    reader->bytes += bytes;
    const uint64_t units = reader->bytes / watch->input.unit;
    const size_t end =
        (reader->next - watch->input.begin + watch->input.unit - 1) / watch->input.unit;
    seen->laps = reader->laps > seen->laps ? reader->laps : seen->laps;
    seen->longest = units > seen->longest ? units : seen->longest;
    seen->end = end > seen->end ? end : seen->end;
}

/* Stops a trial that has seen enough. */
static void stop_when_clear(const struct far_watch *watch)
{
    enum { LITTLE = 1 << 19 };
    const struct far_limits *limits = &watch->limits;
    const struct far_reads *seen = watch->seen;
    const uint64_t share = seen->length / seen->blocks;
    if (watch->stops_at_once || seen->laps >= limits->laps || seen->units > limits->most ||
        (share > limits->much && seen->units > LITTLE) ||
        (seen->end > seen->length / 2 && seen->longest > share + share / 4))
        sim_set_budget(0);
}

static void note_if_larger(struct far_reads *largest)
{
    struct far_reads now = *largest;
    note_shape(&now);
    if (now.threads > largest->threads)
        *largest = now;
}

static void observe(const struct sim_event *event, void *context)
{
    struct far_watch *watch = context;
    uint64_t bytes = 0;
    note_if_larger(&watch->largest);
    if (event->active == 0 || event->access != SIM_LOAD || event->space != SIM_GLOBAL ||
        event->address[__builtin_ctz(event->active)] - watch->input.begin >=
            watch->input.length * watch->input.unit)
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
        note_shape(watch->seen);
    watch->seen->units += (bytes + watch->input.unit - 1) / watch->input.unit;
    watch->seen->last_load = event->pc;
    stop_when_clear(watch);
}

struct far_watch *far_watch_begin(const struct far_input *input, const struct far_limits *limits,
                                  const struct sim_trial *trial, bool stops_at_once,
                                  struct far_reads *seen)
{
    struct far_watch *watch = must_have(calloc(1, sizeof *watch), "to watch the kernel");
    *seen = (struct far_reads){.length = input->length};
    watch->seen = seen;
    watch->input = *input;
    watch->limits = *limits;
    watch->stops_at_once = stops_at_once;
    watch->launches_before = sim_counters().launches;
    sim_set_checks("memcheck,synccheck"); /* nobody has written the input */
    sim_try(trial);
    sim_observe(observe, watch);
    return watch;
}

void far_watch_end(struct far_watch *watch, const char **stopped)
{
    const char *checks = getenv("SIM_CHECKS");
    struct far_reads *seen = watch->seen;
    sim_observe(NULL, NULL);
    if (stopped)
        *stopped = sim_trial_stopped();
    sim_try(NULL);
    sim_set_checks(checks ? checks : "all");
    seen->launches = sim_counters().launches - watch->launches_before;
    if (watch->largest.blocks == 0 && seen->launches > 0) /* no access at all: the last launch */
        take_last_launch(&watch->largest);
    if (seen->blocks == 0) { /* nothing read any: the launch that should have is the largest */
        seen->blocks = watch->largest.blocks;
        seen->threads_per_block = watch->largest.threads_per_block;
        seen->threads = watch->largest.threads;
    }
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        free(watch->readers[i]);
    free(watch);
}
