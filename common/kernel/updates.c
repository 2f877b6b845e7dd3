/* updates.c - follows each word that atomics touch: see struct updates in measure.h. */
#include <stdbool.h>
#include <string.h>

#include "base/table.h"
#include "measure.h"
#include "must_have.h"
#include "sim.h"

enum { LANES = 32, MOST_EVENTS = 64, WORDS = 2 };

/* One word of memory, of which an atomic has been seen. */
struct followed {
    uint64_t key; /* key_of */
    uint64_t tries, others, sections;
    bool set; /* by `thread`, which has not set it back yet */
    uint64_t thread, before[WORDS];
    bool has_free;     /* an add, or one of bits, has changed it: */
    uint64_t free;     /* from what, for the first time */
    uint64_t taken_at; /* by which instruction */
    uint64_t late;     /* the last thread that was too late to take it, until it does */
    bool counts;       /* who has taken it adds more, or another one sets it back */
};

static struct sim_table table = {.entry_bytes = sizeof(struct followed)};

/* The instructions that take counters, and so no locks; and how often lanes of such an instruction came to a word
 * that is not followed, because it is a counter as well. */
static struct sim_table counting = {.entry_bytes = sizeof(uint64_t)};
static uint64_t counted;

/* The accesses of a step of a warp, which come before it is told what became of them. */
static struct {
    struct sim_event all[MOST_EVENTS];
    size_t count;
    bool are_all; /* adds, and those of bits, are followed, too */
} events;

/* Of shared memory with the number of the block: where no address of global memory is. */
static uint64_t key_of(const struct sim_event *event, unsigned int lane)
{
    enum { SHARED_BITS = 20, NO_ADDRESS = 63 };
    const uint64_t block = (uint64_t)1 << NO_ADDRESS | (uint64_t)event->block << SHARED_BITS;
    return event->address[lane] + 1 + (event->space == SIM_SHARED ? block : 0);
}

/* Whether a lane's access has set its word. */
static bool has_set(const struct sim_step *step, unsigned int lane)
{
    return memcmp(step->before[lane], step->after[lane], sizeof step->before[lane]) != 0;
}

/* Whether it has left in it what was there before the word was taken. */
static bool sets_back(const struct followed *word, const struct sim_step *step, unsigned int lane)
{
    return memcmp(word->before, step->after[lane], sizeof word->before) == 0;
}

static bool is_counted(const struct sim_event *event)
{
    return event->atomic == SIM_ADD || event->atomic == SIM_BITWISE;
}

/* Finds what a word held before the atomic of a warp. The lanes changed it one after the other, in any order, so it
 * is the value that none of them left. */
static uint64_t first_before(const struct sim_event *event, const struct sim_step *step,
                             unsigned int lane)
{
    uint64_t first = step->before[lane][0];
    for (unsigned int one = 0; one < LANES; one++) {
        bool is_left = !(event->active >> one & 1) || event->address[one] != event->address[lane];
        for (unsigned int other = 0; other < LANES && !is_left; other++)
            is_left = other != one && event->active >> other & 1 &&
                      event->address[other] == event->address[lane] &&
                      step->after[other][0] == step->before[one][0];
        first = is_left ? first : step->before[one][0];
    }
    return first;
}

/* Whether an access takes the word. A thread that comes too late may add to it all the same, so only a thread takes
 * it that has found in it what the first of all found. */
static bool takes(struct followed *word, const struct sim_event *event, const struct sim_step *step,
                  unsigned int lane)
{
    if (event->access == SIM_STORE || !has_set(step, lane))
        return false;
    if (is_counted(event) && !word->has_free) {
        word->has_free = true;
        word->taken_at = event->pc;
        word->free = first_before(event, step, lane);
    }
    return !is_counted(event) || word->free == step->before[lane][0];
}

/* Notes what an access tells of the word, unless the access sets it back for its thread. A thread that is too late
 * for a lock comes again until it has it, a thread that has it adds nothing to it, and no other thread sets it
 * back. */
