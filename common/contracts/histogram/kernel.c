/* kernel.c - calls histogram(), and watches what this contract wants to know beyond measure.c: how the threads of its
 * kernels read the text, and where their atomics go. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "letters.h"
#include "measure.h"
#include "must_have.h"
#include "l2_rounds.h"
#include "target.h"

enum { WARP = 32, WARPS = 1024 / WARP, NO_BIN = NOT_COUNTED, WORDS = MOST_BINS / 64 };
enum { SHARED_WORDS = 1 << 16 }; /* of a block, at most */

void call_make(const struct call *call)
{
    histogram((const unsigned char *)(uintptr_t)call->values, call->length,
              (unsigned int *)(uintptr_t)call->bins);
}

/* How many loads of a thread come in a round of its loop, told by their instructions.
 *
 * A loop that loads one word a round executes its load once for each word. A loop whose round has
 * several loads, each counted before the next, makes the same accesses in the same order; but its
 * threads stop at whole rounds, and another instruction loads what is left. */

/* The loads of one thread. */
struct thread_rounds {
    uintptr_t first; /* the instruction of the first */
    uint64_t loads;
    uint64_t by_first; /* of these, by that instruction */
    uint64_t before;   /* until that instruction came again */
};

/* Those threads of a grid whose first load is the same instruction as that of the thread with most loads. */
struct rounds {
    uintptr_t first;
    uint64_t most;    /* loads of one thread */
    uint64_t divisor; /* the greatest common divisor of their by_first */
    uint64_t before;  /* the least of them */
};

static void rounds_note(struct thread_rounds *thread, uintptr_t instruction)
{
    if (thread->loads++ == 0)
        thread->first = instruction;
    thread->by_first += instruction == thread->first;
    thread->before += thread->by_first == 1;
}

static uint64_t rounds_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : rounds_divisor(b, a % b);
}

/* Adds a thread to its grid. All threads come twice: first to find the one with most loads
 * (`comparing` false), then to be compared. */
static void rounds_add(struct rounds *grid, const struct thread_rounds *thread, bool comparing)
{
    if (!comparing && thread->loads > grid->most) {
        grid->most = thread->loads;
        grid->first = thread->first;
    } else if (comparing && thread->loads > 0 && thread->first == grid->first) {
        grid->divisor = rounds_divisor(grid->divisor, thread->by_first);
        if (grid->before == 0 || thread->before < grid->before)
            grid->before = thread->before;
    }
}

/* The loads of a round, as far as that tells: 1 where a loop loads one word a round. */
static uint64_t rounds_loads(const struct rounds *grid)
{
    return grid->divisor > grid->before ? grid->divisor : grid->before;
}

/* What one thread has read of the text so far. */
struct reader {
    uintptr_t next;     /* the address after its last load; 0 before the first */
    uintptr_t from, to; /* the section that it has read so far */
    uint64_t bytes;
    bool scattered;     /* its loads were not one section that was read on at one of its ends */
    unsigned short bin; /* of its last character, or NO_BIN */
    uint64_t in_a_row;  /* loads since its last atomic */
    struct thread_rounds rounds;
    uint64_t global_atomics, shared_atomics; /* since its last load */
    uint64_t conflicts;                      /* the same of its warp, while it was the first lane */
    uint64_t loaded;                         /* the same: wavefronts of shared loads */
    uint64_t counters_loaded;                /* of these, those of counters */
    uint64_t all_shared_atomics;
};

struct readers {
    struct measurement *result;
    const struct call *call;
    unsigned char *text;   /* a copy */
    struct reader **warps; /* readers of each warp that did anything; of a block WARPS */
    size_t warp_count;
    struct l2_rounds l2_rounds; /* that global atomics touched */
    struct l2_rounds bins, bins_held;
    struct l2_rounds committers; /* by the block */
    uint64_t lanes_held;         /* of the atomics in bins_held */
    bool is_counter
        [SHARED_WORDS]; /* words of shared memory that are changed in the main loop, in any block */
    unsigned short bin_of_byte[256];
};

