/* progress.c - a word to who waits: how far a launch is, and what would be faster; and where the host computes.
 *
 * After two seconds, or twenty of the host, and only on a terminal, where somebody waits. SIM_PROGRESS says after how
 * many seconds, wherever the output goes; 0 is never. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "engine/engine.h"

enum { FIRST_SECONDS = 2, FIRST_SECONDS_OF_HOST = 20 };

volatile bool sim_time_to_look;

static double began, next;
static bool is_reported;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double first_line(double usual)
{
    unsigned int wish = sim_options()->progress;
    if (wish == SIM_PROGRESS_UNSET)
        return isatty(STDERR_FILENO) ? usual : 1e30;
    return wish ? wish : 1e30;
}

void sim_progress_start(void)
{
    sim_time_to_look = false;
    began = seconds_now();
    next = first_line(FIRST_SECONDS);
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

bool sim_tells_of_host(void)
{
    return first_line(FIRST_SECONDS_OF_HOST) < 1e30;
}

/* Seconds of the host that have to go by before the next line. */
static double next_of_host;

bool sim_host_is_due(double seconds, uintptr_t pc)
{
    /* Weak: a library has no beginning of this name, and its host none of the lines that are known. */
    extern const char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));
    if (next_of_host == 0 || seconds < next_of_host / 4)
        next_of_host = first_line(FIRST_SECONDS_OF_HOST);
    /* In a function of the system's library it may hold a lock that the line would wait for. */
    return seconds >= next_of_host && (uintptr_t)__executable_start &&
           pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

void sim_tell_host(double seconds, uintptr_t place)
{
    char where[160];
    fflush(stdout);
    fprintf(
        stderr,
        "simulated GPU: host code computes for %.0f s without a launch, now at %s. If it does not "
        "end, look there for a loop whose condition never becomes false.\n",
        seconds, sim_locate(place + 1, where, sizeof where));
    next_of_host = seconds * 2;
}
