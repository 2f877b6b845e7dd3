/* measure.c - sorts the accesses of one call of histogram() by the array they go to. */
#include "measure.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "verify.h"
#include "histogram.h"
#include "rounds.h"
#include "stripes.h"
#include "device_abi.h"
#include "target.h"
#include "traffic.h"

enum { THREADS = 1024, WARP = 32, NO_BIN = NUM_BINS };

/* What one thread has read of the text so far. */
struct reader {
    uintptr_t next; /* the address after its last load; 0 before the first */
    uint64_t bytes, laps;
    bool scattered;     /* its loads were not one section in rising order */
    unsigned short bin; /* of its last character, or NO_BIN */
    uint64_t in_a_row;  /* loads since its last atomic */
    struct thread_rounds rounds;
    uint64_t met[NUM_BINS / 64 + 1];         /* bit b: it met bin b */
    uint64_t global_atomics, shared_atomics; /* since its last load */
    uint64_t conflicts;                      /* the same, of its warp while it was the first lane */
    uint64_t all_shared_atomics;
};

/* The observer's state. */
struct watch {
    struct measurement *result;
    const unsigned char *text; /* on the host; NULL when its bytes are not known */
    size_t length;
    uintptr_t text_address, bins_address;
    struct reader **blocks; /* THREADS readers for each block that read the text */
    size_t block_count;
    unsigned int first_block; /* where the text is not known: the first that ran */
    bool begun, stops_at_once;
    struct stripes stripes; /* that global atomics touched */
    struct stripes bins, bins_now;
    struct stripes committers, counters; /* by the block, by the address */
    uint64_t lanes_now;                  /* of the atomics in bins_now */
    unsigned short bin_of_byte[256];
};

static void *must_have(void *memory)
{
    if (!memory) {
        fprintf(stderr, "no memory to watch the kernel\n");
        exit(1);
    }
    return memory;
}

static struct reader *reader_of(struct watch *watch, const struct sim_event *event, unsigned lane)
{
    if (!watch->text && !watch->begun)
        watch->first_block = event->block;
    watch->begun = true;
    const size_t at = event->block - watch->first_block;
    if (at >= watch->block_count) {
        size_t count = 2 * at + 64;
        watch->blocks = must_have(realloc(watch->blocks, count * sizeof *watch->blocks));
        memset(watch->blocks + watch->block_count, 0,
               (count - watch->block_count) * sizeof *watch->blocks);
        watch->block_count = count;
    }
    struct reader **block = &watch->blocks[at];
    if (!*block)
        *block = must_have(calloc(THREADS, sizeof **block));
    return &(*block)[event->warp * WARP + lane];
}

/* Notes the characters of one lane's load; adds their bins to `met`. */
static void read_characters(struct watch *watch, const struct sim_event *event, unsigned lane,
                            uint64_t *met)
{
    struct reading *reading = &watch->result->reading;
    struct reader *reader = reader_of(watch, event, lane);
    uintptr_t address = event->address[lane];
    /* The same bytes once more are no gap: the compiler may load twice. */
    bool again = reader->bytes > 0 && address + event->bytes == reader->next;
    if (again)
        return;
    rounds_note(&reader->rounds, event->pc);
    reader->in_a_row++;
    if (reader->in_a_row > reading->in_a_row)
        reading->in_a_row = reader->in_a_row;
    reading->global_atomics += reader->bytes > 0 ? reader->global_atomics : 0;
    reading->shared_atomics += reader->bytes > 0 ? reader->shared_atomics : 0;
    reading->caught_up += reader->bytes > 0 && reader->all_shared_atomics >= reader->bytes;
    reading->shared_conflicts += reader->bytes > 0 ? reader->conflicts : 0;
    reader->global_atomics = reader->shared_atomics = reader->conflicts = 0;
    if (reader->bytes == 0)
        reader->bin = NO_BIN;
    else if (address != reader->next) {
        reader->scattered = true;
        if (reading->apart++ == 0)
            reading->jump = address - reader->next;
    }
    if (reader->bytes > 0 && address < reader->next && (reader->next - address) >> 31 != 0)
        reader->laps++;
    if (reader->laps > reading->laps)
        reading->laps = reader->laps;
    reader->next = address + event->bytes;
    if (reader->next - watch->text_address > reading->end)
        reading->end = reader->next - watch->text_address;
    reader->bytes += event->bytes;
    if (reader->bytes > reading->longest)
        reading->longest = reader->bytes;
    for (unsigned int i = 0; i < event->bytes; i++) {
        size_t at = address + i - watch->text_address;
        unsigned short bin =
            watch->text && at < watch->length ? watch->bin_of_byte[watch->text[at]] : NO_BIN;
        if (bin != NO_BIN) {
            reading->runs += bin != reader->bin;
            met[bin / 64] |= (uint64_t)1 << bin % 64;
            reader->met[bin / 64] |= (uint64_t)1 << bin % 64;
        }
        reader->bin = bin;
    }
}

