/* cuda_stream.c - streams. What is put into a stream has ended when the call returns, so a stream is
 * only a name. What would be ordered on a GPU, stream_order.c knows. */
#include <stdlib.h>

#include "runtime/runtime.h"

struct CUstream_st {
    unsigned int device;
    unsigned int flags;
    int priority;
    unsigned long long id;
    unsigned int clock; /* stream_order.c */
    struct CUstream_st *next;
};

static struct CUstream_st *streams;

/* The default streams have no entry of their own. */
static bool stream_exists(cudaStream_t stream)
{
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return true;
    for (const struct CUstream_st *s = streams; s; s = s->next)
        if (s == stream)
            return true;
    return false;
}

size_t sim_live_handles(void)
{
    size_t live = sim_live_events();
    for (const struct CUstream_st *s = streams; s; s = s->next)
        live++;
    return live;
}

/* One of the program's, which exists. */
static bool is_created(cudaStream_t stream)
{
    return (uintptr_t)stream > 2 && stream_exists(stream);
}

unsigned int sim_stream_clock(cudaStream_t stream)
{
    if (is_created(stream))
        return stream->clock;
    return sim_default_clock(sim_current_device(), stream == cudaStreamPerThread);
}

unsigned int sim_stream_device(cudaStream_t stream)
{
    return is_created(stream) ? stream->device : sim_current_device();
}

cudaError_t sim_check_stream(struct sim_call call, cudaStream_t stream)
{
    if (stream_exists(stream))
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidResourceHandle,
                      "%p is no stream: it was not created, or it has been destroyed",
                      (void *)stream);
}

void sim_destroy_streams(unsigned int device)
{
    sim_capture_forget();
    for (struct CUstream_st **link = &streams, *s; (s = *link);) {
        if (s->device != device) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        sim_stream_ends(s->clock);
        free(s);
    }
}

static cudaError_t create_stream(struct sim_call call, cudaStream_t *stream, unsigned int flags,
                                 int priority)
{
    static unsigned long long last_id = 2; /* 1 and 2 are the default streams */
    if (!stream || flags > cudaStreamNonBlocking)
        return sim_refuse(
            call, cudaErrorInvalidValue,
            stream ? "flags 0x%x are not known" : "the pointer for the result is NULL", flags);
    struct CUstream_st *created = malloc(sizeof *created);
    if (!created)
        return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
    unsigned int device = sim_current_device();
    unsigned int clock = sim_stream_begins(device, flags & cudaStreamNonBlocking);
    *created = (struct CUstream_st){device, flags, priority, ++last_id, clock, streams};
    streams = created;
    *stream = created;
    return sim_return(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return create_stream(SIM_CALL("cudaStreamCreate"), stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return create_stream(SIM_CALL("cudaStreamCreateWithFlags"), stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    return create_stream(SIM_CALL("cudaStreamCreateWithPriority"), stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaStreamDestroy");
    for (struct CUstream_st **link = &streams; *link; link = &(*link)->next) {
        if (*link == stream) {
            *link = stream->next;
            sim_stream_ends(stream->clock);
            free(stream);
            return sim_return(cudaSuccess);
        }
    }
    return sim_refuse(call, cudaErrorInvalidResourceHandle,
                      "%p is no stream that was created and not yet destroyed", (void *)stream);
}

static cudaError_t check_not_captured(struct sim_call call, cudaStream_t stream)
{
    cudaError_t error = sim_check_stream(call, stream);
    return error ? error : sim_check_no_capture(call, stream, false);
}

/* All that was put into the stream has ended, and now the host knows. */
static cudaError_t stream_done(struct sim_call call, cudaStream_t stream)
{
    cudaError_t error = check_not_captured(call, stream);
    if (error)
        return error;
    sim_host_waits_for_stream(stream);
    return sim_return(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return stream_done(SIM_CALL("cudaStreamSynchronize"), stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return stream_done(SIM_CALL("cudaStreamQuery"), stream);
}

/* A default stream has no properties that could be set. */
static struct CUstream_st properties_of(cudaStream_t stream)
{
    if ((uintptr_t)stream > 2)
        return *stream;
    return (struct CUstream_st){.id = stream == cudaStreamPerThread ? 2 : 1};
}

static cudaError_t check_query(struct sim_call call, cudaStream_t stream, const void *result)
{
    if (!result)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = check_not_captured(call, stream);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    cudaError_t error = check_query(SIM_CALL("cudaStreamGetFlags"), stream, flags);
    if (!error)
        *flags = properties_of(stream).flags;
    return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    cudaError_t error = check_query(SIM_CALL("cudaStreamGetPriority"), stream, priority);
    if (!error)
        *priority = properties_of(stream).priority;
    return error;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    cudaError_t error = check_query(SIM_CALL("cudaStreamGetId"), stream, id);
    if (!error)
        *id = properties_of(stream).id;
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaStreamAddCallback");
    cudaError_t error = sim_check_stream(call, stream);
    if (error)
        return error;
    error = sim_check_no_capture(call, stream, false);
    if (error)
        return error;
    if (!callback || flags)
        return sim_refuse(call, cudaErrorInvalidValue,
                          callback ? "flags must be 0" : "the callback is NULL");
    sim_host_waits_for_stream(stream);
    sim_leave(); /* it may wait for another host thread */
    callback(stream, sim_sticky_error(), data);
    return sim_return(cudaSuccess);
}

struct host_job {
    cudaStream_t stream;
    cudaHostFn_t function;
    void *data;
};

static cudaError_t run_on_host(struct sim_call call, const void *payload)
{
    const struct host_job *job = payload;
    (void)call;
    bool runs = !sim_sticky_error();
    sim_host_waits_for_stream(job->stream);
    sim_leave(); /* it may wait for another host thread */
    if (runs)
        job->function(job->data);
    return sim_return(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    struct sim_call call = SIM_CALL("cudaLaunchHostFunc");
    struct host_job job = {stream, function, data};
    if (!function)
        return sim_refuse(call, cudaErrorInvalidValue, "the function is NULL");
    return sim_in_stream(call, stream, run_on_host, &job, sizeof job);
}
