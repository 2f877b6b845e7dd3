/* two_phase_calls.c - calls count_keys() of chapter 80 in the kernel's process, as the judge asks: see two_phase_asked.h. */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "measure.h"
#include "must_have.h"
#include "sim.h"
#include "target.h"
#include "two_phase.h"
#include "two_phase_asked.h"

#pragma weak count_keys

enum { MARGIN = 4096, RUBBISH = 0xa5, CALLS_OF_A_THREAD = 3, LEFT_OVER = 1 << 14 };

/* Memory of the device with a margin on both sides, all of it rubbish. */
struct guarded {
    char *memory;
    size_t bytes;
};

/* The arrays of a call. */
struct arrays {
    struct guarded keys, bins, temporary;
    size_t length, num_bins, temporary_bytes;
    cudaStream_t stream;
    int status;
};

static struct two_phase_seen seen;

static void note_two_phase(cudaError_t error, const char *what)
{
    if (error != cudaSuccess && !seen.error[0])
        snprintf(seen.error, sizeof seen.error, "%s: %s", what, cudaGetErrorString(error));
}

static struct guarded guarded(size_t bytes)
{
    struct guarded guarded = {target_allocate(bytes + 2 * MARGIN), bytes};
    target_fill(guarded.memory, RUBBISH, bytes + 2 * MARGIN);
    return guarded;
}

static void *inside(const struct guarded *guarded)
{
    return guarded->memory + MARGIN;
}

/* How many bytes of the margins, or of all, are no longer rubbish. */
static size_t touched(const struct guarded *guarded, bool all)
{
    const size_t bytes = guarded->bytes + 2 * MARGIN;
    unsigned char *const copy = must_have(malloc(bytes), "for a copy");
    size_t number = 0;
    target_read(copy, guarded->memory, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (all || i < MARGIN || i >= MARGIN + guarded->bytes)
            number += copy[i] != RUBBISH;
    free(copy);
    return number;
}

static int call_count_keys(struct arrays *a)
{
    return (int)count_keys(inside(&a->temporary), &a->temporary_bytes, inside(&a->keys), a->length,
                           inside(&a->bins), a->num_bins, a->stream);
}

/* Makes the arrays. The function is asked how much temporary memory there has to be. */
static struct arrays arrays_of_call(const struct two_phase_asked *asked, const unsigned char *keys)
{
    struct arrays a = {.length = asked->length, .num_bins = asked->num_bins};
    a.keys = guarded(a.length * sizeof(unsigned int));
    a.bins = guarded(a.num_bins * sizeof(unsigned int));
    target_write(inside(&a.keys), keys, a.keys.bytes);
    for (int i = 0; i < 2; i++) {
        a.temporary_bytes = 0;
        a.status = (int)count_keys(NULL, &a.temporary_bytes, inside(&a.keys), a.length,
                                   inside(&a.bins), a.num_bins, 0);
        seen.bytes[i] = a.temporary_bytes;
    }
    a.temporary = guarded(a.temporary_bytes);
    return a;
}

static void clear_bins(const struct arrays *a)
{
    target_fill(inside(&a->bins), 0, a->bins.bytes);
}

static void run_two_phase(struct arrays *a)
{
    clear_bins(a);
    void *rest = NULL; // all memory that is left, but for some KB: whoever allocates gets nothing
    const size_t left = target_memory_left();
    if (left > LEFT_OVER && cudaMalloc(&rest, left - LEFT_OVER) != cudaSuccess)
        cudaGetLastError();
    for (int i = 0; i < 2 && a->status == COUNT_OK; i++)
        a->status = call_count_keys(a);
    if (rest)
        target_free(rest);
}

static void run_bad(struct arrays *a, enum bad_thing bad)
{
    char *temporary = inside(&a->temporary), *keys = inside(&a->keys), *bins = inside(&a->bins);
    size_t bytes = a->temporary_bytes;
    bins = bad == BAD_BINS_NULL            ? NULL
           : bad == BAD_BINS_ADDRESS       ? bins + 1
           : bad == BAD_BINS_ARE_KEYS      ? keys + a->keys.bytes - 4
           : bad == BAD_BINS_ARE_TEMPORARY ? temporary
                                           : bins;
    keys = bad == BAD_KEYS_NULL            ? NULL
           : bad == BAD_KEYS_ADDRESS       ? keys + 2
           : bad == BAD_KEYS_ARE_TEMPORARY ? temporary
                                           : keys;
    if (bad == BAD_TEMPORARY_ADDRESS)
        temporary += 4;
    if (bad == BAD_TOO_FEW)
        bytes--;
    a->status = (int)count_keys(temporary, bad == BAD_BYTES_NULL ? NULL : &bytes,
                                (const unsigned int *)(const void *)keys, a->length,
                                (unsigned int *)(void *)bins, a->num_bins, 0);
}

static void run_in_graph(struct arrays *a)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    clear_bins(a);
    note_two_phase(cudaStreamCreate(&a->stream), "cudaStreamCreate");
    note_two_phase(cudaStreamBeginCapture(a->stream, cudaStreamCaptureModeGlobal),
                   "cudaStreamBeginCapture");
    a->status = call_count_keys(a);
    note_two_phase(cudaStreamEndCapture(a->stream, &graph), "cudaStreamEndCapture");
    if (seen.error[0])
        return;
    note_two_phase(cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
    for (int i = 0; i < 3 && !seen.error[0]; i++)
        note_two_phase(cudaGraphLaunch(ready, a->stream), "cudaGraphLaunch");
    note_two_phase(cudaStreamSynchronize(a->stream), "cudaStreamSynchronize");
}

static void run_in_streams(struct arrays *two)
{
    for (int i = 0; i < 2; i++) {
        clear_bins(&two[i]);
        note_two_phase(cudaStreamCreateWithFlags(&two[i].stream, cudaStreamNonBlocking),
                       "cudaStreamCreate");
    }
    note_two_phase(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int i = 0; i < 2; i++)
        two[i].status = call_count_keys(&two[i]);
    for (int i = 0; i < 2; i++) // what is elsewhere than in the stream, nobody waits for
        note_two_phase(cudaStreamSynchronize(two[i].stream), "cudaStreamSynchronize");
}

static void *call_often(void *what)
{
    struct arrays *const a = what;
    for (int i = 0; i < CALLS_OF_A_THREAD && a->status == COUNT_OK; i++)
        a->status = call_count_keys(a);
    return NULL;
}

static void run_in_threads(struct arrays *two)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        clear_bins(&two[i]);
        note_two_phase(cudaStreamCreateWithFlags(&two[i].stream, cudaStreamNonBlocking),
                       "cudaStreamCreate");
    }
    note_two_phase(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int i = 0; i < 2; i++)
        note_two_phase(pthread_create(&threads[i], NULL, call_often, &two[i]) == 0
                           ? cudaSuccess
                           : cudaErrorUnknown,
                       "pthread_create");
    for (int i = 0; i < 2 && !seen.error[0]; i++)
        pthread_join(threads[i], NULL);
}

