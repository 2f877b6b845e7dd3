/* deferred.c - races that are told when the launch is over, if they are any: what an
 * instruction is may show late. One of each pair of lines is kept, with a copy of its warp and
 * block, which go on. */
#include <stdlib.h>

#include "checks/race.h"

static struct deferred_race {
    struct race race;
    race_judge *judge;
    uint16_t number;
    struct warp *warp;
    struct block block;
} waiting[DEFERRED_WARPS];
static size_t waiting_count;

bool sim_race_waits(uint16_t earlier, uint16_t later)
{
    for (size_t i = 0; i < waiting_count; i++)
        if (waiting[i].race.number == later && waiting[i].race.earlier_number == earlier)
            return true;
    return false;
}

bool sim_race_defer(const struct race *race, race_judge *judge, uint16_t number)
{
    if (sim_race_waits(race->earlier_number, race->number))
        return true;
    struct warp *copy = waiting_count < DEFERRED_WARPS ? malloc(sizeof *copy) : NULL;
    if (!copy)
        return false;
    struct deferred_race *new = &waiting[waiting_count];
    *copy = *race->warp;
    copy->at = MOST_WARPS + (unsigned int)waiting_count++;
    *sim_tried_of(copy) = *sim_tried_of(race->warp);
    *new = (struct deferred_race){*race, judge, number, copy, *copy->block};
    new->race.warp = copy;
    copy->block = &new->block;
    copy->lane[race->lane].warp = copy;
    return true;
}

void sim_race_judge_deferred(void)
{
    size_t count = waiting_count;
    waiting_count = 0; /* whoever is told now waits no more */
    for (size_t i = 0; i < count; i++) {
        enum race_verdict verdict = waiting[i].judge(waiting[i].number);
        if (verdict != RACE_IS_NONE)
            sim_race_tell(&waiting[i].race, verdict == RACE_IS_WARNING);
        free(waiting[i].warp);
    }
}
