/* host_copies.cu - a long copy of host code, which several threads make: copy_on_cores() of the course. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture.h"
#include "sim.h"

enum { CORES = 7 };

static long count_cores(int)
{
    return CORES;
}

#define sysconf count_cores
#include "given/copy_on_cores.h"

static const size_t bytes = 3 * (size_t)COPY_ALONE + 5;

/* A slice leaves pinned memory, and the next one comes there; with `early` nobody waits before. Returns what the
 * simulator says. */
static const char *refill(bool early, struct capture *capture)
{
    unsigned char *pinned, *there, *next = (unsigned char *)calloc(1, bytes);
    cudaStream_t stream;
    sim_set_checks("all");
    cudaMallocHost((void **)&pinned, bytes);
    cudaMalloc((void **)&there, bytes);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    capture_start(capture);
    cudaMemcpyAsync(there, pinned, bytes, cudaMemcpyHostToDevice, stream);
    if (!early)
        cudaStreamSynchronize(stream);
    copy_on_cores(pinned, next, bytes);
    const char *text = capture_end(capture);
    cudaStreamSynchronize(stream);
    free(next);
    return text;
}

/* Each of the threads sees it, and it is told once. */
Test(host_copies, are_told_when_they_come_too_early)
{
    static struct capture capture;
    const char *text = refill(true, &capture);
    const char *first = strstr(text, "Host code writes what the device may still use");
    cr_assert(first, "%s", text);
    cr_expect(!strstr(first + 1, "Host code writes"), "%s", text);
    EXPECT_PRINTED(text, "copy_on_cores.h:");
    cr_expect_eq(sim_error_count(), 1u);
}

Test(host_copies, are_not_told_when_somebody_waited)
{
    static struct capture capture;
    cr_expect_str_eq(refill(false, &capture), "");
    cr_expect_eq(sim_error_count(), 0u);
}

struct parts {
    pthread_mutex_t lock;
    const unsigned char *to, *from;
    size_t bytes, sum; // of what is copied, and of where in it each part begins
    unsigned int count;
};

static int note(void *to, const void *from, size_t length, void *context)
{
    struct parts *parts = (struct parts *)context;
    const size_t at = (size_t)((const unsigned char *)from - parts->from);
    pthread_mutex_lock(&parts->lock);
    cr_expect_eq((const unsigned char *)to, parts->to + at);
    parts->bytes += length;
    parts->sum += at;
    parts->count++;
    pthread_mutex_unlock(&parts->lock);
    return 0;
}

/* What watches a text hears of every part, on each thread, and may say that it is not copied. */
Test(host_copies, are_observed_part_by_part)
{
    unsigned char *to = (unsigned char *)calloc(1, bytes);
    unsigned char *from = (unsigned char *)malloc(bytes);
    struct parts parts = {PTHREAD_MUTEX_INITIALIZER, to, from, 0, 0, 0};
    memset(from, 1, bytes);
    sim_observe_host_copies(note, &parts);
    copy_on_cores(to, from, bytes);
    sim_observe_host_copies(NULL, NULL);
    cr_expect_eq(parts.count, (unsigned int)CORES);
    cr_expect_eq(parts.bytes, bytes);
    cr_expect_eq(parts.sum, bytes / CORES * (CORES * (CORES - 1) / 2));
    for (size_t i = 0; i < bytes; i++)
        cr_assert_eq(to[i], 0);
    free(to);
    free(from);
}
