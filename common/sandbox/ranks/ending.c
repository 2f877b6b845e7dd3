/* ending.c - how ranks ended that should not have: as they noted it themselves, or as mpirun says it. */
#define _GNU_SOURCE

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "confine.h"
#include "facts.h"
#include "job.h"

enum { REPORTED = 86 }; /* with it the simulator ends a program that it cannot let go on */

/* The first line of a file of the job that holds `part`, from there on; "" for none. */
static char *find_line(const char *folder, const char *name, const char *part, char *line,
                       size_t size)
{
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fgets(line, (int)size, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *at = strstr(line, part);
        found = at && line[0] && strncmp(line, "----", 4) != 0 && strncmp(line, "=====", 5) != 0;
        if (found)
            memmove(line, at, strlen(at) + 1);
    }
    if (file)
        fclose(file);
    if (!found)
        line[0] = '\0';
    return line;
}

/* What a rank wrote first, or any of them. */
static char *words_of(const struct control *control, const char *folder, unsigned int rank,
                      char *line, size_t size)
{
    char name[32];
    line[0] = '\0';
    for (unsigned int i = 0; i < control->ranks && !line[0]; i++) {
        snprintf(name, sizeof name, SAID_FILE ".%u", (rank + i) % control->ranks);
        find_line(folder, name, "", line, size);
    }
    return line;
}

/* The rank that ended itself first, or none. */
static unsigned int first_to_end(const struct control *control)
{
    unsigned int first = control->ranks;
    for (unsigned int i = 0; i < control->ranks; i++)
        if (control->rank[i].ended_at &&
            (first == control->ranks || control->rank[i].ended_at < control->rank[first].ended_at))
            first = i;
    return first;
}

static void describe_exit(const struct control *control, const char *folder, const char *what,
                          unsigned int rank, char *text, size_t size)
{
    char line[300];
    const int status = control->rank[rank].status;
    if (status == REPORTED) {
        facts_add("caught memcheck ?"); /* where, it had no time to say here */
        snprintf(text, size, "the report above was made on %s: rank %u has ended there", what,
                 rank);
        return;
    }
    words_of(control, folder, rank, line, sizeof line);
    snprintf(text, size,
             "%s on %s: rank %u of %u ended the program with exit status %d: it has to return%s%s",
             many_function, what, rank, control->ranks, status, line[0] ? "; it said: " : "", line);
}

/* One asked the system for what it may not. */
static bool describe_refused(const struct control *control, const char *what, char *text,
                             size_t size)
{
    for (unsigned int i = 0; i < control->ranks; i++) {
        const struct rank_position *rank = &control->rank[i];
        if (!rank->has_refused)
            continue;
        snprintf(text, size,
                 "%s on %s: rank %u of %u was stopped: it asked the system for what no kernel "
                 "needs: %s, in %s",
                 many_function, what, i, control->ranks, filter_name(rank->refused),
                 rank->refused_at);
        return true;
    }
    return false;
}

bool ranks_have_started(const struct control *control)
{
    for (unsigned int i = 0; i < control->ranks; i++)
        if (control->rank[i].phase == RANK_STARTS)
            return false;
    return true;
}

void ending_tell_caught(const struct control *control, const char *folder)
{
    char path[PATH_ROOM + 32], line[512];
    for (unsigned int i = 0; i < control->ranks; i++) {
        snprintf(path, sizeof path, "%s/" CAUGHT_FILE ".%u", folder, i);
        FILE *file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file))
            facts_add("caught %.*s", (int)strcspn(line, "\n"), line);
        if (file)
            fclose(file);
    }
}

void ending_describe(const struct control *control, const char *folder, const char *what,
                     int status, bool short_of_memory, char *text, size_t size)
{
    char line[300];
    unsigned int rank = first_to_end(control), signal = 0;
    if (describe_refused(control, what, text, size))
        return;
    if (rank < control->ranks) {
        describe_exit(control, folder, what, rank, text, size);
        return;
    }
    if (!ranks_have_started(control)) {
        find_line(folder, LAUNCHED_FILE, "", line, sizeof line);
        snprintf(text, size, "mpirun cannot start %u ranks: %s", control->ranks,
                 line[0] ? line : "it said nothing");
        return;
    }
    find_line(folder, LAUNCHED_FILE, "process rank ", line, sizeof line);
    const char *by = strstr(line, "signal ");
    if (sscanf(line, "process rank %u", &rank) == 1 && by &&
        sscanf(by, "signal %u", &signal) == 1) {
        if (signal == SIGKILL && short_of_memory)
            snprintf(text, size, "%s on %s: rank %u of %u was ended by the system: out of memory",
                     many_function, what, rank, control->ranks);
        else
            snprintf(text, size, "%s on %s: rank %u of %u was ended by signal %u (%s)",
                     many_function, what, rank, control->ranks, signal, strsignal((int)signal));
        return;
    }
    words_of(control, folder, 0, line, sizeof line);
    snprintf(text, size, "%s on %s: the %u ranks were ended, with status %d%s%s", many_function,
             what, control->ranks, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
             line[0] ? ": " : "", line);
}