/* Whether a lane before `lane` has the same address. */
static bool conflicts_with_earlier(const struct sim_event *event, unsigned lane)
{
    for (unsigned int other = 0; other < lane; other++)
        if (event->active >> other & 1 && event->address[other] == event->address[lane])
            return true;
    return false;
}

static void watch_atomic(struct watch *watch, const struct sim_event *event)
{
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!(event->active >> lane & 1))
            continue;
        struct reader *reader = reader_of(watch, event, lane);
        reader->in_a_row = 0;
        if (event->space == SIM_GLOBAL) {
            reader->global_atomics++;
        } else {
            reader->shared_atomics++;
            reader->all_shared_atomics++;
            watch->result->shared_conflicting_lanes += conflicts_with_earlier(event, lane);
        }
    }
}

/* Who adds to the final bins, and how many other counters there are. */
static void watch_counters(struct watch *watch, const struct sim_event *event, bool are_final)
{
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1 && are_final)
            stripes_count(&watch->committers, event->block + (uintptr_t)1, 1);
        else if (event->active >> lane & 1)
            stripes_count(&watch->counters, event->address[lane], 1);
}

static uint64_t count_bits(const uint64_t *words)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < NUM_BINS / 64 + 1; i++)
        bits += (uint64_t)__builtin_popcountll(words[i]);
    return bits;
}

/* The shape of the launch that reads the text: histogram() may run others, too. */
static void note_shape(struct measurement *result, const char *kernel)
{
    snprintf(result->reader, sizeof result->reader, "%s", kernel);
    struct sim_index grid = sim_grid_dim(), block = sim_block_dim();
    result->blocks = (uint64_t)grid.x * grid.y * grid.z;
    result->threads_per_block = (uint64_t)block.x * block.y * block.z;
}

/* Stops a trial that has seen enough: a thread that reads the text for the fourth time, or more of
 * its second half than a block should; or one that takes long, or would. */
static void stop_when_clear(const struct watch *watch)
{
    enum { LAPS = 3, MOST_REQUESTS = 6 * 1000 * 1000, MUCH = 6 * 1000 * 1000, LITTLE = 1 << 19 };
    const struct measurement *seen = watch->result;
    const uint64_t share = watch->length / seen->blocks;
    if (watch->stops_at_once || seen->reading.laps >= LAPS ||
        seen->text.load.requests > MOST_REQUESTS ||
        (share > MUCH && seen->text.load.lanes > LITTLE) ||
        (seen->reading.end > watch->length / 2 && seen->reading.longest > share + share / 4))
        sim_set_budget(0);
}