static void note_taken(struct followed *word, const struct sim_event *event,
                       const struct sim_step *step, unsigned int lane, uint64_t thread)
{
    const bool adds = event->atomic == SIM_ADD && step->after[lane][0] > step->before[lane][0];
    const bool is_own = word->thread == thread;
    const bool is_freed = !is_counted(event) && has_set(step, lane) && sets_back(word, step, lane);
    word->counts |= word->set && (is_own ? adds : is_freed);
    if (takes(word, event, step, lane)) {
        word->set = true;
        word->thread = thread;
        memcpy(word->before, step->before[lane], sizeof word->before);
        word->late = word->late == thread ? 0 : word->late;
    } else if (is_counted(event)) {
        word->late = thread;
    }
}

static void note_counting(uint64_t instruction)
{
    if (!sim_table_find(&counting, instruction))
        must_have(sim_table_add(&counting, instruction), "to watch the kernel");
}

static void follow_lane(const struct sim_event *event, const struct sim_step *step,
                        unsigned int lane, bool counts)
{
    const uint64_t thread = ((uint64_t)event->block << 32 | event->warp << 5 | lane) + 1;
    struct followed *word = sim_table_find(&table, key_of(event, lane));
    counted += !word && counts;
    if (!word && event->access != SIM_STORE && !counts)
        word = must_have(sim_table_add(&table, key_of(event, lane)), "to watch the kernel");
    if (!word) /* nobody updates it, so far */
        return;
    word->tries += event->atomic == SIM_CAS;
    word->others += is_counted(event);
    if (word->set && word->thread == thread && sets_back(word, step, lane)) {
        word->set = false;
        word->sections++;
    } else {
        note_taken(word, event, step, lane, thread);
        if (word->counts && word->has_free)
            note_counting(word->taken_at);
    }
}

static void follow(const struct sim_event *event, const struct sim_step *step)
{
    const bool counts = is_counted(event) && sim_table_find(&counting, event->pc);
    for (unsigned int lane = 0; lane < LANES; lane++)
        if (event->active >> lane & 1)
            follow_lane(event, step, lane, counts);
}

/* Whether adds, or atomics on bits, have taken a word that is a counter, which may be set to 0 again. */
static bool is_counter(const struct followed *word)
{
    return word->has_free && (word->late != 0 || word->counts);
}

void updates_note(const struct sim_event *event)
{
    const bool matters = event->access == SIM_STORE || event->atomic == SIM_CAS ||
                         event->atomic == SIM_EXCHANGE || (events.are_all && is_counted(event));
    if (matters && events.count < MOST_EVENTS)
        events.all[events.count++] = *event;
}

void updates_note_step(const struct sim_step *step)
{
    for (size_t i = 0; step->kind == SIM_STEP_ACCESS && i < events.count; i++)
        follow(&events.all[i], step);
    events.count = 0;
}

void updates_begin(bool are_all)
{
    events.count = 0;
    events.are_all = are_all;
    counted = 0;
}

/* Finds the instructions that are known to take counters when all is over. */
static void find_counting(void)
{
    const struct followed *word = NULL;
    while ((word = sim_table_next(&table, word)))
        if (is_counter(word))
            note_counting(word->taken_at);
}

struct updates updates_end(void)
{
    struct updates updates = {.others = counted};
    const struct followed *word = NULL;
    find_counting();
    while ((word = sim_table_next(&table, word))) {
        const bool is_lock =
            word->sections > 0 && !(word->has_free && sim_table_find(&counting, word->taken_at));
        updates.locks += is_lock ? word->sections : 0;
        updates.words += is_lock;
        updates.attempts += is_lock ? 0 : word->tries;
        updates.others += is_lock ? 0 : word->others;
        updates.held += is_lock && word->set;
    }
    sim_table_free(&counting);
    sim_table_free(&table);
    return updates;
}
