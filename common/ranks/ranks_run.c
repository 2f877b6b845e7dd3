/* ranks_run.c - many_run.h, done by ranks under mpirun. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verdict_log.h"
#include "mpi_job.h"
#include "kernel_process.h"

enum { AT_ONCE = 3, TICK = 1000 /* microseconds */ };

const char many_units[] = "ranks", many_function[] = "histogram_file()";
const bool many_reads_files = true;

const char *kernel_function(void)
{
    return "histogram_file()";
}

/* Cases of one job, which takes them in their order. Jobs stay from one call to the next. */
struct group {
    unsigned int units, per_node;
    struct mpi_job *job; /* NULL before it is started */
    bool busy;
    size_t at; /* the case that it works on, or the next one */
};
static struct group groups[MOST_UNITS * (MOST_UNITS + 1)];
static size_t group_count;

/* What became of a case. */
struct case_outcome {
    bool known;
    const char *reason; /* why there is none */
    struct many_seen seen;
    struct group *group;
};

/* All that one many_run_all has. */
struct round {
    const struct many_case *asked;
    size_t count;
    struct case_outcome *outcome;
};

static struct group *group_of(const struct many_case *asked)
{
    const unsigned int per_node =
        asked->per_node && asked->per_node < asked->units ? asked->per_node : 0;
    for (size_t i = 0; i < group_count; i++)
        if (groups[i].units == asked->units && groups[i].per_node == per_node)
            return &groups[i];
    cr_assert(asked->units >= 1 && asked->units <= MOST_UNITS, "%u ranks", asked->units);
    groups[group_count] = (struct group){.units = asked->units, .per_node = per_node};
    return &groups[group_count++];
}

/* The next case of a group, from `from` on. */
static size_t next_of(const struct round *round, const struct group *group, size_t from)
{
    while (from < round->count && round->outcome[from].group != group)
        from++;
    return from;
}

/* Lets a group go on. Returns whether it has work. */
static bool go_on(struct round *round, struct group *group)
{
    if (group->at == round->count)
        return false;
    struct case_outcome *outcome = &round->outcome[group->at];
    if (!group->busy) {
        if (!group->job || !job_can_take(group->job))
            group->job = job_start(group->units, group->per_node);
        job_ask(group->job, &round->asked[group->at]);
        group->busy = true;
        return true;
    }
    const enum job_state state = job_look(group->job, &outcome->seen, &outcome->reason);
    if (state == JOB_BUSY)
        return true;
    outcome->known = true;
    group->busy = false;
    /* After a failure the ones behind it are not asked: the test ends with it. */
    group->at = state == JOB_FAILED ? round->count : next_of(round, group, group->at + 1);
    return group->at < round->count;
}

static void advance(struct round *round)
{
    unsigned int at_work = 0;
    for (size_t i = 0; i < group_count && at_work < AT_ONCE; i++)
        at_work += go_on(round, &groups[i]);
}

static void judge_one(const struct many_case *asked, struct case_outcome *outcome,
                      many_judge *judge, void *context)
{
    if (outcome->reason) {
        verdict_log_add(asked->bad == GOOD_FILE ? "failed stopped" : "failed refusal");
        fail_test("%s", outcome->reason);
    }
    judge(asked, &outcome->seen, context);
    many_seen_free(&outcome->seen);
}

void many_run_all(const struct many_case *asked, size_t count, many_judge *judge, void *context)
{
    struct round round = {.asked = asked, .count = count};
    round.outcome = calloc(count + 1, sizeof *round.outcome);
    cr_assert(round.outcome, "no memory for %zu cases", count);
    for (size_t i = 0; i < count; i++)
        round.outcome[i].group = group_of(&asked[i]);
    for (size_t i = 0; i < group_count; i++)
        groups[i].at = next_of(&round, &groups[i], 0);
    for (size_t i = 0; i < count; i++) {
        while (!round.outcome[i].known) {
            advance(&round);
            if (!round.outcome[i].known)
                usleep(TICK);
        }
        judge_one(&asked[i], &round.outcome[i], judge, context);
    }
    free(round.outcome);
}

static void keep(const struct many_case *asked, const struct many_seen *seen, void *kept_seen)
{
    struct many_seen *result = kept_seen;
    (void)asked;
    *result = *seen;
    result->reads = malloc((seen->read_count + 1) * sizeof *seen->reads);
    cr_assert(result->reads, "no memory for what ranks have read");
    if (seen->read_count > 0)
        memcpy(result->reads, seen->reads, seen->read_count * sizeof *seen->reads);
}

void many_run(const struct many_case *asked, struct many_seen *seen)
{
    many_run_all(asked, 1, keep, seen);
}
