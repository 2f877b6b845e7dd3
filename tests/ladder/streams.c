/* streams.c - calls in two streams, from two threads, in a graph that is launched again, and on memory of the host. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>

#include "ladder.h"
#include "sim.h"

enum { LENGTH = 70001, BINS = 900 };

/* One job: keys i * factor % BINS, each with value i % 7. */
struct job {
    uint32_t *keys, *values;
    uint64_t *bins;
    void *temporary;
    size_t bytes;
    uint32_t factor;
    cudaStream_t stream;
};

static void *memory_of(size_t bytes)
{
    void *memory;
    cr_assert_eq(cudaMalloc(&memory, bytes), cudaSuccess);
    return memory;
}

static struct job job_of(uint32_t factor, cudaStream_t stream)
{
    struct job job = {
        memory_of(LENGTH * 4), memory_of(LENGTH * 4), memory_of(BINS * 8), NULL, 0, factor, stream};
    uint32_t *const host = malloc(2 * LENGTH * sizeof *host);
    for (uint32_t i = 0; i < LENGTH; i++) {
        host[i] = i * factor % BINS;
        host[LENGTH + i] = i % 7;
    }
    cr_assert_eq(cudaMemcpy(job.keys, host, LENGTH * 4, cudaMemcpyHostToDevice), cudaSuccess);
    cr_assert_eq(cudaMemcpy(job.values, host + LENGTH, LENGTH * 4, cudaMemcpyHostToDevice),
                 cudaSuccess);
    free(host);
    cr_assert_eq(ladder_reduce_by_index(NULL, &job.bytes, LADDER_SUM_U32, job.keys, job.values,
                                        LENGTH, job.bins, BINS, stream),
                 LADDER_OK);
    job.temporary = memory_of(job.bytes);
    return job;
}

static ladder_status start(struct job *job)
{
    const ladder_status status = ladder_clear(LADDER_SUM_U32, job->bins, BINS, job->stream);
    return status != LADDER_OK
               ? status
               : ladder_reduce_by_index(job->temporary, &job->bytes, LADDER_SUM_U32, job->keys,
                                        job->values, LENGTH, job->bins, BINS, job->stream);
}

/* How many bins are wrong, when each element was counted `times` times. */
static size_t wrong(const struct job *job, uint64_t times)
{
    static uint64_t got[BINS], wanted[BINS];
    size_t number = 0;
    cr_assert_eq(cudaMemcpy(got, job->bins, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(sim_error_count(), 0, "the checks have reported something");
    for (size_t j = 0; j < BINS; j++)
        wanted[j] = 0;
    for (uint32_t i = 0; i < LENGTH; i++)
        wanted[i * job->factor % BINS] += times * (i % 7);
    for (size_t j = 0; j < BINS; j++)
        number += got[j] != wanted[j];
    return number;
}

Test(streams, two_at_once)
{
    cudaStream_t streams[2];
    struct job jobs[2];
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), cudaSuccess);
        jobs[i] = job_of(1 + 6 * (uint32_t)i, streams[i]);
    }
    for (int i = 0; i < 2; i++)
        cr_expect_eq(start(&jobs[i]), LADDER_OK);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(cudaStreamSynchronize(streams[i]), cudaSuccess);
        cr_expect_eq(wrong(&jobs[i], 1), 0);
    }
}

static void *many_times(void *what)
{
    struct job *const job = what;
    for (int i = 0; i < 5; i++)
        if (start(job) != LADDER_OK)
            return what;
    return cudaStreamSynchronize(job->stream) == cudaSuccess ? NULL : what;
}

Test(streams, two_threads)
{
    struct job jobs[2];
    pthread_t threads[2];
    void *failed;
    for (int i = 0; i < 2; i++) {
        cudaStream_t stream;
        cr_assert_eq(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        jobs[i] = job_of(7 + 4 * (uint32_t)i, stream);
    }
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, many_times, &jobs[i]), 0);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(pthread_join(threads[i], &failed), 0);
        cr_expect_null(failed);
        cr_expect_eq(wrong(&jobs[i], 1), 0);
    }
}

Test(streams, a_graph_that_is_launched_again)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cr_assert_eq(cudaStreamCreate(&stream), cudaSuccess);
    struct job job = job_of(3, stream);
    cr_assert_eq(ladder_clear(LADDER_SUM_U32, job.bins, BINS, stream), LADDER_OK);
    cr_assert_eq(cudaStreamSynchronize(stream), cudaSuccess);
    cr_assert_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(ladder_reduce_by_index(job.temporary, &job.bytes, LADDER_SUM_U32, job.keys,
                                        job.values, LENGTH, job.bins, BINS, stream),
                 LADDER_OK);
    cr_assert_eq(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cr_assert_eq(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(cudaGraphLaunch(ready, stream), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(stream), cudaSuccess);
    cr_expect_eq(wrong(&job, 3), 0);
}

Test(streams, arrays_of_the_host)
{
    static uint32_t keys[1000], counts[10], values[1000];
    static float floats[1000];
    uint64_t sum = 77;
    float same[2];
    for (uint32_t i = 0; i < 1000; i++) {
        keys[i] = i % 11; /* key 10 has no bin */
        values[i] = i;
        floats[i] = 1.0f / (float)(i + 1);
    }
    cr_expect_eq(ladder_reduce_by_index_now(LADDER_COUNT, keys, NULL, 1000, counts, 10), LADDER_OK);
    cr_expect_eq(counts[0], 91);
    cr_expect_eq(counts[9], 91);
    cr_expect_eq(ladder_reduce_now(LADDER_SUM, values, NULL, 1000, &sum), LADDER_OK);
    cr_expect_eq(sum, 499500);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(ladder_reduce_now(LADDER_REPRODUCIBLE, floats, NULL, 1000, &same[i]),
                     LADDER_OK);
    cr_expect_eq(same[0], same[1]);
    cr_expect_eq(ladder_histogram_now(LADDER_U8, "hello", 5, NULL, counts, 32, 10), LADDER_OK);
    cr_expect_eq(counts[0], 91, "no byte of this text has a bin");
    cr_expect_eq(ladder_reduce_by_index_now(LADDER_COUNT, NULL, NULL, 1000, counts, 10),
                 LADDER_NULL);
}