static struct reader *reader_of_text(struct readers *readers, const struct sim_event *event,
                                     unsigned lane)
{
    const size_t at = (size_t)event->block * WARPS + event->warp;
    readers->warps =
        must_have(sim_grow(readers->warps, &readers->warp_count, at + 1, sizeof *readers->warps),
                  "to watch the kernel");
    struct reader **warp = &readers->warps[at];
    if (!*warp)
        *warp = must_have(calloc(WARP, sizeof **warp), "to watch the kernel");
    return &(*warp)[lane];
}

/* A section may be read from either end. */
static void note_section(struct reader *reader, uintptr_t from, uintptr_t to)
{
    const bool rises = from == reader->to, falls = to == reader->from;
    reader->scattered |= reader->bytes > 0 && !rises && !falls;
    reader->from = reader->bytes == 0 || falls ? from : reader->from;
    reader->to = reader->bytes == 0 || rises ? to : reader->to;
}

/* Notes the characters of one lane's load; adds their bins to `met`. */
static void read_characters(struct readers *readers, const struct sim_event *event, unsigned lane,
                            uint64_t *met)
{
    struct reading *reading = &readers->result->reading;
    struct reader *reader = reader_of_text(readers, event, lane);
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
    reading->shared_loads += reader->bytes > 0 ? reader->loaded : 0;
    reading->counter_loads += reader->bytes > 0 ? reader->counters_loaded : 0;
    reader->global_atomics = reader->shared_atomics = reader->conflicts = 0;
    reader->loaded = reader->counters_loaded = 0;
    if (reader->bytes == 0) {
        reader->bin = NO_BIN;
    } else if (address != reader->next && reading->jumps++ == 0) {
        reading->jump = address - reader->next;
    }
    note_section(reader, address, address + event->bytes);
    reader->next = address + event->bytes;
    reader->bytes += event->bytes;
    if (reader->bytes > reading->longest)
        reading->longest = reader->bytes;
    for (unsigned int i = 0; i < event->bytes; i++) {
        size_t at = address + i - readers->call->values;
        unsigned short bin =
            at < readers->call->length ? readers->bin_of_byte[readers->text[at]] : NO_BIN;
        if (bin != NO_BIN) {
            reading->runs += bin != reader->bin;
            met[bin / 64] |= (uint64_t)1 << bin % 64;
        }
        reader->bin = bin;
    }
}

static uint64_t count_bits(const uint64_t *words)
{
    uint64_t bits = 0;
    for (size_t i = 0; i <= (num_bins() - 1) / 64; i++)
        bits += (uint64_t)__builtin_popcountll(words[i]);
    return bits;
}

static void note_load_text(struct readers *readers, const struct sim_event *event)
{
    uint64_t met[WORDS] = {0};
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1)
            read_characters(readers, event, lane, met);
    readers->result->distinct_bins += count_bits(met);
}

static void end_turn(struct readers *readers)
{
    readers->result->bins_in_turn += l2_rounds_busiest(&readers->bins_held);
    l2_rounds_free(&readers->bins_held);
    readers->lanes_held = 0;
}

/* Notes which stripes of the final bins are busy, and whether at the same time. */
static void note_commit(struct readers *readers, const struct sim_event *event)
{
    enum { THREADS_OF_THE_CARD = 132 * 2048 };
    const uint64_t lanes = (uint64_t)__builtin_popcount(event->active);
    l2_rounds_count(&readers->committers, event->block + (uintptr_t)1, lanes);
    l2_rounds_add(&readers->bins, event);
    l2_rounds_add(&readers->bins_held, event);
    readers->lanes_held += lanes;
    if (readers->lanes_held >= THREADS_OF_THE_CARD)
        end_turn(readers);
}

static void note_atomic(struct readers *readers, const struct sim_event *event)
{
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!(event->active >> lane & 1))
            continue;
        struct reader *reader = reader_of_text(readers, event, lane);
        reader->in_a_row = 0;
        if (event->space == SIM_GLOBAL) {
            reader->global_atomics++;
        } else {
            reader->shared_atomics++;
            reader->all_shared_atomics++;
        }
    }
}

/* The word of shared memory that a lane touches, by its place in the block's. */
static bool *counter_at(struct readers *readers, const struct sim_event *event, unsigned int lane)
{
    return &readers->is_counter[event->address[lane] / sizeof(uint32_t) % SHARED_WORDS];
}

