/* communicators.c - the communicators of a process with several devices, and NCCL's words. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/nccl/collectives.h"
#include "sim.h"

static struct ncclComm *comms;
static _Thread_local char last_refusal[512];

ncclResult_t sim_nccl_refuse(struct sim_call call, ncclResult_t result, const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(last_refusal, sizeof last_refusal, message, arguments);
    va_end(arguments);
    sim_refuse(call, cudaSuccess, "%s", last_refusal);
    return result;
}

ncclResult_t sim_nccl_return(ncclResult_t result)
{
    cudaError_t error = sim_return(cudaSuccess);
    return error && result == ncclSuccess ? ncclUnhandledCudaError : result;
}

size_t sim_live_communicators(void)
{
    size_t live = 0;
    for (const struct ncclComm *c = comms; c; c = c->next)
        live++;
    return live;
}

bool sim_nccl_is_comm(struct sim_call call, ncclComm_t comm)
{
    for (const struct ncclComm *c = comms; c; c = c->next)
        if (c == comm)
            return true;
    sim_nccl_refuse(call, ncclInvalidArgument,
                    "%p is no communicator: it was not created, or it has been destroyed",
                    (void *)comm);
    return false;
}

static const struct {
    const char *name;
    size_t bytes;
} types[] = {
    [ncclInt8] = {"ncclInt8", 1},       [ncclUint8] = {"ncclUint8", 1},
    [ncclInt32] = {"ncclInt32", 4},     [ncclUint32] = {"ncclUint32", 4},
    [ncclInt64] = {"ncclInt64", 8},     [ncclUint64] = {"ncclUint64", 8},
    [ncclFloat16] = {"ncclFloat16", 0}, [ncclFloat32] = {"ncclFloat32", 4},
    [ncclFloat64] = {"ncclFloat64", 8}, [ncclBfloat16] = {"ncclBfloat16", 0},
};

const char *sim_nccl_type_name(ncclDataType_t type)
{
    return (unsigned int)type < ncclNumTypes ? types[type].name : "no type";
}

size_t sim_nccl_bytes(ncclDataType_t type)
{
    return (unsigned int)type < ncclNumTypes ? types[type].bytes : 0;
}

const char *sim_nccl_operation_name(ncclRedOp_t operation)
{
    static const char *const names[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};
    return (unsigned int)operation < ncclNumOps ? names[operation] : "no operation";
}

ncclResult_t ncclGetVersion(int *version)
{
    struct sim_call call = SIM_CALL("ncclGetVersion");
    if (!version)
        return sim_nccl_refuse(call, ncclInvalidArgument, "the pointer for the result is NULL");
    *version = NCCL_VERSION_CODE;
    return sim_nccl_return(ncclSuccess);
}

const char *ncclGetErrorString(ncclResult_t result)
{
    static const char *const texts[] = {
        "no error",
        "unhandled cuda error",
        "unhandled system error",
        "internal error",
        "invalid argument",
        "invalid usage",
        "remote process exited or there was a network error",
        "NCCL operation in progress",
    };
    return (unsigned int)result < ncclNumResults ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return last_refusal;
}

/* Each device exists, and stands in the list once. */
static ncclResult_t check_devices(struct sim_call call, int count, const int *devices)
{
    int most = (int)sim_options()->devices;
    unsigned int seen = 0;
    for (int i = 0; i < count; i++) {
        int device = devices ? devices[i] : i;
        if (device < 0 || device >= most)
            return sim_nccl_refuse(call, ncclUnhandledCudaError,
                                   "there is no device %d: the number of devices is %d", device,
                                   most);
        if (seen >> device & 1)
            return sim_nccl_refuse(call, ncclInvalidUsage, "device %d stands in the list twice",
                                   device);
        seen |= 1u << device;
    }
    return ncclSuccess;
}

void sim_nccl_put_away(struct ncclComm *comm)
{
    struct ncclComm **link = &comms;
    while (*link != comm)
        link = &(*link)->next;
    *link = comm->next;
    if (comm->clique->meeting)
        sim_nccl_leave_meeting(comm);
    else
        comm->clique->comm[comm->rank] = NULL;
    if (--comm->clique->alive == 0)
        free(comm->clique);
    free(comm);
}

