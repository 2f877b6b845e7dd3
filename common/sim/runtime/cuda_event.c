/* cuda_event.c - events. What is put into a stream has ended when the call returns, so an event is
 * only a time, and how far its stream is (stream_order.c). */
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

#include "runtime/runtime.h"

struct CUevent_st {
    unsigned int device;
    bool timed, recorded;
    struct timespec time;
    struct sim_mark mark; /* in a capture */
    struct sim_clocks clocks;
    struct CUevent_st *next;
};

static struct CUevent_st *events;

size_t sim_live_events(void)
{
    size_t live = 0;
    for (const struct CUevent_st *e = events; e; e = e->next)
        live++;
    return live;
}

void sim_destroy_events(unsigned int device)
{
    for (struct CUevent_st **link = &events, *e; (e = *link);) {
        if (e->device != device) {
            link = &e->next;
            continue;
        }
        *link = e->next;
        free(e);
    }
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
    created->device = sim_current_device();
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

/* An event is recorded on its own device only; whoever waits for it may be on another. */
static cudaError_t check_same_device(struct sim_call call, cudaEvent_t event, cudaStream_t stream)
{
    unsigned int device = sim_stream_device(stream);
    if (event->device == device)
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidResourceHandle,
                      "the event was created while device %u was current, and the stream belongs "
                      "to device %u: create it after cudaSetDevice(%u)",
                      event->device, device, device);
}

/* The time of the event is now, since what came before it in the stream has ended. */
static cudaError_t record(struct sim_call call, cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = check_event(call, event);
    if (!error)
        error = sim_check_stream(call, stream);
    if (!error)
        error = check_same_device(call, event, stream);
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
    if (!error && start->device != end->device)
        error = sim_refuse(call, cudaErrorInvalidResourceHandle,
                           "the events belong to two devices, %u and %u, which have two clocks",
                           start->device, end->device);
    if (error)
        return error;
    sim_host_waits_for(&end->clocks);
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    double nanoseconds = (double)(end->time.tv_nsec - start->time.tv_nsec);
    *milliseconds = (float)(seconds * 1e3 + nanoseconds * 1e-6);
    return sim_return(cudaSuccess);
}
