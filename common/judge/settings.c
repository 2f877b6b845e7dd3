/* settings.c - on what the calls that follow are made: see settings.h. */
#include "settings.h"

#include <stdbool.h>
#include <stdlib.h>

static struct {
    bool is_known; /* the schedule */
    uint64_t schedule;
    unsigned int multiprocessors, l2_bytes; /* 0: the card's */
} settings;

void set_schedule(uint64_t seed)
{
    settings.is_known = true;
    settings.schedule = seed;
}

uint64_t schedule_now(void)
{
    const char *chosen = getenv("SIM_SEED");
    if (!settings.is_known)
        set_schedule(chosen && *chosen ? strtoull(chosen, NULL, 10) : 1);
    return settings.schedule;
}

void set_multiprocessors(unsigned int count)
{
    settings.multiprocessors = count;
}

void set_l2_bytes(unsigned int bytes)
{
    settings.l2_bytes = bytes;
}

void settings_of(struct job *job)
{
    job->seed = schedule_now();
    job->multiprocessors = settings.multiprocessors;
    job->l2_bytes = settings.l2_bytes;
}
