/* rank_calls.c - ncclReduce and ncclAllReduce: what one rank asks for, and whether it may. */
#include "runtime/nccl/collectives.h"

/* A buffer lies in memory of the rank's own device, or of the host where the device can use it. */
static ncclResult_t check_buffer(const struct collective *c, const char *role, const void *buffer)
{
    char where[512];
    size_t bytes = c->count * sim_nccl_bytes(c->type);
    if (sim_check_range(c->call, (struct sim_range){role, buffer, bytes, SIM_DEVICE_SIDE}))
        return ncclInvalidArgument;
    const struct sim_allocation *a = bytes ? sim_memory_find((uintptr_t)buffer) : NULL;
    if (!a || a->kind != SIM_DEVICE_MEMORY || a->device == c->comm->device)
        return ncclSuccess;
    if (sim_checks(CHECK_MEMORY))
        sim_count_error(true);
    return sim_nccl_refuse(c->call, ncclInvalidArgument,
                           "the %s, %p, is memory of device %u, and the communicator is that of "
                           "device %u: allocated at %s",
                           role, buffer, a->device, c->comm->device,
                           sim_locate(a->allocated_at, where, sizeof where));
}

static ncclResult_t check_numbers(const struct collective *c)
{
    int ranks = c->comm->clique->ranks;
    if (sim_nccl_bytes(c->type) == 0)
        return sim_nccl_refuse(c->call, ncclInvalidArgument,
                               (unsigned int)c->type < ncclNumTypes
                                   ? "%s is not simulated: use ncclFloat"
                                   : "%s: see enum ncclDataType_t",
                               sim_nccl_type_name(c->type));
    if ((unsigned int)c->operation >= ncclNumOps)
        return sim_nccl_refuse(c->call, ncclInvalidArgument, "%d is no operation: see ncclRedOp_t",
                               (int)c->operation);
    if (c->root != NO_ROOT && (c->root < 0 || c->root >= ranks))
        return sim_nccl_refuse(c->call, ncclInvalidArgument,
                               "there is no rank %d for the root: the ranks are 0 to %d", c->root,
                               ranks - 1);
    if (c->comm->clique->meeting && c->count > SIM_NCCL_MOST_SENT / sim_nccl_bytes(c->type))
        return sim_nccl_refuse(c->call, ncclInvalidArgument,
                               "%zu elements: between processes a rank sends at most %d bytes here",
                               c->count, SIM_NCCL_MOST_SENT);
    if (c->count > SIZE_MAX / 8)
        return sim_nccl_refuse(c->call, ncclInvalidArgument, "%zu elements are too many", c->count);
    return ncclSuccess;
}

/* It lies on the rank's device. The default stream is that of the rank's device, too. */
static ncclResult_t check_stream(struct collective *c)
{
    unsigned int device = c->comm->device;
    bool is_created = (uintptr_t)c->stream > 2;
    if (sim_check_stream(c->call, c->stream))
        return ncclInvalidArgument;
    if (sim_is_captured(c->stream))
        return sim_nccl_refuse(c->call, ncclInvalidUsage,
                               "a collective in a stream that is captured is not simulated");
    if (is_created && sim_stream_device(c->stream) != device)
        return sim_nccl_refuse(c->call, ncclUnhandledCudaError,
                               "the stream belongs to device %u, and the communicator is that of "
                               "device %u: create the stream after cudaSetDevice(%u)",
                               sim_stream_device(c->stream), device, device);
    c->clock = is_created ? sim_stream_clock(c->stream)
                          : sim_default_clock(device, c->stream == cudaStreamPerThread);
    return ncclSuccess;
}

static ncclResult_t check(struct collective *c)
{
    if (!sim_nccl_is_comm(c->call, c->comm))
        return ncclInvalidArgument;
    ncclResult_t result = check_numbers(c);
    if (result == ncclSuccess)
        result = check_stream(c);
    if (result == ncclSuccess)
        result = check_buffer(c, "send buffer", c->send);
    bool receives = c->root == NO_ROOT || c->root == c->comm->rank;
    if (result == ncclSuccess && receives)
        result = check_buffer(c, "receive buffer", c->receive);
    return result;
}

static ncclResult_t ask(struct collective collective)
{
    ncclResult_t result = check(&collective);
    return result == ncclSuccess ? sim_nccl_join(&collective) : sim_nccl_spoil_group(result);
}

ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t operation, int root, ncclComm_t comm, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("ncclReduce");
    if (root == NO_ROOT) /* which is no rank either */
        root = INT32_MAX;
    return ask((struct collective){.call = call,
                                   .comm = comm,
                                   .send = send,
                                   .receive = receive,
                                   .count = count,
                                   .type = type,
                                   .operation = operation,
                                   .root = root,
                                   .stream = stream});
}

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("ncclAllReduce");
    return ask((struct collective){.call = call,
                                   .comm = comm,
                                   .send = send,
                                   .receive = receive,
                                   .count = count,
                                   .type = type,
                                   .operation = operation,
                                   .root = NO_ROOT,
                                   .stream = stream});
}
