/* far_reads.c - how the last blocks read 4,294,967,295 values that nobody has written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_abi.h"
#include "longest.h"
#include "measure.h"
#include "target.h"

enum { THREADS = 1024, WARP = 32, MOST_BLOCKS = 4096 };

struct reader {
    uintptr_t next; /* the address after its last load; 0 before the first */
    uint64_t bytes, laps;
};

struct watch {
    struct far_reads *seen;
    const struct call *call;
    size_t value; /* bytes */
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

static void note_shape(struct far_reads *seen)
{
    const struct sim_index grid = sim_grid_dim(), block = sim_block_dim();
    seen->blocks = (uint64_t)grid.x * grid.y * grid.z;
    seen->threads_per_block = (uint64_t)block.x * block.y * block.z;
    seen->threads = seen->blocks * seen->threads_per_block;
}

static void note_load(struct watch *watch, struct reader *reader, uintptr_t address,
                      unsigned int bytes)
{
    struct far_reads *seen = watch->seen;
    const size_t half = ((size_t)1 << 31) * watch->value;
    reader->laps += reader->next != 0 && address < reader->next && reader->next - address >= half;
    reader->next = address + bytes;
    reader->bytes += bytes;
    const uint64_t units = reader->bytes / watch->value;
    const size_t end = (reader->next - watch->call->values + watch->value - 1) / watch->value;
    seen->laps = reader->laps > seen->laps ? reader->laps : seen->laps;
    seen->longest = units > seen->longest ? units : seen->longest;
    seen->end = end > seen->end ? end : seen->end;
}

/* Stops a trial that has seen enough. A block of the largest grid that fits a device has a share of
 * 16 million values, which takes a second; in a smaller grid it never comes to the end. A thread that
 * has gone back twice began anew: once it may go, from a rest to the beginning. */
static void stop_when_clear(const struct watch *watch)
{
    enum { LAPS = 2, MUCH = 20 * 1000 * 1000, LITTLE = 1 << 19 };
    const struct far_reads *seen = watch->seen;
    const uint64_t share = seen->length / seen->blocks;
    if (watch->stops_at_once || seen->laps >= LAPS || seen->units > LAPS * (uint64_t)MUCH ||
        (share > MUCH && seen->units > LITTLE) ||
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
    struct watch *watch = context;
    uint64_t bytes = 0;
    note_if_larger(&watch->largest);
    if (event->active == 0 || event->access != SIM_LOAD || event->space != SIM_GLOBAL ||
        event->address[__builtin_ctz(event->active)] - watch->call->values >=
            watch->call->length * watch->value)
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
    watch->seen->units += (bytes + watch->value - 1) / watch->value;
    watch->seen->last_load = event->pc;
    stop_when_clear(watch);
}

/* Runs the trial, watched. */
static bool run(struct watch *watch, const struct sim_trial *trial, const char **stopped,
                char *error, size_t error_size)
{
    const char *checks = getenv("SIM_CHECKS");
    sim_set_checks("memcheck,synccheck"); /* nobody has written the values */
    sim_try(trial);
    sim_observe(observe, watch);
    const uint64_t before = sim_counters().launches;
    call_make(watch->call);
    const bool finished = target_finish(error, error_size);
    sim_observe(NULL, NULL);
    watch->seen->launches = sim_counters().launches - before;
    if (stopped)
        *stopped = sim_trial_stopped();
    sim_try(NULL);
    sim_set_checks(checks ? checks : "all");
    return finished;
}

bool measure_far_end(const struct call *shape, const struct sim_trial *trial,
                     struct far_reads *seen, const char **stopped, char *error, size_t error_size)
{
    const enum operation operation = (enum operation)shape->operation;
    const size_t value = operation_bin_bytes(operation);
    struct call call = *shape;
    *seen = (struct far_reads){.length = shape->length};
    struct watch watch = {.seen = seen, .call = &call, .value = value, .stops_at_once = !stopped};
    sim_set_full_memory(1);
    void *d_values = target_allocate(shape->length * value), *d_result = target_allocate(value);
    call.values = (uintptr_t)d_values;
    call.result = (uintptr_t)d_result;
    const bool finished = run(&watch, trial, stopped, error, error_size);
    if (seen->blocks == 0) { /* nothing read any: the launch that should have is the largest */
        seen->blocks = watch.largest.blocks;
        seen->threads_per_block = watch.largest.threads_per_block;
        seen->threads = watch.largest.threads;
    }
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        free(watch.readers[i]);
    target_free(d_values);
    target_free(d_result);
    sim_set_full_memory(0);
    return finished;
}