static bool make_clique(int count, const int *devices, ncclComm_t *made)
{
    struct clique *clique = calloc(1, sizeof *clique);
    if (!clique)
        return false;
    clique->ranks = count;
    for (int i = 0; i < count; i++) {
        struct ncclComm *comm = calloc(1, sizeof *comm);
        if (!comm) {
            while (i-- > 0)
                sim_nccl_put_away(made[i]);
            return false;
        }
        *comm = (struct ncclComm){clique, i, (unsigned int)(devices ? devices[i] : i), NULL, comms};
        comms = clique->comm[i] = made[i] = comm;
        clique->alive++;
    }
    return true;
}

ncclComm_t sim_nccl_make_process(int ranks, int rank)
{
    ncclComm_t comm;
    const int device = (int)sim_current_device();
    if (!make_clique(1, &device, &comm))
        return NULL;
    comm->clique->ranks = ranks;
    comm->rank = rank;
    return comm;
}

ncclResult_t ncclCommInitAll(ncclComm_t *made, int count, const int *devices)
{
    struct sim_call call = SIM_CALL("ncclCommInitAll");
    if (!made || count < 1)
        return sim_nccl_refuse(call, ncclInvalidArgument,
                               made ? "%d devices are none" : "the array of communicators is NULL",
                               count);
    ncclResult_t result = check_devices(call, count, devices);
    if (result != ncclSuccess)
        return result;
    if (!make_clique(count, devices, made))
        return sim_nccl_refuse(call, ncclSystemError, "the host is out of memory");
    return sim_nccl_return(ncclSuccess);
}

/* What still waits for other ranks never ends. */
static ncclResult_t destroy(struct sim_call call, ncclComm_t comm)
{
    if (!sim_nccl_is_comm(call, comm))
        return ncclInvalidArgument;
    if (comm->first)
        return sim_nccl_refuse(call, ncclInvalidUsage, "%s has not ended: call ncclGroupEnd before",
                               comm->first->call.function);
    sim_nccl_put_away(comm);
    return sim_nccl_return(ncclSuccess);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    return destroy(SIM_CALL("ncclCommDestroy"), comm);
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    return destroy(SIM_CALL("ncclCommAbort"), comm);
}

/* Nothing is left to be done: a collective has ended when its call, or its group, returns. */
ncclResult_t ncclCommFinalize(ncclComm_t comm)
{
    bool known = sim_nccl_is_comm(SIM_CALL("ncclCommFinalize"), comm);
    return known ? sim_nccl_return(ncclSuccess) : ncclInvalidArgument;
}

/* The end of the calls that ask for one number of a communicator. */
static ncclResult_t tell(struct sim_call call, int *result, int number)
{
    if (!result)
        return sim_nccl_refuse(call, ncclInvalidArgument, "the pointer for the result is NULL");
    *result = number;
    return sim_nccl_return(ncclSuccess);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result)
{
    struct sim_call call = SIM_CALL("ncclCommGetAsyncError");
    if (!sim_nccl_is_comm(call, comm))
        return ncclInvalidArgument;
    if (!result)
        return sim_nccl_refuse(call, ncclInvalidArgument, "the pointer for the result is NULL");
    *result = sim_sticky_error() ? ncclUnhandledCudaError : ncclSuccess;
    return sim_nccl_return(ncclSuccess);
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count)
{
    struct sim_call call = SIM_CALL("ncclCommCount");
    return sim_nccl_is_comm(call, comm) ? tell(call, count, comm->clique->ranks)
                                        : ncclInvalidArgument;
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
    struct sim_call call = SIM_CALL("ncclCommCuDevice");
    return sim_nccl_is_comm(call, comm) ? tell(call, device, (int)comm->device)
                                        : ncclInvalidArgument;
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)
{
    struct sim_call call = SIM_CALL("ncclCommUserRank");
    return sim_nccl_is_comm(call, comm) ? tell(call, rank, comm->rank) : ncclInvalidArgument;
}
