/* position.c - where this rank is, for the judge to see. */
#define _GNU_SOURCE
#include "rank.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"

static struct rank_position *here;
static volatile uintptr_t waiting_at; /* the function of MPI was called there */

void position_ends(int status)
{
    struct timespec now;
    if (here->phase != RANK_CALLS || here->ended_at)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    here->status = status;
    here->ended_at = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void note_end(int status, void *unused)
{
    (void)unused;
    position_ends(status);
}

void position_is(struct control *control, unsigned int rank)
{
    here = &control->rank[rank];
    on_exit(note_end, NULL);
    position_phase(RANK_WAITS);
}

void position_steps(void)
{
    if (here)
        here->steps++;
}

void position_phase(enum rank_phase phase)
{
    here->phase = phase;
    position_steps();
}

/* Where this rank waits is looked up when it has waited for a while, since that takes one, too. By a signal:
 * the function of MPI that is running then asks again and again whether something has come. */
static void note_place(int signal)
{
    const uintptr_t pc = waiting_at;
    (void)signal;
    if (pc && here->in_mpi)
        sim_locate(pc, here->place, sizeof here->place);
}

static void set_clock(long milliseconds)
{
    static timer_t clock;
    static bool made;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    struct sigaction action = {.sa_handler = note_place, .sa_flags = SA_RESTART};
    if (!made)
        made = sigaction(SIGUSR2, &action, NULL) == 0 &&
               timer_create(CLOCK_MONOTONIC, &event, &clock) == 0;
    if (made)
        timer_settime(clock, 0, &(struct itimerspec){.it_value.tv_nsec = milliseconds * 1000000},
                      NULL);
}

void position_enters(const char *function, const void *place)
{
    if (!here || here->phase != RANK_CALLS)
        return;
    snprintf(here->function, sizeof here->function, "%s", function);
    here->place[0] = '\0';
    waiting_at = (uintptr_t)place;
    here->steps++;
    here->in_mpi = 1;
    set_clock(700);
}

void position_leaves(void)
{
    if (!here || !here->in_mpi)
        return;
    set_clock(0);
    here->in_mpi = 0;
    here->steps++;
}

const char *position_where(void)
{
    static char text[PLACE + WORDS + 4];
    char place[PLACE];
    snprintf(text, sizeof text, "%s: %s", sim_locate(waiting_at, place, sizeof place),
             here->function);
    return text;
}
