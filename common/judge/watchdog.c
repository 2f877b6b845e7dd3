/* watchdog.c - looks at the kernel's process from outside: see watchdog.h. */
#define _GNU_SOURCE
#include "watchdog.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 64, THREADS = 1024, SECONDS = 20, MOST_GIGA = 4 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What one process has used up, or all of them. */
struct usage {
    double seconds; /* of computing */
    bool ready;     /* it would compute if the machine had a core for it, or it waits for a disk */
    unsigned long threads;
    double bytes; /* of memory */
};

static void add_usage(struct usage *usage, pid_t pid)
{
    char path[64], line[1024];
    unsigned long user, system, threads;
    long pages;
    char state;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    fclose(file);
    const char *behind_name = strrchr(line, ')');
    if (!behind_name || sscanf(behind_name + 1,
                               " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d "
                               "%*d %lu %*d %*u %*u %ld",
                               &state, &user, &system, &threads, &pages) != 5)
        return;
    usage->seconds += (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    usage->ready |= state == 'R' || state == 'D';
    usage->threads += threads;
    usage->bytes += (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Adds the processes that a process has started, and those that these have, to `found`, which holds `count` and at most
 * `most`. Each thread of a process has children of its own. Returns how many it then holds. */
static size_t descendants(pid_t of, pid_t *found, size_t count, size_t most)
{
    char pattern[64];
    glob_t lists;
    int child;
    snprintf(pattern, sizeof pattern, "/proc/%d/task/*/children", (int)of);
    if (glob(pattern, GLOB_NOSORT, NULL, &lists) != 0)
        return count;
    for (size_t i = 0; i < lists.gl_pathc; i++) {
        FILE *children = fopen(lists.gl_pathv[i], "re");
        while (children && count < most && fscanf(children, "%d", &child) == 1) {
            found[count++] = child;
            count = descendants(child, found, count, most);
        }
        if (children)
            fclose(children);
    }
    globfree(&lists);
    return count;
}

/* This process takes in what the kernel's leaves behind, so that none of it is lost sight of. */
void watchdog_start(struct watchdog *watch, pid_t child)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    *watch = (struct watchdog){.child = child};
    watchdog_begin(watch);
}

static struct usage usage_of_all(size_t *count)
{
    pid_t found[PROCESSES];
    struct usage usage = {.threads = 0};
    *count = descendants(getpid(), found, 0, PROCESSES);
    for (size_t i = 0; i < *count; i++)
        add_usage(&usage, found[i]);
    return usage;
}

void watchdog_begin(struct watchdog *watch)
{
    watch->begun = watch->looked = now();
    watch->idle = 0;
    watch->computed_before = -1;
}

bool watchdog_is_due(const struct watchdog *watch)
{
    return now() - watch->looked > 0.2;
}

static double most_seconds(void)
{
    const char *chosen = getenv("JUDGE_SECONDS");
    double seconds = chosen ? strtod(chosen, NULL) : 0;
    return seconds > 0 ? seconds : SECONDS;
}

/* Why the process has used up too much, or NULL. */
static const char *excess(const struct watchdog *watch, const struct usage *usage, size_t count)
{
    static char reason[160];
    const double seconds = most_seconds(), giga = 1 << 30;
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (count == PROCESSES)
        snprintf(reason, sizeof reason, "started more than %d processes", PROCESSES - 4);
    else if (usage->threads > THREADS)
        snprintf(reason, sizeof reason, "started more than %d threads of the host", THREADS);
    else if (usage->bytes > 0.8 * memory || usage->bytes > MOST_GIGA * giga)
        snprintf(reason, sizeof reason, "took %.1f GiB of memory", usage->bytes / giga);
    else if (usage->seconds - watch->computed_before > seconds)
        snprintf(reason, sizeof reason,
                 "did not return in %.0f s of computing (a loop that does not end?)", seconds);
    else if (watch->idle > seconds)
        snprintf(reason, sizeof reason, "did nothing for %.0f s, and did not return", seconds);
    else
        return NULL;
    return reason;
}

static struct usage look_at_process(struct watchdog *watch, size_t *count)
{
    struct usage usage = usage_of_all(count);
    /* A machine that stood still is no kernel that waits: a look adds half a second at most. */
    const double since = now() - watch->looked;
    watch->idle += since < 0.5 ? since : 0.5;
    watch->looked = now();
    if (watch->computed_before < 0)
        watch->computed_before = watch->computed = usage.seconds;
    if (usage.seconds > watch->computed || usage.ready)
        watch->idle = 0;
    watch->computed = usage.seconds;
    return usage;
}

bool watchdog_has_had(struct watchdog *watch, double seconds)
{
    size_t count;
    struct usage usage = look_at_process(watch, &count);
    return usage.seconds - watch->computed_before > seconds || watch->idle > seconds;
}

const char *watchdog_look(struct watchdog *watch)
{
    size_t count;
    struct usage usage = look_at_process(watch, &count);
    const char *reason = excess(watch, &usage, count);
    if (reason)
        watchdog_kill(watch);
    return reason;
}

/* What it has started ends with it: bubblewrap sees to that, and the filter lets it start nothing. What it started
 * without either, the reaper ends (reaper.h). */
void watchdog_kill(struct watchdog *watch)
{
    kill(watch->child, SIGKILL);
}
