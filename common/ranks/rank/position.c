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

static struct control *job;
static struct rank_position *here;
static volatile uintptr_t waiting_at; /* the function of MPI was called there */

void position_ends(enum rank_end how, int number, const char *place)
{
    uint32_t nobody = 0;
    /* Of several ranks that end the first one writes how. */
    if (!here ||
        !atomic_compare_exchange_strong(&job->ended.by, &nobody, (uint32_t)(here - job->rank) + 1))
        return;
    job->ended.how = how;
    job->ended.number = number;
    snprintf(job->ended.place, PLACE, "%s", place);
}

static void note_exit(int status, void *unused)
{
    (void)unused;
    position_ends(RANK_EXITED, status, "");
}

void position_is(struct control *control, unsigned int rank)
{
    job = control;
    here = &control->rank[rank];
    on_exit(note_exit, NULL);
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
    waiting_at = (uintptr_t)place;
    snprintf(here->function, sizeof here->function, "%s", function);
    here->place[0] = '\0';
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
