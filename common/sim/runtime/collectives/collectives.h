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

/* The communicators that one ncclCommInitAll made. */
struct clique {
    int ranks, alive;
    ncclComm_t comm[SIM_MOST_DEVICES];
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

/* groups.c */
/* Takes the call of a rank; ends it. The collective is copied. */
ncclResult_t sim_nccl_join(const struct collective *asked);
/* A call was refused: so is the group that it is in. Returns the result. */
ncclResult_t sim_nccl_spoil_group(ncclResult_t result);

#endif
