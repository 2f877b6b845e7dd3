/* carried_out.c - a collective that all ranks have joined, and what is wrong with those that they
 * have not, or not in one way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/nccl/collectives.h"

static sim_collective_observer *observer;
static void *observer_context;

void sim_observe_collectives(sim_collective_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

/* "ncclReduce of 5 ncclUint64 by ncclSum to rank 0" */
static char *describe(const struct collective *c, char *text, size_t size)
{
    int used = snprintf(text, size, "%s of %zu %s by %s", c->call.function, c->count,
                        sim_nccl_type_name(c->type), sim_nccl_operation_name(c->operation));
    if (c->root != NO_ROOT && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " to rank %d", c->root);
    return text;
}

const char *sim_nccl_difference(struct terms one, struct terms other)
{
    if (strcmp(one.function, other.function) != 0)
        return "which collective it is";
    if (one.ranks != other.ranks)
        return "the number of ranks";
    if (one.count != other.count)
        return "the number of elements";
    if (one.type != other.type)
        return "the type of the elements";
    if (one.operation != other.operation)
        return "the operation";
    return one.root != other.root ? "the root" : NULL;
}

static const char *difference(const struct collective *one, const struct collective *other)
{
    const int ranks = one->comm->clique->ranks; // of both
    return sim_nccl_difference(
        (struct terms){one->call.function, ranks, one->count, one->type, one->operation, one->root},
        (struct terms){other->call.function, ranks, other->count, other->type, other->operation,
                       other->root});
}

static void tell_difference(const struct collective *one, const struct collective *other)
{
    char headline[96], detail[600], is[160], was[160], where[200];
    snprintf(headline, sizeof headline, "%s: the devices disagree on %s", other->call.function,
             difference(one, other));
    snprintf(detail, sizeof detail, "device %u has %s, device %u has %s at %s", other->comm->device,
             describe(other, is, sizeof is), one->comm->device, describe(one, was, sizeof was),
             sim_locate(one->call.pc, where, sizeof where));
    sim_report(CHECK_PROGRESS, NULL, other->call.pc, headline, detail,
               "give the calls of all ranks the same; on a GPU they hang, or the result is wrong");
    sim_report_names(one->call.pc);
}

void sim_nccl_tell_missing(const struct collective *waiting, bool alone)
{
    const struct clique *clique = waiting->comm->clique;
    char headline[96], detail[400] = "";
    unsigned int device = waiting->comm->device;
    size_t used = 0;
    int missing = 0, times = 0;
    if (clique->meeting)
        used = (size_t)snprintf(detail, sizeof detail, "not joined by rank %s",
                                sim_nccl_absent(waiting).ranks);
    for (int rank = 0; !clique->meeting && rank < clique->ranks; rank++)
        if (!clique->comm[rank] || !clique->comm[rank]->first)
            used += (size_t)snprintf(detail + used, sizeof detail - used, "%s%d",
                                     missing++ ? ", " : "not joined by rank ", rank);
    for (const struct collective *c = waiting->comm->first; c; c = c->next)
        times++;
    bool ungrouped = alone && !waiting->grouped && !clique->meeting;
    snprintf(headline, sizeof headline,
             ungrouped ? "%s outside of a group waits for ever"
                       : "%s waits for devices that do not join it",
             waiting->call.function);
    if (ungrouped)
        snprintf(detail, sizeof detail,
                 "device %u waits for %d others, which this thread does not come to", device,
                 clique->ranks - 1);
    else if (times > 1)
        snprintf(detail + used, sizeof detail - used, "; device %u has called it %d times", device,
                 times);
    sim_report(CHECK_PROGRESS, NULL, waiting->call.pc, headline, detail,
               ungrouped ? "put the calls for all devices between ncclGroupStart and ncclGroupEnd"
               : clique->meeting
                   ? "let all ranks call it, also those that have nothing to do"
                   : "call it for each communicator of ncclCommInitAll, in one group");
}

