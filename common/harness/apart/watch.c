/* watch.c - looks at the kernel's process from outside: how long, and how many. */
#define _GNU_SOURCE
#include "watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 64, SECONDS = 20 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Adds the children of a process, and theirs, to `found`, of which there are at most `most`. */
static size_t descendants(pid_t of, pid_t *found, size_t count, size_t most)
{
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)of, (int)of);
    FILE *children = fopen(path, "re");
    while (children && count < most && fscanf(children, "%d", &child) == 1) {
        found[count++] = child;
        count = descendants(child, found, count, most);
    }
    if (children)
        fclose(children);
    return count;
}

/* Seconds that a process has computed. */
static double seconds_of(pid_t pid)
{
    char path[64], line[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *behind_name = strrchr(line, ')');
    if (!behind_name ||
        sscanf(behind_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* This process takes in what the kernel's leaves behind, so that none of it is lost sight of. */
void watch_start(struct watch *watch, pid_t child)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    *watch = (struct watch){.child = child};
    watch_begin(watch);
}

static double computed(pid_t *found, size_t *count)
{
    double sum = 0;
    *count = descendants(getpid(), found, 0, PROCESSES);
    for (size_t i = 0; i < *count; i++)
        sum += seconds_of(found[i]);
    return sum;
}

void watch_begin(struct watch *watch)
{
    watch->begun = watch->looked = watch->moved = now();
    watch->computed_before = -1;
}

bool watch_is_due(const struct watch *watch)
{
    return now() - watch->looked > 0.2;
}

static double most_seconds(void)
{
    const char *chosen = getenv("JUDGE_SECONDS");
    double seconds = chosen ? strtod(chosen, NULL) : 0;
    return seconds > 0 ? seconds : SECONDS;
}

const char *watch_look(struct watch *watch)
{
    static char reason[160];
    pid_t found[PROCESSES];
    size_t count;
    double most = most_seconds(), sum = computed(found, &count);
    watch->looked = now();
    if (count == PROCESSES) {
        snprintf(reason, sizeof reason, "started more than %d processes", PROCESSES - 8);
        watch_kill(watch);
        return reason;
    }
    if (watch->computed_before < 0) {
        watch->computed_before = watch->computed = sum;
        return NULL;
    }
    if (sum > watch->computed)
        watch->moved = watch->looked;
    watch->computed = sum;
    if (sum - watch->computed_before > most)
        snprintf(reason, sizeof reason,
                 "did not return in %.0f s of computing: a loop on the host does not end", most);
    else if (watch->looked - watch->moved > most)
        snprintf(reason, sizeof reason, "did nothing for %.0f s and did not return: it waits",
                 most);
    else
        return NULL;
    watch_kill(watch);
    return reason;
}

/* Once more while there are some: one may have started another in between. */
void watch_kill(struct watch *watch)
{
    pid_t found[PROCESSES];
    kill(-watch->child, SIGKILL);
    kill(watch->child, SIGKILL);
    for (int round = 0; round < 100; round++) {
        size_t count = descendants(getpid(), found, 0, PROCESSES), alive = 0;
        for (size_t i = 0; i < count; i++)
            alive += seconds_of(found[i]) >= 0 && kill(found[i], SIGKILL) == 0;
        if (count < PROCESSES)
            break;
    }
}
