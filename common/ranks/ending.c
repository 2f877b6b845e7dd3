/* ending.c - whether ranks wait for what does not come; and how they ended that should not have: as they noted it
 * themselves, or as mpirun says it. */
#define _GNU_SOURCE

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "filter.h"
#include "verdict_log.h"
#include "mpi_job.h"

/* Seconds. Of ranks that all wait in the same call the system may still have to let some run. */
static const double certain = 1.5, patient = 5, all_in_one = 15, likely = 30;

/* Where a rank is with a case. */
enum where { RETURNED, WAITING, WORKING };

static enum where where_is(const struct rank_position *rank, unsigned int number)
{
    if (rank->answered > number || rank->phase == RANK_RETURNED)
        return RETURNED;
    return rank->in_mpi ? WAITING : WORKING;
}

static bool are_together(const struct rank_position *one, const struct rank_position *other,
                         unsigned int number)
{
    const enum where where = where_is(one, number);
    if (where != where_is(other, number))
        return false;
    if (where == RETURNED)
        return one->result == other->result;
    return where == WORKING ||
           (strcmp(one->function, other->function) == 0 && strcmp(one->place, other->place) == 0);
}

/* "ranks 0 and 2 wait in MPI_Reduce (many.cu:123)", of all that do what the first of them does. */
static size_t describe(const struct control *control, unsigned int first, unsigned int number,
                       char *text, size_t size)
{
    const struct rank_position *rank = &control->rank[first];
    char names[64];
    unsigned int members = 0, last = first;
    size_t used = 0;
    for (unsigned int i = first; i < control->ranks; i++)
        if (are_together(rank, &control->rank[i], number)) {
            members++;
            last = i;
        }
    for (unsigned int i = first; i <= last; i++)
        if (are_together(rank, &control->rank[i], number))
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%u",
                                     i == first  ? ""
                                     : i == last ? " and "
                                                 : ", ",
                                     i);
    const bool one = members == 1;
    const char *plural = one ? "" : "s";
    if (where_is(rank, number) == RETURNED)
        return (size_t)snprintf(text, size, "rank%s %s %s returned %d", plural, names,
                                one ? "has" : "have", (int)rank->result);
    if (where_is(rank, number) == WORKING)
        return (size_t)snprintf(text, size, "rank%s %s %s at work", plural, names,
                                one ? "is" : "are");
    return (size_t)snprintf(text, size, "rank%s %s wait%s in %s (%s)", plural, names,
                            one ? "s" : "", rank->function, rank->place[0] ? rank->place : "?");
}

static const char *tell(const struct control *control, unsigned int number, bool is_certain)
{
    static char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "did not return on all ranks: ");
    bool first = true;
    for (unsigned int i = 0; i < control->ranks; i++) {
        bool is_reported = false;
        for (unsigned int before = 0; before < i; before++)
            is_reported |= are_together(&control->rank[before], &control->rank[i], number);
        if (is_reported || used >= sizeof text - 512)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", first ? "" : ", ");
        used += describe(control, i, number, text + used, sizeof text - used);
        first = false;
    }
    snprintf(text + used, sizeof text - used, "%s",
             is_certain ? "; all ranks have to make the same calls, also those that have nothing "
                          "to do, or could not read"
                        : "; nothing has happened for half a minute");
    return text;
}

const char *stuck_look(struct stuck *stuck, const struct control *control, unsigned int number,
                       double now)
{
    uint64_t steps = 0;
    unsigned int count[3] = {0};
    for (unsigned int i = 0; i < control->ranks; i++) {
        steps += control->rank[i].steps;
        count[where_is(&control->rank[i], number)]++;
    }
    if (steps != stuck->steps || stuck->since <= 0) {
        stuck->steps = steps;
        stuck->since = now;
    }
    bool is_placed = true, is_one = true;
    for (unsigned int i = 0; i < control->ranks; i++) {
        is_placed &= where_is(&control->rank[i], number) != WAITING || control->rank[i].place[0];
        is_one &= are_together(&control->rank[0], &control->rank[i], number);
    }
    const bool is_certain = count[WORKING] == 0 && count[WAITING] > 0;
    const double waited = now - stuck->since;
    if (count[RETURNED] == control->ranks || waited < (!is_certain ? likely
                                                       : is_one    ? all_in_one
                                                       : is_placed ? certain
                                                                   : patient))
        return NULL;
    return tell(control, number, is_certain);
}

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
        snprintf(name, sizeof name, MESSAGE_FILE ".%u", (rank + i) % control->ranks);
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
        verdict_log_add("caught memcheck ?"); /* where, it had no time to say here */
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
            verdict_log_add("caught %.*s", (int)strcspn(line, "\n"), line);
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
