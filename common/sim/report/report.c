/* report.c - errors, in compute-sanitizer's layout, each told once. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"

enum { EXIT_STATUS = 86, DISTINCT = 256 };

static struct {
    uintptr_t pc;
    char headline[96];
} reported[DISTINCT];
static size_t reported_count;
static uint64_t errors, repeats; /* told; of the same, and only counted */
static void (*check_at_end)(void);

/* Who is told of reports as data, and what the report at hand is of. */
static sim_report_observer *observer;
static void *observer_context;
static enum sim_check current_check;

/* In a trial, which check had something to report first; nothing is told then. */
static bool muted;
static const char *muted_report;

void sim_mute_reports(bool on)
{
    muted = on;
    if (on)
        muted_report = NULL;
}

const char *sim_muted_report(void)
{
    return muted_report;
}

bool sim_keep_quiet(enum sim_check check)
{
    if (muted && !muted_report)
        muted_report = sim_check_name(check);
    return muted;
}

uint64_t sim_error_count(void)
{
    return errors;
}

/* A program in which a check fired must not look successful. */
static void summarize(int status, void *unused)
{
    (void)unused;
    if (check_at_end)
        check_at_end();
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

/* One mistake in a loop, or in each of thousands of threads, is one to the reader. */
static bool is_news(uintptr_t pc, const char *headline)
{
    for (size_t i = 0; i < reported_count; i++)
        if (reported[i].pc == pc && strcmp(reported[i].headline, headline) == 0)
            return false;
    if (reported_count == DISTINCT)
        return false;
    reported[reported_count].pc = pc;
    snprintf(reported[reported_count].headline, sizeof reported[0].headline, "%s", headline);
    reported_count++;
    return true;
}

/* Such code compiles here, as with nvcc it would not, for host and device are one program. */
struct lane *sim_lane_for(const char *what, uintptr_t pc)
{
    if (sim_lane)
        return sim_lane;
    char headline[96];
    snprintf(headline, sizeof headline, "Host code calls %s", what);
    sim_report(CHECK_MEMORY, NULL, pc, headline, "only a kernel can do that",
               "call it in a __global__ function, or in what such a function calls");
    exit(EXIT_STATUS);
}

char *sim_describe_lane(const struct lane *lane, char *text, size_t size)
{
    struct sim_index t = lane->thread, b = lane->warp->block->index;
    int used =
        snprintf(text, size, "thread (%u,%u,%u) in block (%u,%u,%u)", t.x, t.y, t.z, b.x, b.y, b.z);
    if (sim_options()->devices > 1 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " on device %u",
                 lane->warp->block->launch->device);
    return text;
}

void sim_observe_reports(sim_report_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

void sim_report_begin(enum sim_check check)
{
    current_check = check;
}

void sim_report_names(uintptr_t pc)
{
    if (observer && current_check)
        observer(sim_check_name(current_check), pc, observer_context);
}

void sim_print_place(uintptr_t pc)
{
    sim_report_names(pc);
    struct sim_source source = sim_find_source(pc, true);
    char name[128];
    sim_readable_name(source.function, name, sizeof name);
    if (source.line)
        fprintf(stderr, "=========     at %s in %s:%d\n", name, source.file, source.line);
    else
        fprintf(stderr, "=========     at an unknown line: compile with -g\n");
}

void sim_forget_reports(void)
{
    errors = repeats = 0;
    reported_count = 0;
}

void sim_report_at_end(void (*check)(void))
{
    check_at_end = check;
}

void sim_count_error(bool is_reported)
{
    if (is_reported)
        errors++;
    else
        repeats++;
}

/* Before main, so that it runs last at the end. */
__attribute__((constructor)) static void summarize_at_exit(void)
{
    on_exit(summarize, NULL);
}

/* One report: `kind` goes before the headline. */
static void print_report(const char *kind, enum sim_check check, const struct lane *lane,
                         uintptr_t pc, const char *headline, const char *detail, const char *advice)
{
    char text[128];
    fflush(stdout);
    fprintf(stderr, "========= %s%s: %s\n", kind, headline, detail);
    sim_report_begin(check);
    sim_print_place(pc);
    if (lane)
        fprintf(stderr, "=========     by %s\n", sim_describe_lane(lane, text, sizeof text));
    fprintf(stderr, "=========     What to do: %s\n", advice);
}

void sim_report(enum sim_check check, const struct lane *lane, uintptr_t pc, const char *headline,
                const char *detail, const char *advice)
{
    if (sim_keep_quiet(check))
        return;
    bool news = is_news(pc, headline);
    sim_count_error(news);
    if (news)
        print_report("", check, lane, pc, headline, detail, advice);
}

void sim_warn(const struct lane *lane, uintptr_t pc, const char *headline, const char *detail,
              const char *advice)
{
    if (!muted && is_news(pc, headline))
        print_report("Warning: ", 0, lane, pc, headline, detail, advice);
}
