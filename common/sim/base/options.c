/* options.c - what the environment says: SIM_SEED, SIM_BUDGET, SIM_PROFILE,
 * SIM_PATIENCE, SIM_PROGRESS, SIM_CHECKS, SIM_CARD, SIM_MULTIPROCESSORS, SIM_DEVICES, SIM_SCHEDULE. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sim.h"

#define DEFAULT_CHECKS "all"

/* A misspelt number must not silently mean another run: it ends the program. */
static uint64_t number(const char *name, uint64_t least, uint64_t most, uint64_t otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value < least || value > most) {
        fprintf(stderr, "%s=%s is not a whole number from %llu to %llu\n", name, text,
                (unsigned long long)least, (unsigned long long)most);
        exit(2);
    }
    return value;
}

static const struct {
    const char *name;
    unsigned int checks;
} check_names[] = {
    {"none", 0},
    {"all", CHECK_RACE | CHECK_MEMORY | CHECK_INIT | CHECK_SYNC},
    {"racecheck", CHECK_RACE},
    {"memcheck", CHECK_MEMORY},
    {"initcheck", CHECK_INIT},
    {"synccheck", CHECK_SYNC},
    {"leakcheck", CHECK_LEAK},
    {"strict", CHECK_RACE | CHECK_MEMORY | CHECK_INIT | CHECK_SYNC | CHECK_STRICT},
};
enum { CHECK_NAMES = sizeof check_names / sizeof check_names[0] };

const char *sim_check_name(enum sim_check check)
{
    for (size_t i = 0; i < CHECK_NAMES; i++)
        if (check_names[i].checks == (unsigned int)check)
            return check_names[i].name;
    return "progress";
}

/* The checks of one name in a list. */
static unsigned int check_named(const char *name, size_t length)
{
    for (size_t i = 0; i < CHECK_NAMES; i++)
        if (strlen(check_names[i].name) == length &&
            strncmp(check_names[i].name, name, length) == 0)
            return check_names[i].checks;
    fprintf(stderr,
            "SIM_CHECKS: \"%.*s\" is not a check: use none, all, or a list of racecheck, "
            "memcheck, initcheck, synccheck, leakcheck, strict, with commas\n",
            (int)length, name);
    exit(2);
}

static unsigned int parse_checks(const char *list)
{
    unsigned int checks = 0;
    for (size_t length; *list; list += length) {
        list += *list == ',';
        length = strcspn(list, ",");
        checks |= check_named(list, length);
    }
    return checks;
}

void sim_set_checks(const char *list)
{
    sim_options()->checks = parse_checks(list);
}

void sim_refuse_warps_in_step(int on)
{
    sim_options()->refuses_in_step = on;
}

static bool says_clock(const char *schedule)
{
    const bool clock = schedule && strcmp(schedule, "clock") == 0;
    if (schedule && *schedule && !clock && strcmp(schedule, "drawn") != 0) {
        fprintf(stderr, "SIM_SCHEDULE=%s is neither drawn nor clock\n", schedule);
        exit(2);
    }
    return clock;
}

struct sim_options *sim_options(void)
{
    static struct sim_options options;
    static bool read;
    if (!read) {
        read = true;
        options.seed = number("SIM_SEED", 0, UINT64_MAX, 1);
        options.budget = number("SIM_BUDGET", 0, UINT64_MAX, SIM_DEFAULT_BUDGET);
        options.patience = (unsigned int)number("SIM_PATIENCE", 0, UINT32_MAX, 5);
        options.progress =
            (unsigned int)number("SIM_PROGRESS", 0, SIM_PROGRESS_UNSET - 1, SIM_PROGRESS_UNSET);
        options.card = sim_card_chosen();
        options.multiprocessors =
            (unsigned int)number("SIM_MULTIPROCESSORS", 1, SIM_MOST_MULTIPROCESSORS,
                                 (uint64_t)options.card->multiprocessors);
        options.l2_bytes = (unsigned int)options.card->l2_bytes;
        options.devices = (unsigned int)number("SIM_DEVICES", 1, SIM_MOST_DEVICES, 1);
        options.by_clock = says_clock(getenv("SIM_SCHEDULE"));
        const char *checks = getenv("SIM_CHECKS");
        options.checks = parse_checks(checks && *checks ? checks : DEFAULT_CHECKS);
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
    sim_set_budget_for(lane_accesses, 0, NULL);
}

void sim_set_budget_for(uint64_t lane_accesses, uint64_t units, const char *unit)
{
    sim_options()->budget = lane_accesses;
    sim_options()->budget_units = units;
    sim_options()->budget_unit = unit;
}

void sim_set_multiprocessors(unsigned int count)
{
    if (count < 1 || count > SIM_MOST_MULTIPROCESSORS) {
        fprintf(stderr, "sim_set_multiprocessors: %u is not from 1 to %d\n", count,
                SIM_MOST_MULTIPROCESSORS);
        exit(2);
    }
    sim_options()->multiprocessors = count;
}

void sim_schedule_by_clock(int on)
{
    sim_options()->by_clock = on;
}

void sim_set_devices(unsigned int count)
{
    if (count < 1 || count > SIM_MOST_DEVICES) {
        fprintf(stderr, "sim_set_devices: %u is not from 1 to %d\n", count, SIM_MOST_DEVICES);
        exit(2);
    }
    sim_options()->devices = count;
}

void sim_set_host(unsigned int host)
{
    sim_options()->host = host;
}

void sim_set_l2_bytes(unsigned int bytes)
{
    sim_options()->l2_bytes = bytes;
}
