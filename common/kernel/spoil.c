/* spoil.c - makes a call, and undoes what a quarter of the atomics of a kind have added, or gives lanes
 * something else than what a quarter of the votes and shuffles found. */
#include "spoil.h"

#include <string.h>

#include "measure.h"
#include "sim.h"
#include "target.h"

enum { LANES = 32, MOST_EVENTS = 64, ONE_IN = 4 };

struct watch {
    enum spoil what;
    struct spoiled *spoiled;
    uint64_t drawn;
    struct sim_event events[MOST_EVENTS]; /* of a step, which come before it */
    size_t count;
};

static bool is_drawn(struct watch *watch)
{
    watch->drawn = watch->drawn * 6364136223846793005u + 1442695040888963407u;
    return watch->drawn >> 33 & 1 && watch->drawn >> 34 & 1;
}

static void note(const struct sim_event *event, void *context)
{
    struct watch *watch = context;
    if (event->space == SIM_SHARED && event->atomic == SIM_ADD && event->bytes == 4 &&
        watch->count < MOST_EVENTS)
        watch->events[watch->count++] = *event;
}

static void undo_add(struct watch *watch, const struct sim_step *step, unsigned int lane)
{
    const uint32_t added = (uint32_t)step->after[lane][0] - (uint32_t)step->before[lane][0];
    uint32_t held;
    watch->spoiled->done += added != 0;
    if (added == 0 || !is_drawn(watch))
        return;
    void *const place = (void *)step->place[lane];
    memcpy(&held, place, sizeof held);
    held -= added;
    memcpy(place, &held, sizeof held);
    watch->spoiled->undone++;
    watch->spoiled->amount += added;
    watch->spoiled->in_parts[0] += (added >> 16) + (added & 0xffff);
    for (unsigned int byte = 0; byte < sizeof added; byte++)
        watch->spoiled->in_parts[1] += added >> 8 * byte & 0xff;
}

/* One bit of what each lane gets is another one: a lane more or less in a vote, or another value. */
static void falsify(struct watch *watch, const struct sim_step *step)
{
    const bool is_vote = strstr(step->name, "_match_") || strstr(step->name, "_ballot_") ||
                         strstr(step->name, "_any_") || strstr(step->name, "_all_");
    const bool is_alone = (step->active & (step->active - 1)) == 0;
    if (is_alone || is_vote != (watch->what == SPOIL_VOTES) ||
        strcmp(step->name, "__syncwarp") == 0)
        return;
    watch->spoiled->done++;
    if (!is_drawn(watch))
        return;
    const uint64_t bit = (uint64_t)1 << (watch->drawn >> 40) % LANES;
    for (uint32_t rest = step->active; rest; rest &= rest - 1) {
        uint64_t *const got = (uint64_t *)step->place[__builtin_ctz(rest)];
        *got ^= bit;
    }
    watch->spoiled->undone++;
}

static void note_step(const struct sim_step *step, void *context)
{
    struct watch *watch = context;
    if (step->kind == SIM_STEP_COLLECTIVE && watch->what != SPOIL_SHARED_ADDS)
        falsify(watch, step);
    if (step->kind == SIM_STEP_ACCESS && watch->what == SPOIL_SHARED_ADDS)
        for (size_t i = 0; i < watch->count; i++)
            for (unsigned int lane = 0; lane < LANES; lane++)
                if (watch->events[i].active >> lane & 1)
                    undo_add(watch, step, lane);
    if (step->kind == SIM_STEP_ACCESS)
        watch->count = 0;
}

void spoil_run(const struct call *call, enum spoil what, struct spoiled *spoiled)
{
    char error[256];
    struct watch watch = {.what = what, .spoiled = spoiled, .drawn = 1};
    *spoiled = (struct spoiled){.finished = 0};
    sim_observe(note, &watch);
    sim_observe_steps(note_step, &watch);
    call_make(call);
    spoiled->finished = target_finish(error, sizeof error);
    sim_observe(NULL, NULL);
    sim_observe_steps(NULL, NULL);
    spoiled->amount &= UINT32_MAX;
}
