/* collectives.h - NCCL on the simulated GPU: what its files share.
 *
 * A call for one rank is kept until all ranks of its communicators have made theirs; then the
 * collective is carried out at once, as everything here. */
#ifndef SIM_COLLECTIVES_H
#define SIM_COLLECTIVES_H

#include "include/nccl.h"
#include "runtime/runtime.h"

/* What a rank asks for. */
struct collective {
    struct sim_call call;
    ncclComm_t comm;
    const void *send;
    void *receive;
    size_t count;
    ncclDataType_t type;
    ncclRedOp_t operation;
    int root; /* NO_ROOT: all get the result */
    cudaStream_t stream;
    unsigned int clock;                /* of the stream */
    bool grouped;                      /* between ncclGroupStart and ncclGroupEnd */
    bool ended;                        /* carried out, or given up */
    struct collective *next;           /* of its rank: the order in which it joins */
    struct collective *next_of_thread; /* groups.c */
};
enum { NO_ROOT = -1 };

/* The communicators that one ncclCommInitAll made; or one alone, which has met others. */
struct clique {
    int ranks, alive;
    ncclComm_t comm[SIM_MOST_DEVICES]; /* by rank; the one alone is the first */
    struct meeting *meeting;           /* processes.c; NULL of ncclCommInitAll */
    char name[NCCL_UNIQUE_ID_BYTES];   /* of that */
};

struct ncclComm {
    struct clique *clique;
    int rank;
    unsigned int device;
    struct collective *first; /* that wait for the other ranks */
    struct ncclComm *next;
};

/* communicators.c */
/* Ends the call with a line "file:line: function: message"; CUDA's last error stays what it was. */
ncclResult_t sim_nccl_refuse(struct sim_call call, ncclResult_t result, const char *message, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the call: ncclUnhandledCudaError when a kernel was stopped before. */
ncclResult_t sim_nccl_return(ncclResult_t result);
/* Whether it is one; a call that is refused has ended. */
bool sim_nccl_is_comm(struct sim_call call, ncclComm_t comm);
/* "ncclUint64", "ncclSum"; bytes of an element, 0 of a type that is not simulated. */
const char *sim_nccl_type_name(ncclDataType_t type);
const char *sim_nccl_operation_name(ncclRedOp_t operation);
size_t sim_nccl_bytes(ncclDataType_t type);

/* A communicator by itself, on the current device, or NULL: the host is out of memory. */
ncclComm_t sim_nccl_make_process(int ranks, int rank);

/* It is no communicator any more. */
void sim_nccl_put_away(struct ncclComm *comm);

/* reductions.c */
/* Combines the elements of `from` into `into`; divides a sum to an average. */
void sim_nccl_combine(void *into, const void *from, const struct collective *what);
void sim_nccl_divide(void *values, const struct collective *what, int ranks);

/* carried_out.c */
/* Carries out what all ranks have joined. False: they have joined it in different ways, which was
 * told. */
bool sim_nccl_advance(struct clique *clique);
/* Tells of one that some ranks do not join; `alone`: no other host thread uses CUDA. */
void sim_nccl_tell_missing(const struct collective *waiting, bool alone);

/* What a rank asks for, in which all have to agree. */
struct terms {
    const char *function;
    int ranks;
    uint64_t count;
    ncclDataType_t type;
    ncclRedOp_t operation;
    int root;
};
/* In what two of them disagree, or NULL. */
const char *sim_nccl_difference(struct terms one, struct terms other);

void sim_nccl_order_streams(struct collective *const *all, int ranks);
/* Reports elements that nothing has written. */
void sim_nccl_check_written(const struct collective *c, size_t bytes);
void sim_nccl_tell_observer(const struct collective *c);

/* processes.c: of ranks that may be in other processes */
enum { SIM_NCCL_MOST_SENT = 1 << 20 }; /* bytes that a rank sends in one collective */
/* As sim_nccl_advance, which calls it. */
bool sim_nccl_advance_process(struct clique *clique);
void sim_nccl_leave_meeting(struct ncclComm *comm);
/* Memory that processes share by a name, of zeros; NULL, and errno, where there is none. */
void *sim_nccl_share(const char *name, size_t bytes);
/* A rank says so twice: when nobody new can come, and when it has left. */
void sim_nccl_forget(const char *name);
/* Nobody new can come. */
void sim_nccl_abandon_meeting(const struct clique *clique);
/* The ranks that have not joined. */
struct sim_absent {
    bool gone;       /* one has ended, or destroyed its communicator */
    bool all_gone;   /* none is in another process that runs */
    bool at_work;    /* one is within a call of the runtime, and does not wait there */
    uint64_t pulse;  /* grows when they call it */
    char ranks[200]; /* "1, 3 (which has ended)" */
};
struct sim_absent sim_nccl_absent(const struct collective *c);
/* This rank waits for others of its communicator, or no longer: who waits is within a call, and not at work. */
void sim_nccl_waits(const struct collective *c, bool waits);

/* groups.c */
/* Takes the call of a rank; ends it. The collective is copied. */
ncclResult_t sim_nccl_join(const struct collective *asked);
/* A call was refused: so is the group that it is in. Returns the result. */
ncclResult_t sim_nccl_spoil_group(ncclResult_t result);

#endif
