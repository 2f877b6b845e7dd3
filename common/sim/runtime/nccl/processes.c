/* processes.c - communicators whose ranks may be in several processes of one machine: ncclGetUniqueId
 * and ncclCommInitRank, as programs of MPI make them.
 *
 * The ranks meet in a file of shared memory, in which each has a seat. Who joins a collective writes
 * there what it asks for, and what it sends; when all have, each takes what it is to receive. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "runtime/nccl/collectives.h"

enum { MOST_RANKS = 64 };

struct meeting {
    struct seat {
        _Atomic uint64_t joined;  /* how many collectives this rank has joined, and which of */
        _Atomic uint64_t done;    /* these it has seen to their ends; the first is its beginning */
        _Atomic uint64_t pulse;   /* one_at_a_time.c */
        volatile int32_t process; /* 0: nobody has come */
        uint32_t host, device;
        _Atomic int32_t left, waits; /* has destroyed its communicator; waits for others of it */
        char function[24];           /* what it asks for */
        char where[200]; /* in which line: when ranks disagree; looking it up takes a while */
        _Atomic int32_t has_where;
        uint64_t count;
        int32_t type, operation, root, ranks;
        unsigned char data[SIM_NCCL_MOST_SENT];
    } seat[MOST_RANKS];
};

static size_t bytes_of(int ranks)
{
    return (size_t)ranks * sizeof(struct seat);
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    static unsigned int last;
    struct sim_call call = SIM_CALL("ncclGetUniqueId");
    struct timespec now;
    if (!id)
        return sim_nccl_refuse(call, ncclInvalidArgument, "the pointer for the result is NULL");
    clock_gettime(CLOCK_REALTIME, &now);
    memset(id, 0, sizeof *id);
    snprintf(id->internal, sizeof id->internal, "/simulated-nccl-%d-%lld-%u", (int)getpid(),
             (long long)now.tv_sec * 1000000000 + now.tv_nsec, ++last);
    return sim_nccl_return(ncclSuccess);
}

/* In the folder for temporary files, if there is one of this name: whoever made it removes what processes
 * that were ended leave there. */
