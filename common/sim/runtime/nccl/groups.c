/* groups.c - ncclGroupStart and ncclGroupEnd, and waiting for the other ranks.
 *
 * A collective outside of a group is a group of one call. A host thread waits at the end of a group
 * until all ranks have joined. Where it is the only thread of the program nobody can join any more.
 * Others have so many seconds (SIM_PATIENCE) from their last call on, or one when none of them has
 * used CUDA. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/nccl/collectives.h"

/* Of this host thread. */
static _Thread_local struct {
    unsigned int depth;
    struct sim_call begun;
    ncclResult_t spoiled; /* by a call that was refused */
    struct collective *first, *last;
} group;

ncclResult_t sim_nccl_spoil_group(ncclResult_t result)
{
    if (group.depth > 0)
        group.spoiled = result;
    return result;
}

/* A program that ends within a group has begun nothing of it. */
static void tell_open_group(void)
{
    if (group.depth > 0 && group.first)
        sim_report(CHECK_PROGRESS, NULL, group.begun.pc, "ncclGroupStart without ncclGroupEnd",
                   "none of the collectives in the group has begun",
                   "call ncclGroupEnd after the calls of all devices");
}

ncclResult_t ncclGroupStart(void)
{
    static bool watched;
    struct sim_call call = SIM_CALL("ncclGroupStart");
    if (!watched)
        atexit(tell_open_group);
    watched = true;
    if (group.depth++ == 0)
        group.begun = call;
    return sim_nccl_return(ncclSuccess);
}

/* Whether this is the only thread of the program. */
static bool is_alone(void)
{
    int threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        threads += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return threads == 1;
}

static void join_queue(struct collective *c)
{
    struct collective **end = &c->comm->first;
    while (*end)
        end = &(*end)->next;
    *end = c;
}

static void leave_queue(struct collective *c)
{
    struct collective **link = &c->comm->first;
    while (*link && *link != c)
        link = &(*link)->next;
    if (*link)
        *link = c->next;
    c->ended = true;
}

/* The first of this thread that has not ended, or NULL. */
static struct collective *unfinished(void)
{
    struct collective *c = group.first;
    while (c && c->ended)
        c = c->next_of_thread;
    return c;
}

static void forget_group(void)
{
    for (struct collective *c = group.first, *next; c; c = next) {
        next = c->next_of_thread;
        free(c);
    }
    group.first = group.last = NULL;
    group.spoiled = ncclSuccess;
}

/* A GPU would hang: from here on every call fails. */
static ncclResult_t give_up(void)
{
    for (struct collective *c; (c = unfinished());) {
        if (c->comm->clique->meeting)
            sim_nccl_abandon_meeting(c->comm->clique);
        leave_queue(c);
    }
    sim_set_error(cudaErrorLaunchTimeout, true);
    return ncclInvalidUsage;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of ranks that may be in other processes: whether none will come any more. What they do starts their
 * time anew. */
static bool will_not_come(const struct collective *c, double *begin)
{
    enum { LONGER = 4 }; /* they may begin later, and read files */
    static uint64_t pulse;
    struct sim_absent absent = sim_nccl_absent(c);
    if (absent.gone || (absent.all_gone && is_alone()))
        return true;
    if (absent.pulse != pulse || absent.at_work)
        *begin = seconds();
    pulse = absent.pulse;
    return seconds() > *begin + LONGER * (double)sim_options()->patience;
}

/* False: ranks have joined something in different ways. */
static bool advance_all(void)
{
    for (struct collective *c = group.first; c; c = c->next_of_thread)
        if (!c->ended && !sim_nccl_advance(c->comm->clique))
            return false;
    return true;
}

/* The other threads come in while this one sleeps. */
static ncclResult_t wait_for_others(void)
{
    double begin = seconds();
    for (struct collective *c; (c = unfinished());) {
        bool only = sim_host_threads() < 2, over;
        sim_nccl_waits(c, true);
        if (sim_sticky_error())
            return give_up();
        if (c->comm->clique->meeting)
            over = will_not_come(c, &begin);
        else
            over = is_alone() || seconds() > begin + (only ? 1 : (double)sim_options()->patience);
        if (over) {
            sim_nccl_tell_missing(c, only);
            return give_up();
        }
        unsigned long long entries = sim_entries();
        sim_rest();
        if (sim_entries() != entries) /* others are at work */
            begin = seconds();
        if (!advance_all())
            return give_up();
        sim_nccl_waits(c, !c->ended);
    }
    return ncclSuccess;
}

/* Begins what this thread has called, and waits until all of it has ended. */
static ncclResult_t end_group(void)
{
    for (struct collective *c = group.first; c; c = c->next_of_thread)
        join_queue(c);
    ncclResult_t result = advance_all() ? wait_for_others() : give_up();
    forget_group();
    return sim_nccl_return(result);
}

ncclResult_t sim_nccl_join(const struct collective *asked)
{
    struct collective *c = malloc(sizeof *c);
    if (!c)
        return sim_nccl_refuse(asked->call, ncclSystemError, "the host is out of memory");
    *c = *asked;
    c->grouped = group.depth > 0;
    if (group.last)
        group.last->next_of_thread = c;
    else
        group.first = c;
    group.last = c;
    return c->grouped ? sim_nccl_return(ncclSuccess) : end_group();
}

ncclResult_t ncclGroupEnd(void)
{
    struct sim_call call = SIM_CALL("ncclGroupEnd");
    if (group.depth == 0)
        return sim_nccl_refuse(call, ncclInvalidUsage, "no group was begun: ncclGroupStart does");
    if (--group.depth > 0)
        return sim_nccl_return(ncclSuccess);
    ncclResult_t spoiled = group.spoiled;
    if (spoiled == ncclSuccess)
        return end_group();
    forget_group();
    return sim_nccl_return(spoiled);
}
