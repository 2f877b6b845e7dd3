/* updates.c - follows each word that atomics touch: see updates.h. */
#include "updates.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must_have.h"
#include "sim.h"

enum { LANES = 32, MOST_EVENTS = 64, WORDS = 2, FIRST_SIZE = 1 << 12 };

/* One word of memory, of which an atomic has been seen. */
struct followed {
    uintptr_t address; /* 0: this place of the table is free */
    uint64_t block;    /* of shared memory, from 1 on; 0 for global memory */
    uint64_t tries, others, sections;
    bool set; /* by `thread`, which has not set it back yet */
    uint64_t thread, before[WORDS];
    bool has_free; /* an add, or one of bits, has changed it: */
    uint64_t free; /* from what, for the first time */
};

/* A table with open addressing, at most half full. */
static struct {
    struct followed *words;
    size_t size, used;
} table;

/* The accesses of a step of a warp, which come before it is told what became of them. */
static struct {
    struct sim_event all[MOST_EVENTS];
    size_t count;
    bool are_all; /* adds, and those of bits, are followed, too */
} events;

/* The place of a word, or the free one where it belongs. */
static struct followed *place_of(uintptr_t address, uint64_t block)
{
    const uint64_t mixed = (address / 4 + block * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    size_t at = (size_t)(mixed >> 20) & (table.size - 1);
    while (table.words[at].address &&
           (table.words[at].address != address || table.words[at].block != block))
        at = (at + 1) & (table.size - 1);
    return &table.words[at];
}

static void grow(void)
{
    struct followed *old = table.words;
    const size_t size = table.size;
    table.size = size > 0 ? 2 * size : FIRST_SIZE;
    table.words = must_have(calloc(table.size, sizeof *table.words), "to watch the kernel");
    for (size_t i = 0; i < size; i++)
        if (old[i].address)
            *place_of(old[i].address, old[i].block) = old[i];
    free(old);
}

/* NULL when it is not followed, and shall not be from now on. */
static struct followed *followed_at(uintptr_t address, uint64_t block, bool from_now_on)
{
    if (2 * table.used >= table.size)
        grow();
    struct followed *word = place_of(address, block);
    if (!word->address && !from_now_on)
        return NULL;
    if (!word->address) {
        *word = (struct followed){.address = address, .block = block};
        table.used++;
    }
    return word;
}

/* Whether a lane's access has set its word. */
static bool has_set(const struct sim_step *step, unsigned int lane)
{
    return memcmp(step->before[lane], step->after[lane], sizeof step->before[lane]) != 0;
}

static bool is_counted(const struct sim_event *event)
{
    return event->atomic == SIM_ADD || event->atomic == SIM_BITWISE;
}

/* What a word held before the atomic of a warp, whose lanes changed it one after the other in any order:
 * what none of them left. */
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

/* Whether an access takes the word. Who comes too late may add to it all the same: only who has found it
 * as the first of all did. */
static bool takes(struct followed *word, const struct sim_event *event, const struct sim_step *step,
                  unsigned int lane)
{
    if (event->access == SIM_STORE || !has_set(step, lane))
        return false;
    if (is_counted(event) && !word->has_free) {
        word->has_free = true;
        word->free = first_before(event, step, lane);
    }
    return !is_counted(event) || word->free == step->before[lane][0];
}

static void follow_lane(const struct sim_event *event, const struct sim_step *step,
                        unsigned int lane)
{
    const uint64_t block = event->space == SIM_SHARED ? event->block + (uint64_t)1 : 0;
    const uint64_t thread = ((uint64_t)event->block << 32 | event->warp << 5 | lane) + 1;
    struct followed *word =
        followed_at(event->address[lane] + 1, block, event->access != SIM_STORE);
    if (!word)
        return;
    word->tries += event->atomic == SIM_CAS;
    word->others += is_counted(event);
    if (word->set && word->thread == thread &&
        memcmp(word->before, step->after[lane], sizeof word->before) == 0) {
        word->set = false;
        word->sections++;
    } else if (takes(word, event, step, lane)) {
        word->set = true;
        word->thread = thread;
        memcpy(word->before, step->before[lane], sizeof word->before);
    }
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
        for (unsigned int lane = 0; lane < LANES; lane++)
            if (events.all[i].active >> lane & 1)
                follow_lane(&events.all[i], step, lane);
    events.count = 0;
}

void updates_begin(bool are_all)
{
    events.count = 0;
    events.are_all = are_all;
}

struct updates updates_end(void)
{
    struct updates updates = {0};
    for (size_t i = 0; i < table.size; i++) {
        const bool is_lock = table.words[i].sections > 0;
        updates.locks += table.words[i].sections;
        updates.words += is_lock;
        updates.attempts += is_lock ? 0 : table.words[i].tries;
        updates.others += is_lock ? 0 : table.words[i].others;
        updates.held += is_lock && table.words[i].set;
    }
    free(table.words);
    table.words = NULL;
    table.size = table.used = 0;
    return updates;
}
