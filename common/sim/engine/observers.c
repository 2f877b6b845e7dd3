/* observers.c - who looks on while a launch runs (machine/observer.h).
 *
 * The order is that in which they are told. Races come before uninitialized memory, since a race may be why a byte was
 * not written yet. The counters come before all who want to know what an access costs. Late atomics come last, for they
 * change what others look at before. */
#include "engine/engine.h"

static bool always(void)
{
    return true;
}

static bool finds_races(void)
{
    return sim_checks(CHECK_RACE);
}

static bool finds_uninitialized(void)
{
    return sim_checks(CHECK_INIT);
}

static bool goes_by_clock(void)
{
    return sim_options()->by_clock;
}

static bool tells_accesses(void)
{
    return sim_telling_accesses;
}

static bool tells_steps(void)
{
    return sim_telling_steps;
}

static const struct {
    const struct observer *observer;
    bool (*is_wanted)(void);
} all[] = {
    {&sim_racecheck, finds_races},
    {&sim_initcheck, finds_uninitialized},
    {&sim_counting, always},
    {&sim_clocking, goes_by_clock},
    {&sim_event_teller, tells_accesses},
    {&sim_profiling, always},
    {&sim_step_teller, tells_steps},
    {&sim_late_atomics, always},
};
_Static_assert(sizeof all / sizeof *all <= MOST_OBSERVERS, "a launch has room for all");

void sim_choose_observers(struct launch *launch)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_wanted())
            launch->observers[count++] = all[i].observer;
    launch->observers[count] = NULL;
}
