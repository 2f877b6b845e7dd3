/* progress.c - a word to who waits for a launch: how far it is, and what would be faster.
 *
 * After two seconds, and only on a terminal, where somebody waits. SIM_PROGRESS says after how
 * many seconds, wherever the output goes; 0 is never. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "engine/engine.h"

enum { FIRST_SECONDS = 2 };

volatile bool sim_time_to_look;

static double began, next;
static bool is_reported;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double first_line(void)
{
    unsigned int wish = sim_options()->progress;
    if (wish == SIM_PROGRESS_UNSET)
        return isatty(STDERR_FILENO) ? FIRST_SECONDS : 1e30;
    return wish ? wish : 1e30;
}

void sim_progress_start(void)
{
    sim_time_to_look = false;
    began = seconds_now();
    next = first_line();
    is_reported = false;
}

void sim_tell_progress(const struct launch *launch)
{
    double passed = seconds_now() - began;
    sim_time_to_look = false;
    if (passed < next)
        return;
    uint64_t blocks = launch->blocks - launch->first_block;
    uint64_t done = launch->finished - launch->first_block;
    fflush(stdout);
    fprintf(stderr, "simulated GPU: %s runs for %.0f s: %llu of %llu blocks have ended",
            launch->request->name, passed, (unsigned long long)done, (unsigned long long)blocks);
    if (done)
        fprintf(stderr, ", about %.0f s are left", passed * (double)(blocks - done) / (double)done);
    if (!is_reported) {
        fprintf(stderr, ". A smaller problem shows the same in less time");
        if (sim_options()->checks)
            fprintf(stderr, "; SIM_CHECKS=none checks nothing, and is two to three times as fast");
    }
    fprintf(stderr, ".\n");
    is_reported = true;
    next = passed * 2; /* a line for each doubling */
}