static const char *shared_path(const char *name, char path[PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/')
        folder = "/dev/shm";
    snprintf(path, PATH_MAX, "%s/%s", folder, name + 1);
    return path;
}

/* Weak: ranks that may open nothing any more bring their own, as common/ranks/rank/meetings.c. */
__attribute__((weak)) void *sim_nccl_share(const char *name, size_t bytes)
{
    char path[PATH_MAX];
    int file = open(shared_path(name, path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

__attribute__((weak)) void sim_nccl_forget(const char *name)
{
    char path[PATH_MAX];
    unlink(shared_path(name, path));
}

void sim_nccl_leave_meeting(struct ncclComm *comm)
{
    struct clique *clique = comm->clique;
    sim_pulse_ends(&clique->meeting->seat[comm->rank].pulse);
    clique->meeting->seat[comm->rank].left = 1;
    munmap(clique->meeting, bytes_of(clique->ranks));
    sim_nccl_forget(clique->name); /* when it did not come about; else it is gone */
}

void sim_nccl_abandon_meeting(const struct clique *clique)
{
    sim_nccl_forget(clique->name);
}

/* All have begun: each has its device to itself, or NCCL refuses them. */
static ncclResult_t check_alone(struct sim_call call, ncclComm_t *made)
{
    const struct clique *clique = (*made)->clique;
    const struct seat *seat = clique->meeting->seat;
    for (int one = 1; one < clique->ranks; one++)
        for (int other = 0; other < one; other++) {
            if (seat[one].host != seat[other].host || seat[one].device != seat[other].device)
                continue;
            unsigned int device = seat[one].device;
            sim_nccl_put_away(*made);
            *made = NULL;
            return sim_nccl_refuse(
                call, ncclInvalidUsage,
                "ranks %d and %d both have device %u: NCCL wants one for each; call cudaSetDevice "
                "with another device in each process before",
                other, one, device);
        }
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *made, int ranks, ncclUniqueId id, int rank)
{
    static const char prefix[] = "/simulated-nccl-";
    struct sim_call call = SIM_CALL("ncclCommInitRank");
    if (!made || strncmp(id.internal, prefix, sizeof prefix - 1) != 0)
        return sim_nccl_refuse(call, ncclInvalidArgument,
                               made
                                   ? "the id is none of ncclGetUniqueId: give all ranks that of one"
                                   : "the pointer for the result is NULL");
    if (ranks < 1 || ranks > MOST_RANKS || rank < 0 || rank >= ranks)
        return sim_nccl_refuse(call, ncclInvalidArgument,
                               "rank %d of %d: the number of ranks is 1 to %d, they begin with 0",
                               rank, ranks, MOST_RANKS);
    struct meeting *meeting = sim_nccl_share(id.internal, bytes_of(ranks));
    if (!meeting)
        return sim_nccl_refuse(call, ncclSystemError, "no shared memory: %s", strerror(errno));
    int32_t nobody = 0;
    if (!__atomic_compare_exchange_n(&meeting->seat[rank].process, &nobody, getpid(), false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        munmap(meeting, bytes_of(ranks));
        return sim_nccl_refuse(call, ncclInvalidUsage, "rank %d has begun already", rank);
    }
    ncclComm_t comm = sim_nccl_make_process(ranks, rank);
    if (!comm)
        return sim_nccl_refuse(call, ncclSystemError, "the host is out of memory");
    meeting->seat[rank].host = sim_options()->host;
    meeting->seat[rank].device = comm->device;
    comm->clique->meeting = meeting;
    snprintf(comm->clique->name, sizeof comm->clique->name, "%s", id.internal);
    sim_pulse_begins(&meeting->seat[rank].pulse);
    *made = comm;
    /* As a collective of nothing, for which it waits. */
    const struct collective begins = {.call = call, .comm = comm, .root = NO_ROOT};
    ncclResult_t result = sim_nccl_join(&begins);
    return result == ncclSuccess && comm->clique->meeting->seat[rank].done ? check_alone(call, made)
                                                                           : result;
}

static bool all_have(const struct clique *clique, size_t counter, uint64_t number)
{
    for (int rank = 0; rank < clique->ranks; rank++)
        if (*(_Atomic uint64_t *)((char *)&clique->meeting->seat[rank] + counter) < number)
            return false;
    return true;
}

static void write_down(struct seat *seat, const struct collective *c, uint64_t number)
{
    size_t bytes = c->count * sim_nccl_bytes(c->type);
    snprintf(seat->function, sizeof seat->function, "%s", c->call.function);
    seat->has_where = 0;
    seat->count = c->count;
    seat->type = (int32_t)c->type;
    seat->operation = (int32_t)c->operation;
    seat->root = c->root;
    seat->ranks = c->comm->clique->ranks;
    sim_use_variables(c->comm->device);
    sim_nccl_check_written(c, bytes);
    if (bytes)
        sim_memory_copy(seat->data, c->send, bytes);
    seat->joined = number;
}

static struct terms terms_of(const struct seat *seat)
{
    return (struct terms){seat->function,
                          seat->ranks,
                          seat->count,
                          (ncclDataType_t)seat->type,
                          (ncclRedOp_t)seat->operation,
                          seat->root};
}

static const char *difference(const struct seat *one, const struct seat *other)
{
    return sim_nccl_difference(terms_of(one), terms_of(other));
}

/* Each process says where it is, and gives another one a second to do so. */
static const char *where_is(const struct collective *c, struct seat *seat)
{
    enum { TICK = 1000 /* microseconds */, SECOND = 1000 /* of them */ };
    struct seat *own = &c->comm->clique->meeting->seat[c->comm->rank];
    if (!own->has_where)
        sim_locate(c->call.pc, own->where, sizeof own->where);
    own->has_where = 1;
    for (int tick = 0; !seat->has_where && tick < SECOND; tick++)
        usleep(TICK);
    return seat->has_where ? seat->where : "?";
}

/* Whether all ask for the same; each process tells when they do not. */
static bool agree(const struct collective *c)
{
    struct meeting *meeting = c->comm->clique->meeting;
    char headline[96], detail[600];
    for (int rank = 1; rank < c->comm->clique->ranks; rank++) {
        struct seat *one = &meeting->seat[0], *other = &meeting->seat[rank];
        if (!difference(one, other))
            continue;
        snprintf(headline, sizeof headline, "%s: the ranks disagree on %s", c->call.function,
                 difference(one, other));
        snprintf(detail, sizeof detail,
                 "rank %d has %s of %llu %s by %s at %s, rank 0 has %s of %llu %s by %s at %s",
                 rank, other->function, (unsigned long long)other->count,
                 sim_nccl_type_name((ncclDataType_t)other->type),
                 sim_nccl_operation_name((ncclRedOp_t)other->operation), where_is(c, other),
                 one->function, (unsigned long long)one->count,
                 sim_nccl_type_name((ncclDataType_t)one->type),
                 sim_nccl_operation_name((ncclRedOp_t)one->operation), where_is(c, one));
        sim_report(
            CHECK_PROGRESS, NULL, c->call.pc, headline, detail,
            "give the calls of all ranks the same; on a GPU they hang, or the result is wrong");
        return false;
    }
    return true;
}

static void take_result(const struct collective *c)
{
    const struct clique *clique = c->comm->clique;
    size_t bytes = c->count * sim_nccl_bytes(c->type);
    struct collective *const own = (struct collective *)(uintptr_t)c;
    sim_nccl_order_streams(&own, 1);
    if (c->root != NO_ROOT && c->root != c->comm->rank)
        return;
    void *sum = malloc(bytes + 1);
    if (!sum) {
        fprintf(stderr, "simulated GPU: the host is out of memory\n");
        exit(1);
    }
    memcpy(sum, clique->meeting->seat[0].data, bytes);
    for (int rank = 1; rank < clique->ranks; rank++)
        sim_nccl_combine(sum, clique->meeting->seat[rank].data, c);
    if (c->operation == ncclAvg)
        sim_nccl_divide(sum, c, clique->ranks);
    sim_use_variables(c->comm->device);
    sim_memory_copy(c->receive, sum, bytes);
    sim_init_host_writes(c->receive, bytes);
    free(sum);
}

bool sim_nccl_advance_process(struct clique *clique)
{
    struct ncclComm *comm = clique->comm[0];
    struct seat *seat = &clique->meeting->seat[comm->rank];
    for (struct collective *c; (c = comm->first);) {
        uint64_t number = seat->done + 1;
        if (seat->joined < number) {
            if (!all_have(clique, offsetof(struct seat, done), number - 1))
                return true; /* another rank still reads what is there */
            write_down(seat, c, number);
        }
        if (!all_have(clique, offsetof(struct seat, joined), number))
            return true;
        if (!agree(c))
            return false;
        if (number == 1)
            sim_nccl_forget(clique->name); /* all are in */
        else
            take_result(c);
        seat->done = number;
        comm->first = c->next;
        c->ended = true;
        if (number > 1 && comm->rank == 0)
            sim_nccl_tell_observer(c);
    }
    return true;
}

static bool has_gone(const struct seat *seat)
{
    return seat->left || (seat->process && kill(seat->process, 0) && errno == ESRCH);
}

/* Their numbers: where some have ended these, for they are the cause. */
static void name_absent(const struct clique *clique, uint64_t number, struct sim_absent *absent)
{
    size_t used = 0;
    for (int rank = 0; rank < clique->ranks; rank++) {
        const struct seat *seat = &clique->meeting->seat[rank];
        const bool gone = has_gone(seat);
        if (seat->joined < number && gone == absent->gone && used < sizeof absent->ranks - 24)
            used += (size_t)snprintf(absent->ranks + used, sizeof absent->ranks - used, "%s%d%s",
                                     used ? ", " : "", rank, gone ? " (which has ended)" : "");
    }
}

void sim_nccl_waits(const struct collective *c, bool waits)
{
    if (c->comm->clique->meeting)
        c->comm->clique->meeting->seat[c->comm->rank].waits = waits;
}

/* Asks of the ranks that have not joined: do they still run, and what have they done since? */
struct sim_absent sim_nccl_absent(const struct collective *c)
{
    const struct clique *clique = c->comm->clique;
    struct sim_absent absent = {.all_gone = true};
    uint64_t number = clique->meeting->seat[c->comm->rank].done + 1;
    bool any = false;
    for (int rank = 0; rank < clique->ranks; rank++) {
        struct seat *seat = &clique->meeting->seat[rank];
        if (seat->joined >= number)
            continue;
        any = true;
        bool gone = has_gone(seat);
        bool here = seat->process == getpid();
        absent.gone |= gone;
        absent.all_gone &= gone || here;
        absent.pulse += seat->pulse;
        absent.at_work |= !gone && !here && !seat->waits && seat->pulse % 2 == 1;
    }
    absent.all_gone &= any; /* the last of them may have come a moment ago */
    name_absent(clique, number, &absent);
    return absent;
}
