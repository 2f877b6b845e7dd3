/* retaken.c - a thread that takes and frees one lock for ever.
 *
 * Memory changes all the time, so that nothing looks like waiting. But a thread that has work to do
 * reads other words between two rounds: its next key. One that has taken a lock many times in a row
 * is watched, and when it touches only a handful of words from then on, it does not end.
 *
 * For who has set a budget that is a word to say when it is spent. Without one, the launch would
 * go on for minutes: then it ends as soon as it is sure. */
#include <stdlib.h>

#include "engine/waiting/waiting.h"

enum { WORDS = 8 };
static const struct bars {
    uint64_t takes;          /* by all, since a thread returned */
    uint32_t times, watched; /* by the one, before it is watched, and then */
} with_budget = {0, 8, 16}, without = {1 << 17, 500, 100};

/* The lane that is watched. */
struct suspect {
    const struct lane *lane;
    const struct taken *taken;
    uint32_t until; /* it has taken the lock so many times */
    unsigned int words;
    uintptr_t word[WORDS];
};

void sim_drop_suspect(struct launch *launch)
{
    free(launch->suspect);
    launch->suspect = NULL;
    launch->takes = 0;
}

void sim_note_retaken(struct lane *lane, const struct taken *taken)
{
    struct launch *launch = lane->warp->block->launch;
    uint64_t budget = sim_options()->budget;
    bool chosen = budget != SIM_DEFAULT_BUDGET;
    const struct bars *bars = chosen ? &with_budget : &without;
    if (launch->suspect || taken->times < bars->times || launch->takes < bars->takes ||
        (chosen && launch->accesses < budget / 2))
        return;
    struct suspect *suspect = launch->suspect = calloc(1, sizeof *suspect);
    if (!suspect)
        return;
    suspect->lane = lane;
    suspect->taken = taken;
    suspect->until = taken->times + bars->watched;
}

void sim_watch_suspect(struct warp *warp, uint32_t lanes)
{
    struct suspect *suspect = warp->block->launch->suspect;
    unsigned int i = suspect->lane->number;
    if (suspect->lane->warp != warp || !(lanes >> i & 1))
        return;
    for (unsigned int k = 0; k < suspect->words; k++)
        if (suspect->word[k] == warp->address[i])
            return;
    if (suspect->words == WORDS)
        sim_drop_suspect(warp->block->launch);
    else
        suspect->word[suspect->words++] = warp->address[i];
}

const struct taken *sim_retaken(const struct launch *launch, const struct lane **lane)
{
    const struct suspect *suspect = launch->suspect;
    if (!suspect || suspect->taken->times < suspect->until)
        return NULL;
    *lane = suspect->lane;
    return suspect->taken;
}
