/* options.c - what the environment says: SIM_SEED, SIM_BUDGET, SIM_PROFILE, SIM_PATIENCE. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno) {
        fprintf(stderr, "%s=%s is not a whole number: use 0 to 18446744073709551615\n", name, text);
        exit(2);
    }
    return value;
}

struct sim_options *sim_options(void)
{
    static struct sim_options options;
    static bool read;
    if (!read) {
        read = true;
        options.seed = number("SIM_SEED", 1);
        options.budget = number("SIM_BUDGET", 2000000000);
        options.patience = (unsigned int)number("SIM_PATIENCE", 5);
        options.profile = getenv("SIM_PROFILE");
        if (options.profile && !*options.profile)
            options.profile = NULL;
    }
    return &options;
}

void sim_set_seed(uint64_t seed)
{
    sim_options()->seed = seed;
}

uint64_t sim_seed(void)
{
    return sim_options()->seed;
}

void sim_set_budget(uint64_t lane_accesses)
{
    sim_options()->budget = lane_accesses;
}