/* What a thread changes when it has read some of the text is a counter: a table is made before. */
static void note_changed(struct readers *readers, const struct sim_event *event)
{
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1 && reader_of_text(readers, event, lane)->bytes > 0)
            *counter_at(readers, event, lane) = true;
}

static bool loads_counters(struct readers *readers, const struct sim_event *event)
{
    bool any = false;
    for (unsigned int lane = 0; lane < WARP; lane++)
        any |= event->active >> lane & 1 && *counter_at(readers, event, lane);
    return any;
}

static void note_shared(struct readers *readers, const struct sim_event *event)
{
    struct reader *first =
        reader_of_text(readers, event, (unsigned int)__builtin_ctz(event->active));
    if (event->access <= SIM_STORE)
        first->conflicts += event->cost - event->least;
    if (event->access != SIM_LOAD) {
        note_changed(readers, event);
        return;
    }
    first->loaded += event->cost;
    first->counters_loaded += loads_counters(readers, event) ? event->cost : 0;
}

static void note_of_readers(void *observer, const struct sim_event *event, enum watched_array array)
{
    struct readers *readers = observer;
    if (event->space == SIM_SHARED)
        note_shared(readers, event);
    if (event->access == SIM_LOAD && array == OF_INPUT)
        note_load_text(readers, event);
    if (event->access <= SIM_STORE)
        return;
    if (event->space == SIM_GLOBAL)
        l2_rounds_add(&readers->l2_rounds, event);
    if (array == OF_OUTPUT)
        note_commit(readers, event);
    note_atomic(readers, event);
}

/* Goes over all threads that read, once to find the busiest and once to compare. */
static uint64_t loads_of_a_round(const struct readers *readers)
{
    struct rounds rounds = {.most = 0};
    for (int comparing = 0; comparing < 2; comparing++)
        for (size_t i = 0; i < readers->warp_count * WARP; i++)
            if (readers->warps[i / WARP])
                rounds_add(&rounds, &readers->warps[i / WARP][i % WARP].rounds, comparing);
    return rounds_loads(&rounds);
}

static void sum_up_readers(struct readers *readers)
{
    struct reading *reading = &readers->result->reading;
    reading->in_a_round = loads_of_a_round(readers);
    for (size_t warp = 0; warp < readers->warp_count; warp++) {
        struct reader *lanes = readers->warps[warp];
        for (size_t i = 0; lanes && i < WARP; i++) {
            if (lanes[i].bytes == 0)
                continue;
            reading->threads++;
            reading->contiguous += !lanes[i].scattered;
            reading->bytes += lanes[i].bytes;
        }
        free(lanes);
    }
    free(readers->warps);
}

/* Where nothing read the text the shape is that of the last launch. */
static void describe_launch(struct measurement *result)
{
    const unsigned int *grid = result->shape.grid, *block = result->shape.block;
    if (result->launches == 0 || result->blocks > 0)
        return;
    result->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    result->threads_per_block = (uint64_t)block[0] * block[1] * block[2];
    result->threads = result->blocks * result->threads_per_block;
}

static void *begin_readers(const struct call *call, struct measurement *result)
{
    struct readers *readers = must_have(calloc(1, sizeof *readers), "to watch the kernel");
    readers->result = result;
    readers->call = call;
    readers->text = must_have(malloc(call->length + 1), "to watch the kernel");
    target_read(readers->text, (const void *)(uintptr_t)call->values, call->length);
    letters_in_bins(readers->bin_of_byte);
    return readers;
}

static void end_readers(void *observer)
{
    struct readers *readers = observer;
    struct measurement *result = readers->result;
    sum_up_readers(readers);
    result->atomic_stripes = readers->l2_rounds.used;
    result->busiest_stripe = l2_rounds_busiest(&readers->l2_rounds);
    result->busiest_of_bins = l2_rounds_busiest(&readers->bins);
    end_turn(readers);
    result->counting_blocks = l2_rounds_above(&readers->committers, num_bins());
    l2_rounds_free(&readers->l2_rounds);
    l2_rounds_free(&readers->bins);
    l2_rounds_free(&readers->committers);
    describe_launch(result);
    free(readers->text);
    free(readers);
}

const struct kernel_half kernel_half = {
    .begin = begin_readers, .note = note_of_readers, .end = end_readers};
