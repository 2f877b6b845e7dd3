/* ending.c - whether ranks wait for what does not come; and how ranks ended that should not have: as they noted it
 * themselves, or as mpirun says it. */
#define _GNU_SOURCE

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "filter.h"
#include "mpi_job.h"
#include "verdict_log.h"

/* Seconds. When all ranks wait in the same call, the system may still have to let some of them run. */
static const double certain = 1.5, patient = 5, all_in_one = 15, likely = 30;

enum where { RETURNED, WAITING, WORKING };

static enum where where_is(const struct control *control, unsigned int rank)
{
    const struct rank_position *position = &control->rank[rank];
    if (position->answered >= control->asked || position->phase == RANK_RETURNED)
        return RETURNED;
    return position->in_mpi ? WAITING : WORKING;
}

/* "waits in MPI_Reduce (many.cu:123)"; of several ranks, "wait in ..." */
static void say_what(const struct control *control, unsigned int rank, bool is_one, char *text,
                     size_t size)
{
    const struct rank_position *position = &control->rank[rank];
    const enum where where = where_is(control, rank);
    if (where == RETURNED)
        snprintf(text, size, "%s returned %d", is_one ? "has" : "have", (int)position->result);
    else if (where == WAITING)
        snprintf(text, size, "wait%s in %s (%s)", is_one ? "s" : "", position->function,
                 position->place[0] ? position->place : "?");
    else
        snprintf(text, size, "%s at work", is_one ? "is" : "are");
}

/* A set of ranks, a bit for each: all that do what this one does. */
static unsigned int alike(const struct control *control, unsigned int rank)
{
    char own[512], other[512];
    unsigned int set = 0;
    say_what(control, rank, true, own, sizeof own);
    for (unsigned int i = 0; i < control->ranks; i++) {
        say_what(control, i, true, other, sizeof other);
        set |= (unsigned int)(strcmp(own, other) == 0) << i;
    }
    return set;
}

/* "ranks 0, 2 and 3" of a set */
static void name_ranks(unsigned int set, char *text, size_t size)
{
    const bool is_one = (set & (set - 1)) == 0;
    size_t used = (size_t)snprintf(text, size, is_one ? "rank" : "ranks");
    const char *between = " ";
    for (unsigned int i = 0; set >> i != 0; i++) {
        if (!(set >> i & 1))
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%u",
                                 set >> i == 1 && !is_one ? " and " : between, i);
        between = ", ";
    }
}

static const char *say_where_all_are(const struct control *control, bool is_certain)
{
    static char text[8192];
    char names[64], what[512];
    size_t used = (size_t)snprintf(text, sizeof text, "did not return on all ranks");
    unsigned int named = 0;
    for (unsigned int i = 0; i < control->ranks; i++) {
        const unsigned int set = alike(control, i);
        if (named >> i & 1)
            continue;
        name_ranks(set, names, sizeof names);
        say_what(control, i, (set & (set - 1)) == 0, what, sizeof what);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %s", named ? "," : ":",
                                 names, what);
        named |= set;
    }
    snprintf(text + used, sizeof text - used, "%s",
             is_certain ? "; all ranks have to make the same calls, also those that have nothing "
                          "to do, or could not read"
                        : "; nothing has happened for half a minute");
    return text;
}

const char *stuck_look(struct stuck *stuck, const struct control *control, double now)
{
    uint64_t steps = 0;
    unsigned int count[3] = {0};
    bool is_placed = true;
    for (unsigned int i = 0; i < control->ranks; i++) {
        steps += control->rank[i].steps;
        count[where_is(control, i)]++;
        is_placed &= where_is(control, i) != WAITING || control->rank[i].place[0];
    }
    if (steps != stuck->steps || stuck->since <= 0)
        *stuck = (struct stuck){steps, now};
    const double waited = now - stuck->since;
    if (count[RETURNED] == control->ranks || waited < certain)
        return NULL;
    const bool is_certain = count[WORKING] == 0;
    const double enough = !is_certain                                       ? likely
                          : alike(control, 0) == (1u << control->ranks) - 1 ? all_in_one
                          : is_placed                                       ? certain
                                                                            : patient;
    return waited < enough ? NULL : say_where_all_are(control, is_certain);
}

bool ranks_have_started(const struct control *control)
{
    for (unsigned int i = 0; i < control->ranks; i++)
        if (control->rank[i].phase == RANK_STARTS)
            return false;
    return true;
}

/* The first line that mpirun printed and that holds `part`, from there on; "" for none. */
static void find_line(const char *folder, const char *part, char *line, size_t size)
{
    char path[PATH_ROOM + 32], read[512];
    snprintf(path, sizeof path, "%s/" LAUNCHED_FILE, folder);
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    while (file && !line[0] && fgets(read, sizeof read, file)) {
        const char *at = strstr(read, part);
        if (at && read[0] != '-')
            snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
    if (file)
        fclose(file);
}

enum { REPORTED = 86 }; /* with this status the simulator ends a program that it cannot let go on */

/* A rank has noted how it ended its program. */
static void describe_own(const struct control *control, const char *what, const char *said,
                         char *text, size_t size)
{
    const unsigned int rank = control->ended.by - 1;
    const int number = control->ended.number;
    if (control->ended.how == RANK_REFUSED) {
        snprintf(text, size,
                 "%s on %s: rank %u of %u was stopped: it asked the system for what no kernel "
                 "needs: %s, in %s",
                 many_function, what, rank, control->ranks, filter_name(number),
                 control->ended.place);
    } else if (number == REPORTED) {
        verdict_log_add("caught memcheck ?"); /* the rank had no time to say where */
        snprintf(text, size, "the report above was made on %s: rank %u has ended there", what,
                 rank);
    } else {
        snprintf(text, size,
                 "%s on %s: rank %u of %u ended the program with exit status %d: it has to "
                 "return%s%s",
                 many_function, what, rank, control->ranks, number, said[0] ? "; it said: " : "",
                 said);
    }
}

void ending_describe(const struct control *control, const char *folder, const char *what,
                     const char *said, int status, bool short_of_memory, char *text, size_t size)
{
    char line[300];
    unsigned int rank, signal;
    if (control->ended.by > 0) {
        describe_own(control, what, said, text, size);
        return;
    }
    if (!ranks_have_started(control)) {
        find_line(folder, "", line, sizeof line);
        snprintf(text, size, "mpirun cannot start %u ranks: %s", control->ranks,
                 line[0] ? line : "it said nothing");
        return;
    }
    find_line(folder, "process rank ", line, sizeof line);
    const char *by = strstr(line, "signal ");
    if (!by || sscanf(line, "process rank %u", &rank) != 1 || sscanf(by, "signal %u", &signal) != 1)
        snprintf(text, size, "%s on %s: the %u ranks were ended, with status %d%s%s", many_function,
                 what, control->ranks, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                 said[0] ? ": " : "", said);
    else if (signal == SIGKILL && short_of_memory)
        snprintf(text, size, "%s on %s: rank %u of %u was ended by the system: out of memory",
                 many_function, what, rank, control->ranks);
    else
        snprintf(text, size, "%s on %s: rank %u of %u was ended by signal %u (%s)", many_function,
                 what, rank, control->ranks, signal, strsignal((int)signal));
}
