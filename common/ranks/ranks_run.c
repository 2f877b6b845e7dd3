/* ranks_run.c - many_run.h, done by ranks under mpirun. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <unistd.h>

#include "kernel_process.h"
#include "mpi_job.h"
#include "verdict_log.h"

enum { TICK = 1000 /* microseconds */ };

const char many_units[] = "ranks", many_function[] = "histogram_file()";
const bool many_reads_files = true;

const char *kernel_function(void)
{
    return many_function;
}

/* The job that runs cases of so many ranks and nodes, one after the other; it starts with the first of them. */
static struct mpi_job *job_of(const struct many_case *asked)
{
    static struct mpi_job *jobs[MOST_UNITS + 1][MOST_UNITS + 1];
    const unsigned int per_node = asked->per_node < asked->units ? asked->per_node : 0;
    cr_assert(asked->units >= 1 && asked->units <= MOST_UNITS, "%u ranks", asked->units);
    struct mpi_job **job = &jobs[asked->units][per_node];
    if (!*job)
        *job = job_start(asked->units, per_node);
    return *job;
}

void many_run(const struct many_case *asked, struct many_seen *seen)
{
    struct mpi_job *job = job_of(asked);
    const char *reason = NULL;
    enum job_state state;
    job_ask(job, asked);
    while ((state = job_look(job, seen, &reason)) == JOB_BUSY)
        usleep(TICK);
    if (state == JOB_ANSWERED)
        return;
    verdict_log_add(asked->bad == GOOD_FILE ? "failed stopped" : "failed refusal");
    fail_test("%s", reason);
}

/* To start ranks takes a while, so all jobs start at once. */
void many_run_all(const struct many_case *asked, size_t count, many_judge *judge, void *context)
{
    struct many_seen seen;
    for (size_t i = 0; i < count; i++)
        job_of(&asked[i]);
    for (size_t i = 0; i < count; i++) {
        many_run(&asked[i], &seen);
        judge(&asked[i], &seen, context);
        many_seen_free(&seen);
    }
}
