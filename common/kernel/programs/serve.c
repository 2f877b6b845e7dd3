/* serve.c - main() of the kernel's process: does one job after the other, and knows nothing of what is right.
 *
 *     kernel DESCRIPTOR [filtered]
 *
 * DESCRIPTOR is a socket, over which jobs come: see job.h. When it is closed, the process ends. With "filtered" it may
 * ask the system for little, from before any other code of this program runs: see filter.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "filter.h"
#include "job.h"
#include "must_have.h"
#include "sim.h"

enum { HIGH = 512, REPORTS = 1 << 16 };

static int channel;
static pid_t server; /* this process, and no child of it that comes here as well */
static struct job job;

/* Lines of reports that the judge has not heard of. */
static char reports[REPORTS];
static size_t reported;

static void note_report(const char *check, uintptr_t pc, void *unused)
{
    char where[512], line[600];
    (void)unused;
    int length = snprintf(line, sizeof line, "%s %s\n", check, sim_locate(pc, where, sizeof where));
    if (length < 0 || (size_t)length >= sizeof line || reported + (size_t)length > REPORTS)
        return;
    memcpy(reports + reported, line, (size_t)length);
    reported += (size_t)length;
}

/* Without the judge there is nothing to do. */
static void receive(void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = recv(channel, (char *)to + done, size - done, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            _exit(0);
        done += (size_t)got;
    }
}

static void deliver(const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t sent = send(channel, (const char *)from + done, size - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(0);
        done += (size_t)sent;
    }
}

static void answer(struct outcome *outcome, const void *output)
{
    if (getpid() != server)
        _exit(0);
    outcome->report_bytes = reported;
    if (outcome->farewell != REFUSED) { /* it may have been refused while it held their locks */
        fflush(stdout);
        fflush(stderr);
    }
    deliver(outcome, sizeof *outcome);
    deliver(output, outcome->output_bytes);
    deliver(reports, reported);
    reported = 0;
}

/* exit() was called: the last that the judge hears, unless it was _exit. */
static void say_farewell(void)
{
    struct outcome outcome = {.farewell = EXITS, .nonce = job.nonce};
    outcome.launches = sim_counters().launches;
    outcome.errors = sim_error_count();
    answer(&outcome, NULL);
}

/* The system was asked for what no kernel needs. */
static void say_refused(int call, const char *place)
{
    struct outcome outcome = {.farewell = REFUSED, .nonce = job.nonce, .refused = call};
    snprintf(outcome.place, sizeof outcome.place, "%s", place);
    answer(&outcome, NULL);
}

static void serve(void)
{
    static struct outcome outcome;
    const void *own = NULL;
    receive(&job, sizeof job);
    unsigned char *input = must_have(malloc(job.input_bytes + 1), "for an input");
    unsigned char *output = must_have(malloc(job.output_bytes + 1), "for an output");
    receive(input, job.input_bytes);
    receive(output, job.output_bytes);
    job_do(&job, input, output, &outcome, &own);
    answer(&outcome, own ? own : output);
    free(input);
    free(output);
}

/* Moves the channel to a number that nobody expects, and keeps it from programs that the kernel might start. */
static int hidden(int descriptor)
{
    uint16_t drawn = 0;
    if (getrandom(&drawn, sizeof drawn, 0) < 0)
        drawn = 0;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH + drawn % HIGH);
    if (moved < 0)
        return descriptor;
    close(descriptor);
    return moved;
}

/* Comes before every constructor, of the student's, too: this file is linked first. */
static void begin_served(int count, char **arguments, char **environment)
{
    (void)environment;
    if (count < 2)
        return;
    server = getpid();
    channel = hidden(atoi(arguments[1]));
    if (count == 2 || strcmp(arguments[2], CONFINE_FILTERED) != 0)
        return;
    filter_tell(say_refused);
    filter_install(FILTER_KERNEL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = begin_served;

int main(int count, char **arguments)
{
    (void)arguments;
    if (count != 2 && count != 3) {
        fprintf(stderr, "usage: kernel DESCRIPTOR [filtered]: the judge starts this program\n");
        return 2;
    }
    sim_observe_reports(note_report, NULL);
    sim_watch_host(); /* plain C, too, which allocates nothing of the device's */
    sim_refuse_warps_in_step(1);
    atexit(say_farewell);
    deliver(READY, sizeof READY);
    for (;;) {
        enum { HOST_SECONDS = 20 };
        sim_set_host_patience(HOST_SECONDS);
        serve();
    }
}