static void watch_text_load(struct watch *watch, const struct sim_event *event)
{
    uint64_t met[NUM_BINS / 64 + 1] = {0};
    uint64_t bytes = 0;
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1) {
            read_characters(watch, event, lane, met);
            bytes += event->bytes;
        }
    if (watch->result->blocks == 0)
        note_shape(watch->result, event->kernel);
    watch->result->reading.last_load = event->pc;
    watch->result->least_sectors += (bytes + 31) / 32;
    watch->result->distinct_bins += count_bits(met);
    if (!watch->text)
        stop_when_clear(watch);
}

static struct watched *array_at(struct watch *watch, const struct sim_event *event,
                                uintptr_t address)
{
    if (event->space == SIM_SHARED)
        return &watch->result->shared;
    if (address - watch->text_address < watch->length)
        return &watch->result->text;
    if (address - watch->bins_address < NUM_BINS * sizeof(unsigned int))
        return &watch->result->bins;
    return &watch->result->elsewhere;
}

static void end_turn(struct watch *watch)
{
    watch->result->bins_in_turn += stripes_busiest(&watch->bins_now);
    stripes_free(&watch->bins_now);
    watch->lanes_now = 0;
}

/* Which stripes of the final bins are busy, and whether at the same time. */
static void watch_bins(struct watch *watch, const struct sim_event *event)
{
    enum { THREADS_OF_THE_CARD = 132 * 2048 };
    stripes_add(&watch->bins, event);
    stripes_add(&watch->bins_now, event);
    watch->lanes_now += (uint64_t)__builtin_popcount(event->active);
    if (watch->lanes_now >= THREADS_OF_THE_CARD)
        end_turn(watch);
}

static void observe(const struct sim_event *event, void *context)
{
    struct watch *watch = context;
    if (event->active == 0 || (!watch->text && event->access != SIM_LOAD))
        return; /* at the far end, where nobody knows the text, only reading counts */
    const unsigned int first = (unsigned int)__builtin_ctz(event->active);
    uintptr_t address = event->address[first];
    struct watched *array = array_at(watch, event, address);
    if (event->space == SIM_SHARED && event->access <= SIM_STORE && watch->text)
        reader_of(watch, event, first)->conflicts += event->cost - event->least;
    if (event->access == SIM_LOAD)
        add_traffic(&array->load, event);
    else if (event->access == SIM_STORE) {
        add_traffic(&array->store, event);
        if (array == &watch->result->elsewhere && sim_host_can_read(address))
            watch->result->host_visible +=
                event->bytes * (uint64_t)__builtin_popcount(event->active);
    } else {
        add_traffic(&array->atomic, event);
        if (event->space == SIM_GLOBAL) {
            stripes_add(&watch->stripes, event);
            watch_counters(watch, event, array == &watch->result->bins);
        }
        if (array == &watch->result->bins)
            watch_bins(watch, event);
        watch_atomic(watch, event);
    }
    if (array == &watch->result->text && event->access == SIM_LOAD)
        watch_text_load(watch, event);
}

/* Over all threads that read, once to find the busiest and once to compare. */
static uint64_t loads_of_a_round(const struct watch *watch)
{
    struct rounds rounds = {.most = 0};
    for (int comparing = 0; comparing < 2; comparing++)
        for (size_t i = 0; i < watch->block_count * THREADS; i++)
            if (watch->blocks[i / THREADS])
                rounds_add(&rounds, &watch->blocks[i / THREADS][i % THREADS].rounds, comparing);
    return rounds_loads(&rounds);
}

static void sum_up_readers(struct watch *watch)
{
    struct reading *reading = &watch->result->reading;
    reading->in_a_round = loads_of_a_round(watch);
    for (size_t block = 0; block < watch->block_count; block++) {
        struct reader *readers = watch->blocks[block];
        for (size_t i = 0; readers && i < THREADS; i++) {
            if (readers[i].bytes == 0)
                continue;
            reading->shortest = reading->threads == 0 || readers[i].bytes < reading->shortest
                                    ? readers[i].bytes
                                    : reading->shortest;
            reading->threads++;
            reading->contiguous += !readers[i].scattered;
            reading->bytes += readers[i].bytes;
            reading->touched += count_bits(readers[i].met);
        }
        free(readers);
    }
    free(watch->blocks);
}

