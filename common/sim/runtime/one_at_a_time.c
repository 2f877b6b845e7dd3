/* one_at_a_time.c - host threads in the runtime: one after the other.
 *
 * The simulated GPU is one set of tables, and runs one kernel at a time on the thread that
 * launches it. A call holds the lock from SIM_CALL to sim_return; a launch from its begin to its
 * end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "runtime/runtime.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside, known;
static unsigned int known_threads;
static unsigned long long entries;

/* Odd while a thread is inside. Other processes look at them. */
enum { PULSES = 16 };
static _Atomic uint64_t *pulses[PULSES];
static unsigned int pulse_count;

static void beat(void)
{
    for (unsigned int i = 0; i < pulse_count; i++)
        ++*pulses[i];
}

void sim_pulse_begins(_Atomic uint64_t *pulse)
{
    if (pulse_count == PULSES)
        return;
    *pulse = 1; /* the thread that calls this is inside */
    pulses[pulse_count++] = pulse;
}

void sim_pulse_ends(const _Atomic uint64_t *pulse)
{
    for (unsigned int i = 0; i < pulse_count; i++)
        if (pulses[i] == pulse)
            pulses[i--] = pulses[--pulse_count];
}

void sim_enter(void)
{
    if (inside || sim_lane)
        return;
    pthread_mutex_lock(&lock);
    inside = true;
    entries++;
    beat();
    known_threads += !known;
    known = true;
}

unsigned long long sim_entries(void)
{
    return entries;
}

unsigned int sim_host_threads(void)
{
    return known_threads;
}

void sim_leave(void)
{
    if (!inside || sim_lane)
        return;
    sim_stream_later();
    beat();
    inside = false;
    pthread_mutex_unlock(&lock);
}

void sim_rest(void)
{
    const struct timespec pause = {0, 1000000};
    sim_stream_later();
    pthread_mutex_unlock(&lock);
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&lock);
}