/* The result needs what all streams have done so far. */
void sim_nccl_order_streams(struct collective *const *all, int ranks)
{
    struct sim_clocks together = {{0}};
    for (int rank = 0; rank < ranks; rank++) {
        struct sim_clocks clocks = sim_clocks_of(all[rank]->clock);
        sim_clocks_join(&together, &clocks);
    }
    for (int rank = 0; rank < ranks; rank++) {
        const struct collective *c = all[rank];
        bool receives = c->root == NO_ROOT || c->root == c->comm->rank;
        size_t bytes = c->count * sim_nccl_bytes(c->type);
        if (receives)
            sim_clock_waits_for(c->clock, &together);
        sim_branch_select(c->clock);
        sim_stream_copies(c->call, (struct sim_transfer){"collective", c->comm->device,
                                                         receives ? c->receive : NULL,
                                                         receives ? bytes : 0, c->send, bytes});
    }
    sim_stream_later();
}

void sim_nccl_check_written(const struct collective *c, size_t bytes)
{
    char headline[96], detail[160];
    size_t at = sim_checks(CHECK_INIT) ? sim_init_unwritten(c->send, bytes) : bytes;
    if (at == bytes)
        return;
    snprintf(headline, sizeof headline, "%s reads what nothing has written", c->call.function);
    snprintf(detail, sizeof detail, "element %zu of the send buffer of device %u",
             at / sim_nccl_bytes(c->type), c->comm->device);
    sim_report(CHECK_INIT, NULL, c->call.pc, headline, detail,
               "memory from cudaMalloc holds rubbish: set it with cudaMemset on each device, also "
               "where there is nothing to count");
}

/* Rank by rank, so that a sum of floats is the same each time. */
static void compute(struct collective *const *all, int ranks, void *sum, void *next)
{
    const struct collective *what = all[0];
    size_t bytes = what->count * sim_nccl_bytes(what->type);
    for (int rank = 0; rank < ranks; rank++) {
        sim_use_variables(all[rank]->comm->device);
        sim_nccl_check_written(all[rank], bytes);
        sim_memory_copy(rank ? next : sum, all[rank]->send, bytes);
        if (rank)
            sim_nccl_combine(sum, next, what);
    }
    if (what->operation == ncclAvg)
        sim_nccl_divide(sum, what, ranks);
    for (int rank = 0; rank < ranks; rank++) {
        if (what->root != NO_ROOT && what->root != rank)
            continue;
        sim_use_variables(all[rank]->comm->device);
        sim_memory_copy(all[rank]->receive, sum, bytes);
        sim_init_host_writes(all[rank]->receive, bytes);
    }
}

void sim_nccl_tell_observer(const struct collective *c)
{
    const struct sim_collective_seen seen = {c->call.function, (unsigned int)c->comm->clique->ranks,
                                             c->count,         c->count * sim_nccl_bytes(c->type),
                                             c->root,          c->call.pc};
    if (observer)
        observer(&seen, observer_context);
}

static void carry_out(struct collective *const *all, int ranks)
{
    const struct collective *what = all[0];
    size_t bytes = what->count * sim_nccl_bytes(what->type);
    void *sum = malloc(bytes + 1), *next = malloc(bytes + 1);
    sim_nccl_order_streams(all, ranks);
    if (!sum || !next) {
        fprintf(stderr, "simulated GPU: the host is out of memory\n");
        exit(1);
    }
    compute(all, ranks, sum, next);
    free(sum);
    free(next);
    sim_nccl_tell_observer(what);
}

/* The first call of each rank; false when a rank has none. */
static bool all_have_joined(const struct clique *clique, struct collective **all)
{
    for (int rank = 0; rank < clique->ranks; rank++) {
        if (!clique->comm[rank] || !clique->comm[rank]->first)
            return false;
        all[rank] = clique->comm[rank]->first;
    }
    return true;
}

bool sim_nccl_advance(struct clique *clique)
{
    struct collective *all[SIM_MOST_DEVICES];
    if (clique->meeting)
        return sim_nccl_advance_process(clique);
    while (all_have_joined(clique, all)) {
        for (int rank = 1; rank < clique->ranks; rank++)
            if (difference(all[0], all[rank])) {
                tell_difference(all[0], all[rank]);
                return false;
            }
        carry_out(all, clique->ranks);
        for (int rank = 0; rank < clique->ranks; rank++) {
            clique->comm[rank]->first = all[rank]->next;
            all[rank]->ended = true;
        }
    }
    return true;
}
