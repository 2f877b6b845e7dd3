/* cuda_capture.c - what is put into a stream while it is captured becomes a graph.
 *
 * Another stream joins a capture by waiting for an event that was recorded in it, and has to be
 * waited for in its turn. */
#include <stdlib.h>

#include "runtime/runtime.h"

struct capture {
    unsigned long long id;
    struct cudaGraph_st *graph;
    cudaStream_t origin;
    enum cudaStreamCaptureMode mode;
    bool spoiled; /* something was called that a capture does not allow */
};

/* A stream that is captured. */
struct captured {
    cudaStream_t stream;
    struct capture *capture;
    struct branch branch; /* of the graph */
    bool joined;          /* the origin has waited for all of it, or will have */
    struct captured *next;
};

static struct captured *captured_streams;

static struct captured *find_captured(cudaStream_t stream)
{
    struct captured *c = captured_streams;
    while (c && c->stream != stream)
        c = c->next;
    return c;
}

bool sim_is_captured(cudaStream_t stream)
{
    return captured_streams && find_captured(stream);
}

struct cudaGraph_st *sim_graph_captured(cudaStream_t stream, struct branch **branch)
{
    struct captured *c = captured_streams ? find_captured(stream) : NULL;
    if (!c)
        return NULL;
    *branch = &c->branch;
    c->joined = false;
    return c->capture->graph;
}

cudaError_t sim_in_stream(struct sim_call call, cudaStream_t stream, sim_job *job,
                          const void *payload, size_t bytes)
{
    cudaError_t error = sim_check_stream(call, stream);
    if (error)
        return error;
    struct branch *branch;
    struct cudaGraph_st *graph = sim_graph_captured(stream, &branch);
    sim_stream_select(stream);
    if (!graph)
        return job(call, payload);
    return sim_graph_append(graph, branch, call, job, payload, bytes) ? sim_return(cudaSuccess)
                                                                      : sim_graph_no_memory(call);
}

/* The capture of a stream; of another one, while it forbids what would wait for it. */
static struct capture *capture_in_the_way(cudaStream_t stream, bool of_all)
{
    for (struct captured *c = captured_streams; c; c = c->next)
        if (c->stream == stream || (of_all && c->capture->mode != cudaStreamCaptureModeRelaxed))
            return c->capture;
    return NULL;
}

cudaError_t sim_check_no_capture(struct sim_call call, cudaStream_t stream, bool of_all)
{
    struct capture *capture = captured_streams ? capture_in_the_way(stream, of_all) : NULL;
    if (!capture)
        return cudaSuccess;
    capture->spoiled = true;
    return sim_refuse(call, cudaErrorStreamCaptureUnsupported,
                      "not allowed while a stream is captured: nothing runs before the graph is "
                      "launched, so there is nothing to wait for");
}

/* Events of captured streams */

struct sim_mark sim_capture_mark(cudaStream_t stream)
{
    const struct captured *c = captured_streams ? find_captured(stream) : NULL;
    if (!c)
        return (struct sim_mark){0};
    return (struct sim_mark){c->capture->id, stream, c->branch.behind};
}

static struct captured *add_stream(struct capture *capture, cudaStream_t stream)
{
    struct captured *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    struct cudaGraph_st *graph = capture->graph;
    unsigned int last =
        graph->branches < SIM_STREAM_CLOCKS ? graph->branches++ : SIM_STREAM_CLOCKS - 1;
    *c = (struct captured){stream, capture, {.number = last}, true, captured_streams};
    captured_streams = c;
    return c;
}

cudaError_t sim_capture_wait(struct sim_call call, cudaStream_t stream, struct sim_mark mark)
{
    struct captured *source = mark.capture ? find_captured(mark.stream) : NULL;
    if (!source || source->capture->id != mark.capture)
        return cudaSuccess;
    struct captured *waiting = find_captured(stream);
    if (waiting && waiting->capture != source->capture)
        return sim_refuse(call, cudaErrorStreamCaptureIsolation,
                          "the event and the stream belong to two captures");
    unsigned int own = source->branch.number;
    if (mark.behind.of[own] == source->branch.behind.of[own])
        source->joined = true;
    if (!waiting && !(waiting = add_stream(source->capture, stream)))
        return sim_graph_no_memory(call);
    waiting->joined = false;
    sim_clocks_join(&waiting->branch.behind, &mark.behind);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    static unsigned long long last_id;
    struct sim_call call = SIM_CALL("cudaStreamBeginCapture");
    cudaError_t error = sim_check_stream(call, stream);
    if (error)
        return error;
    if (!stream || stream == cudaStreamLegacy)
        return sim_refuse(call, cudaErrorStreamCaptureUnsupported,
                          "the default stream cannot be captured: create one");
    if (find_captured(stream))
        return sim_refuse(call, cudaErrorIllegalState, "the stream is captured already");
    struct capture *capture = calloc(1, sizeof *capture);
    error = capture ? sim_graph_make(call, &capture->graph) : sim_graph_no_memory(call);
    if (!error && !add_stream(capture, stream)) {
        sim_graph_remove(capture->graph);
        error = sim_graph_no_memory(call);
    }
    if (error) {
        free(capture);
        return error;
    }
    capture->id = ++last_id;
    capture->origin = stream;
    capture->mode = mode;
    return sim_return(cudaSuccess);
}

/* Ends the capture of all its streams; returns whether the others have joined the origin. */
static bool release_streams(const struct capture *capture)
{
    bool joined = true;
    for (struct captured **link = &captured_streams; *link;) {
        struct captured *c = *link;
        if (c->capture != capture) {
            link = &c->next;
            continue;
        }
        joined &= c->joined || c->stream == capture->origin;
        *link = c->next;
        free(c);
    }
    return joined;
}

void sim_capture_forget(void)
{
    while (captured_streams) {
        struct capture *capture = captured_streams->capture;
        release_streams(capture);
        sim_graph_remove(capture->graph);
        free(capture);
    }
}

static cudaError_t why_not(struct sim_call call, const struct capture *capture, bool joined)
{
    if (capture->spoiled)
        return sim_refuse(call, cudaErrorStreamCaptureInvalidated,
                          "the capture was spoiled by a call that it does not allow");
    if (!joined)
        return sim_refuse(call, cudaErrorStreamCaptureUnjoined,
                          "another stream has joined the capture, and this one does not wait for "
                          "its end: record an event in it, and wait for that here");
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    struct sim_call call = SIM_CALL("cudaStreamEndCapture");
    struct captured *c = find_captured(stream);
    if (!graph)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    *graph = NULL;
    if (!c)
        return sim_refuse(call, cudaErrorIllegalState, "the stream is not captured");
    struct capture *capture = c->capture;
    if (capture->origin != stream)
        return sim_refuse(call, cudaErrorStreamCaptureUnmatched,
                          "the capture began in another stream: end it there");
    bool joined = release_streams(capture);
    cudaError_t error = why_not(call, capture, joined);
    if (error)
        sim_graph_remove(capture->graph);
    else
        *graph = capture->graph;
    free(capture);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    struct sim_call call = SIM_CALL("cudaStreamIsCapturing");
    if (!status)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    const struct captured *c = find_captured(stream);
    *status = !c                    ? cudaStreamCaptureStatusNone
              : c->capture->spoiled ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
    return sim_return(cudaSuccess);
}