const void *two_phase_answer(const struct job *job, const unsigned char *bytes, size_t *size)
{
    static unsigned char *answer;
    struct two_phase_asked asked;
    memcpy(&asked, bytes, sizeof asked);
    memset(&seen, 0, sizeof seen);
    (void)job;
    seen.is_there = count_keys != NULL;
    const int number = asked.what >= TWO_STREAMS ? 2 : 1;
    const size_t bins_bytes = asked.num_bins * sizeof(unsigned int);
    free(answer);
    answer = must_have(calloc(1, sizeof seen + 2 * bins_bytes), "for what was seen");
    *size = sizeof seen + 2 * bins_bytes;
    if (seen.is_there) {
        const uint64_t reports = sim_error_count(), launches = target_launches();
        struct arrays a[2] = {{.status = COUNT_OK}};
        for (int i = 0; i < number; i++)
            a[i] = arrays_of_call(&asked, bytes + sizeof asked);
        switch ((enum two_phase)asked.what) {
        case TWO_ASK:
            break;
        case TWO_RUN:
            run_two_phase(a);
            break;
        case TWO_BAD:
            run_bad(a, (enum bad_thing)asked.bad);
            break;
        case TWO_GRAPH:
            run_in_graph(a);
            break;
        case TWO_STREAMS:
            run_in_streams(a);
            break;
        case TWO_THREADS:
            run_in_threads(a);
            break;
        }
        note_two_phase(cudaGetLastError(), "the call");
        seen.launches = target_launches() - launches;
        note_two_phase(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const bool nothing_written = asked.what == TWO_BAD || asked.what == TWO_ASK;
        for (int i = 0; i < number; i++) {
            seen.status = a[i].status != COUNT_OK ? a[i].status : seen.status;
            seen.touched +=
                touched(&a[i].bins, nothing_written) + touched(&a[i].temporary, nothing_written);
            target_read(answer + sizeof seen + (size_t)i * bins_bytes, inside(&a[i].bins),
                        bins_bytes);
            target_free(a[i].keys.memory);
            target_free(a[i].bins.memory);
            target_free(a[i].temporary.memory);
        }
        seen.reports = sim_error_count() - reports;
    }
    memcpy(answer, &seen, sizeof seen);
    return answer;
}
