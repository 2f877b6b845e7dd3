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
static uint64_t errors;

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
    errors = 0;
    told_count = 0;
    sim_races_forget();
}

void sim_count_error(void)
{
    errors++;
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
    sim_count_error();
    if (!is_news(pc, headline))
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

/* The lanes of a warp that stand where `first` stands. */
static uint32_t companions(const struct warp *warp, unsigned int first, uint32_t among)
{
    uint32_t same = 0;
    for (uint32_t rest = among; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (warp->key[i] == warp->key[first])
            same |= 1u << i;
    }
    return same;
}

static void print_standing(const struct warp *warp)
{
    for (uint32_t rest = warp->live; rest;) {
        unsigned int first = (unsigned int)__builtin_ctz(rest);
        uint32_t same = companions(warp, first, rest);
        char where[160], who[128];
        enum stop stop = info_stop(warp->info[first]);
        fprintf(stderr, "=========     %s%s: at %s in %s\n",
                sim_describe_lane(&warp->lane[first], who, sizeof who),
                same & (same - 1) ? " and others" : "",
                reasons[stop < STOP_DONE ? stop : STOP_RESUME],
                sim_locate(sim_lane_pc(warp, first), where, sizeof where));
        rest &= ~same;
    }
}

void sim_report_standing(const struct launch *launch)
{
    int warps = 0;
    fprintf(stderr, "=========     Where threads stand:\n");
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps && launch->resident[b]->live; w++) {
            const struct warp *warp = &launch->resident[b]->warps[w];
            if (!warp->live)
                continue;
            if (++warps > 4) {
                fprintf(stderr, "=========     ... and more warps\n");
                return;
            }
            print_standing(warp);
        }
}
