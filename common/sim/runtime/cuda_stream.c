/* cuda_stream.c - streams and events. What is put into a stream has ended when
 * the call returns, so a stream is only a name, and an event a time. What would be ordered on a
 * GPU, stream_order.c knows. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

#include "runtime/runtime.h"

struct CUstream_st {
    unsigned int flags;
    int priority;
    unsigned long long id;
    unsigned int clock; /* stream_order.c */
    struct CUstream_st *next;
};

struct CUevent_st {
    bool timed, recorded;
    struct timespec time;
    struct sim_mark mark; /* in a capture */
    struct sim_clocks clocks;
    struct CUevent_st *next;
};

static struct CUstream_st *streams;
static struct CUevent_st *events;

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

unsigned int sim_stream_clock(cudaStream_t stream)
{
    if (stream == cudaStreamPerThread)
        return 1;
    return (uintptr_t)stream > 2 && stream_exists(stream) ? stream->clock : 0;
}

cudaError_t sim_check_stream(struct sim_call call, cudaStream_t stream)
{
    if (stream_exists(stream))
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidResourceHandle,
                      "%p is no stream: it was not created, or it has been destroyed",
                      (void *)stream);
}

void sim_destroy_streams(void)
{
    sim_capture_forget();
    for (struct CUstream_st *next; streams; streams = next) {
        next = streams->next;
        sim_stream_ends(streams->clock);
        free(streams);
    }
    for (struct CUevent_st *next; events; events = next) {
        next = events->next;
        free(events);
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
    *created = (struct CUstream_st){flags, priority, ++last_id,
                                    sim_stream_begins(flags & cudaStreamNonBlocking), streams};
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

static cudaError_t create_event(struct sim_call call, cudaEvent_t *event, unsigned int flags)
{
    const unsigned int known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!event || flags & ~known)
        return sim_refuse(call, cudaErrorInvalidValue,
                          event ? "flags 0x%x are not known" : "the pointer for the result is NULL",
                          flags);
    struct CUevent_st *created = calloc(1, sizeof *created);
    if (!created)
        return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
    created->timed = !(flags & cudaEventDisableTiming);
    created->next = events;
    events = created;
    *event = created;
    return sim_return(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return create_event(SIM_CALL("cudaEventCreate"), event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return create_event(SIM_CALL("cudaEventCreateWithFlags"), event, flags);
}

static cudaError_t check_event(struct sim_call call, cudaEvent_t event)
{
    for (const struct CUevent_st *e = events; e; e = e->next)
        if (e == event)
            return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidResourceHandle,
                      "%p is no event: it was not created, or it has been destroyed",
                      (void *)event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t error = check_event(SIM_CALL("cudaEventDestroy"), event);
    if (error)
        return error;
    struct CUevent_st **link = &events;
    while (*link != event)
        link = &(*link)->next;
    *link = event->next;
    free(event);
    return sim_return(cudaSuccess);
}

/* The time of the event is now, since what came before it in the stream has ended. */
static cudaError_t record(struct sim_call call, cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = check_event(call, event);
    if (!error)
        error = sim_check_stream(call, stream);
    if (error)
        return error;
    event->mark = sim_capture_mark(stream);
    if (event->mark.capture)
        return sim_return(cudaSuccess);
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    event->recorded = true;
    event->clocks = sim_stream_clocks(stream);
    return sim_return(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return record(SIM_CALL("cudaEventRecord"), event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    (void)flags;
    return record(SIM_CALL("cudaEventRecordWithFlags"), event, stream);
}

/* An event that was never recorded counts as complete. */
static cudaError_t event_done(struct sim_call call, cudaEvent_t event)
{
    cudaError_t error = check_event(call, event);
    if (error)
        return error;
    sim_host_waits_for(&event->clocks);
    return sim_return(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return event_done(SIM_CALL("cudaEventSynchronize"), event);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return event_done(SIM_CALL("cudaEventQuery"), event);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaStreamWaitEvent");
    (void)flags;
    cudaError_t error = sim_check_stream(call, stream);
    if (!error)
        error = check_event(call, event);
    if (!error)
        error = sim_capture_wait(call, stream, event->mark);
    if (error)
        return error;
    sim_stream_waits_for(stream, &event->clocks);
    return sim_return(cudaSuccess);
}

static cudaError_t check_timed(struct sim_call call, cudaEvent_t event)
{
    cudaError_t error = check_event(call, event);
    if (error)
        return error;
    if (!event->timed)
        return sim_refuse(call, cudaErrorInvalidResourceHandle,
                          "the event was created with cudaEventDisableTiming");
    if (!event->recorded)
        return sim_refuse(call, cudaErrorInvalidResourceHandle, "the event has not been recorded");
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    struct sim_call call = SIM_CALL("cudaEventElapsedTime");
    if (!milliseconds)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = check_timed(call, start);
    if (!error)
        error = check_timed(call, end);
    if (error)
        return error;
    sim_host_waits_for(&end->clocks);
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    double nanoseconds = (double)(end->time.tv_nsec - start->time.tv_nsec);
    *milliseconds = (float)(seconds * 1e3 + nanoseconds * 1e-6);
    return sim_return(cudaSuccess);
}