static void describe_launch(struct measurement *result)
{
    result->counters = sim_counters();
    result->launches = result->counters.launches;
    if (result->launches == 0)
        return;
    result->shape = sim_last_launch();
    if (result->blocks == 0) { /* nothing read the text */
        const unsigned int *grid = result->shape.grid, *block = result->shape.block;
        result->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
        result->threads_per_block = (uint64_t)block[0] * block[1] * block[2];
    }
    result->threads = result->blocks * result->threads_per_block;
}

/* Runs histogram() and fills in all of watch->result. Returns false on failure. */
static bool run_watched(struct watch *watch, const unsigned char *d_text, unsigned int *d_bins,
                        char *error, size_t error_size)
{
    *watch->result = (struct measurement){.length = watch->length};
    watch->text_address = (uintptr_t)d_text;
    watch->bins_address = (uintptr_t)d_bins;
    letters_in_bins(watch->bin_of_byte);
    target_fill(d_bins, 0, NUM_BINS * sizeof *d_bins);
    sim_reset_counters();
    sim_observe(observe, watch);
    copies_begin(&watch->result->copies, (uintptr_t)d_text, watch->length, (uintptr_t)d_bins,
                 NUM_BINS * sizeof *d_bins);
    histogram(d_text, watch->length, d_bins);
    bool finished = target_finish(error, error_size);
    copies_end();
    sim_observe(NULL, NULL);
    sum_up_readers(watch);
    watch->result->atomic_stripes = watch->stripes.used;
    watch->result->busiest_stripe = stripes_busiest(&watch->stripes);
    watch->result->busiest_of_bins = stripes_busiest(&watch->bins);
    end_turn(watch);
    watch->result->private_counters = watch->counters.used;
    watch->result->counting_blocks = stripes_above(&watch->committers, NUM_BINS);
    stripes_free(&watch->stripes);
    stripes_free(&watch->bins);
    stripes_free(&watch->counters);
    stripes_free(&watch->committers);
    describe_launch(watch->result);
    return finished;
}

bool measure_run(const struct text *text, size_t misalignment, struct measurement *result,
                 unsigned int *bins, char *error, size_t error_size)
{
    unsigned char *space = target_allocate(misalignment + text->length);
    unsigned char *d_text = space + misalignment;
    unsigned int *d_bins = target_allocate(NUM_BINS * sizeof *d_bins);
    struct watch watch = {.result = result, .text = text->bytes, .length = text->length};
    target_write(d_text, text->bytes, text->length);
    bool finished = run_watched(&watch, d_text, d_bins, error, error_size);
    verify_count(text->bytes, text->length, bins);
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        result->counted += bins[bin];
    if (finished)
        target_read(bins, d_bins, NUM_BINS * sizeof *bins);
    target_free(space);
    target_free(d_bins);
    return finished;
}

bool measure_far_end(const struct sim_trial *trial, struct measurement *result,
                     const char **stopped, char *error, size_t error_size)
{
    enum { ENOUGH = 24 * 1000 * 1000 };
    unsigned char *d_text = target_allocate(UINT32_MAX);
    unsigned int *d_bins = target_allocate(NUM_BINS * sizeof *d_bins);
    struct watch watch = {.result = result, .length = UINT32_MAX, .stops_at_once = !stopped};
    /* Nobody has written this text, and to write it would take the memory that it has. */
    const char *checks = getenv("SIM_CHECKS");
    sim_set_checks("memcheck,synccheck");
    sim_set_budget(ENOUGH);
    sim_try(trial);
    bool finished = run_watched(&watch, d_text, d_bins, error, error_size);
    if (stopped)
        *stopped = sim_trial_stopped();
    sim_try(NULL);
    sim_set_checks(checks ? checks : "all");
    target_free(d_text);
    target_free(d_bins);
    return finished;
}
