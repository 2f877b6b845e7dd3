/* retaken.c - a thread that takes and frees one lock for ever.
 *
 * Memory changes all the time, so that nothing looks like waiting. But a thread that has work to do
 * reads other words between two rounds: its next key. One that has taken a lock many times in a row
 * is watched, and when it touches only a handful of words from then on, it does not end.
 *
 * For who has set a budget that is a word to say when it is spent. Without one, the launch would
 * go on for minutes: then it ends as soon as it is sure. */
#include "engine/waiting/waiting.h"

enum { WORDS = 8 };
static const struct bars {
    uint64_t takes;          /* by all, since a thread returned */
    uint32_t times, watched; /* by the one, before it is watched, and then */
} with_budget = {0, 8, 16}, without = {1 << 17, 500, 100};

/* The lane that is watched, if one is. */
bool sim_suspects;
static struct {
    const struct lane *lane;
    const struct taken *taken;
    uint32_t until; /* it has taken the lock so many times */
    unsigned int words;
    uintptr_t word[WORDS];
} suspect;
static uint64_t takes;      /* of words by compare-and-swap or exchange, since a thread returned */
static uint64_t takes_live; /* so many threads lived then */

void sim_drop_suspect(void)
{
    sim_suspects = false;
    takes = 0;
}

void sim_note_retaken(struct lane *lane, const struct taken *taken)
{
    const struct launch *launch = lane->warp->block->launch;
    const uint64_t budget = sim_options()->budget;
    const bool chosen = budget != SIM_DEFAULT_BUDGET;
    const struct bars *bars = chosen ? &with_budget : &without;
    if (launch->live != takes_live) { /* somebody has come to an end */
        takes_live = launch->live;
        sim_drop_suspect();
    }
    takes++;
    if (sim_suspects || taken->times < bars->times || takes < bars->takes ||
        (chosen && launch->accesses < budget / 2))
        return;
    sim_suspects = true;
    suspect.lane = lane;
    suspect.taken = taken;
    suspect.until = taken->times + bars->watched;
    suspect.words = 0;
}

void sim_watch_suspect(struct warp *warp, uint32_t lanes)
{
    const unsigned int i = suspect.lane->number;
    if (suspect.lane->warp != warp || !(lanes >> i & 1))
        return;
    for (unsigned int k = 0; k < suspect.words; k++)
        if (suspect.word[k] == warp->address[i])
            return;
    if (suspect.words == WORDS)
        sim_drop_suspect();
    else
        suspect.word[suspect.words++] = warp->address[i];
}

const struct taken *sim_retaken(const struct lane **lane)
{
    if (!sim_suspects || suspect.taken->times < suspect.until)
        return NULL;
    *lane = suspect.lane;
    return suspect.taken;
}
