/* report.c - errors, in compute-sanitizer's layout, each told once. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checks.h"

enum { EXIT_STATUS = 86, DISTINCT = 256 };

static struct {
    uintptr_t pc;
    char headline[96];
} told[DISTINCT];
static size_t told_count;
static uint64_t errors, repeats; /* told; of the same, and only counted */

uint64_t sim_error_count(void)
{
    return errors;
}

/* A program in which a check fired must not look successful. */
static void summarize(int status, void *unused)
{
    (void)unused;
    if (sim_checks(CHECK_LEAK))
        sim_memory_report_leaks();
    if (errors == 0)
        return;
    fflush(stdout);
    if (repeats)
        fprintf(stderr, "========= not shown: %llu repeat%s of the above\n",
                (unsigned long long)repeats, repeats == 1 ? "" : "s");
    fprintf(stderr, "========= ERROR SUMMARY: %llu error%s\n", (unsigned long long)errors,
            errors == 1 ? "" : "s");
    if (status == 0)
        _exit(EXIT_STATUS);
}

static bool is_news(uintptr_t pc, const char *headline)
{
    for (size_t i = 0; i < told_count; i++)
        if (told[i].pc == pc && strcmp(told[i].headline, headline) == 0)
            return false;
    if (told_count == DISTINCT)
        return false;
    told[told_count].pc = pc;
    snprintf(told[told_count].headline, sizeof told[0].headline, "%s", headline);
    told_count++;
    return true;
}

void sim_plain_name(const char *symbol, char *text, size_t size)
{
    const char *digits = symbol[0] == '_' && symbol[1] == 'Z' ? symbol + 2 : "";
    digits += *digits == 'L';
    char *name;
    unsigned long length = strtoul(digits, &name, 10);
    if (length && length <= strlen(name))
        snprintf(text, size, "%.*s", (int)length, name);
    else
        snprintf(text, size, "%s", symbol);
}

struct lane *sim_lane_for(const char *what, uintptr_t pc)
{
    if (sim_lane)
        return sim_lane;
    char headline[96];
    snprintf(headline, sizeof headline, "Host code calls %s", what);
    sim_report(NULL, pc, headline, "only a kernel can do that",
               "call it in a __global__ function, or in what such a function calls");
    exit(EXIT_STATUS);
}

char *sim_describe_lane(const struct lane *lane, char *text, size_t size)
{
    struct sim_index t = lane->thread, b = lane->warp->block->index;
    snprintf(text, size, "thread (%u,%u,%u) in block (%u,%u,%u)", t.x, t.y, t.z, b.x, b.y, b.z);
    return text;
}

void sim_print_place(uintptr_t pc)
{
    struct sim_source source = sim_find_source(pc, true);
    char name[128];
    sim_plain_name(source.function, name, sizeof name);
    if (source.line)
        fprintf(stderr, "=========     at %s in %s:%d\n", name, source.file, source.line);
    else
        fprintf(stderr, "=========     at an unknown line: compile with -g\n");
}

void sim_reset_errors(void)
{
    errors = repeats = 0;
    told_count = 0;
    sim_races_forget();
}

void sim_count_error(bool is_told)
{
    if (is_told)
        errors++;
    else
        repeats++;
}

/* Before main, so that it runs last at the end. */
__attribute__((constructor)) static void summarize_at_exit(void)
{
    on_exit(summarize, NULL);
}

bool sim_report(const struct lane *lane, uintptr_t pc, const char *headline, const char *detail,
                const char *advice)
{
    char text[128];
    bool news = is_news(pc, headline);
    sim_count_error(news);
    if (!news)
        return false;
    fflush(stdout);
    fprintf(stderr, "========= %s\n", headline);
    sim_print_place(pc);
    if (lane)
        fprintf(stderr, "=========     by %s\n", sim_describe_lane(lane, text, sizeof text));
    fprintf(stderr, "=========     %s\n", detail);
    fprintf(stderr, "=========     What to do: %s\n", advice);
    return true;
}

static const char *const reasons[] = {
    [STOP_LOAD] = "a load",           [STOP_STORE] = "a store",
    [SIM_RED] = "an atomic",          [STOP_ATOMIC] = "an atomic",
    [STOP_RESUME] = "being let go",   [STOP_COLLECTIVE] = "a warp intrinsic",
    [STOP_BARRIER] = "__syncthreads", [STOP_GRID_BARRIER] = "the barrier of the grid",
};

const char *sim_waits_at(uint32_t info)
{
    enum stop stop = info_stop(info);
    return reasons[stop < STOP_DONE ? stop : STOP_RESUME];
}

/* Where lanes stand: the first of them, and how many there are. */
enum { PLACES = 6 };
struct place {
    uintptr_t pc;
    uint32_t info;
    const struct lane *lane;
    unsigned int lanes;
};

/* Adds a lane to the places; returns whether there was room for it. */
static bool add_place(struct place *places, const struct lane *lane)
{
    const struct warp *warp = lane->warp;
    uintptr_t pc = sim_lane_pc(warp, lane->number);
    for (int i = 0; i < PLACES; i++) {
        if (!places[i].lanes)
            places[i] = (struct place){pc, warp->info[lane->number], lane, 0};
        if (places[i].pc == pc) {
            places[i].lanes++;
            return true;
        }
    }
    return false;
}

static bool find_places(const struct launch *launch, struct place *places)
{
    bool all = true;
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps && launch->resident[b]->live; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            for (uint32_t rest = warp->live; rest; rest &= rest - 1)
                all &= add_place(places, &warp->lane[__builtin_ctz(rest)]);
        }
    return all;
}

void sim_report_standing(const struct launch *launch)
{
    struct place places[PLACES] = {{0}};
    bool all = find_places(launch, places);
    char where[160], who[128], others[32];
    fprintf(stderr, "=========     Where threads stand:\n");
    for (int i = 0; i < PLACES && places[i].lanes; i++) {
        snprintf(others, sizeof others, " and %u other%s", places[i].lanes - 1,
                 places[i].lanes == 2 ? "" : "s");
        fprintf(stderr, "=========     %s%s: at %s in %s\n",
                sim_describe_lane(places[i].lane, who, sizeof who),
                places[i].lanes > 1 ? others : "", sim_waits_at(places[i].info),
                sim_locate(places[i].pc, where, sizeof where));
    }
    if (!all)
        fprintf(stderr, "=========     ... and more places\n");
}
