/* micro.cu - measures the constants of the prediction (common/contracts/histogram/predicted_time.h) on this GPU.
 *
 *     micro              all of them
 *     micro characters   only those that depend on BINS
 *
 * Each kernel does one thing, as often as it can, and none is taken from a chapter.
 * Unless the row says otherwise every multiprocessor holds 64 warps. Prints CSV: what,
 * its parameter, the median of RUNS runs, the lowest and the highest, and the unit. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "binning.h"
#include "errors.h"
#include "queue.h"

enum { RUNS = 7, WARP = 32, THREADS = 256, BLOCKS_PER_MULTIPROCESSOR = 8 };
static const size_t text_length = (size_t)1 << 30;
static const size_t reds_bytes = (size_t)64 << 20;

/* What all measurements use. */
struct bench {
    unsigned char *text; /* text_length zeros */
    unsigned int *reds;  /* reds_bytes for global atomics */
    unsigned int *sink;
    int multiprocessors;
};

template <typename function> static void call(void *what)
{
    (*(function *)what)();
}

/* Milliseconds of work(), which queues kernels. */
template <typename function> static double milliseconds_of(function work)
{
    return queue_alone(call<function>, &work);
}

static void print_heading(void)
{
    printf("what,parameter,median,low,high,unit\n");
}

static void print_row(const char *what, long parameter, double median, double low, double high,
                      const char *unit)
{
    printf("%s,%ld,%.5g,%.5g,%.5g,%s\n", what, parameter, median, low, high, unit);
    fflush(stdout);
}

/* Milliseconds of work(run), which queues a kernel and is told how often it was called. */
template <typename function> static struct spread time_work(function work)
{
    double ms[RUNS];
    for (int run = -1; run < RUNS; run++) /* the first one warms up */
        ms[run < 0 ? 0 : run] = milliseconds_of([&] { work(run + 1); });
    return spread_of(ms, RUNS);
}

/* Times work(much, run), with as many rounds or bytes as there are, and with half of them: the difference is
 * free of the launch. Prints nanoseconds for each of `count` things that all of it does. */
template <typename function>
static void report(const char *name, int parameter, size_t much, double count, const char *unit,
                   function work)
{
    const struct spread all = time_work([&](int run) { work(much, run); });
    const struct spread half = time_work([&](int run) { work(much / 2, run); });
    const double scale = 2e6 / count;
    print_row(name, parameter, (all.median - half.median) * scale, (all.least - half.most) * scale,
              (all.most - half.least) * scale, unit);
}

/* A warp loads 32 bytes that lie together, waits for them, and loads the next: where it
 * reads next depends on what it has read. */
__global__ void chain(const unsigned char *text, size_t length, size_t wrap, unsigned int *sink)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = (size_t)gridDim.x * blockDim.x;
    size_t at = wrap ? i % wrap : i;
    for (; i < length; i += step) {
        at += text[at] + (wrap ? 0 : step);
    }
    if (at == 1)
        *sink = (unsigned int)at;
}

/* Loads that hit the L1 cache and wait for nobody: `stride` bytes from lane to lane. */
__global__ void loads(const unsigned char *text, int rounds, int stride, unsigned int *sink)
{
    const unsigned char *mine = text + threadIdx.x % WARP * stride;
    unsigned int sum = 0;
    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += mine[(i * 2 & 1024) + k];
    }
    if (sum == 1)
        *sink = sum;
}

/* What a loop needs for each character besides its load and its count: where it is,
 * whether it is the last, its bin. The load hits the L1 cache. */
__global__ void characters(const unsigned char *text, size_t length, unsigned int *sink)
{
    const size_t threads = blockDim.x;
    int sum = 0;
#pragma unroll 1
    for (size_t i = threadIdx.x; i < length; i += threads)
        sum += bin_of(text[i & 4095]);
    if (sum == 1)
        *sink = (unsigned int)sum;
}

/* Atomics in shared memory: `share` lanes side by side use one address. */
template <bool constant> __global__ void shared_atomics(int rounds, int share, unsigned int *sink)
{
    __shared__ unsigned int words[1024];
    for (int i = (int)threadIdx.x; i < 1024; i += THREADS)
        words[i] = 0;
    __syncthreads();
    unsigned int *mine = &words[threadIdx.x % WARP / share];
#pragma unroll 8
    for (int i = 0; i < rounds; i++)
        atomicAdd(mine + (i & 31) * WARP, constant ? 1 : rounds);
    __syncthreads();
    if (words[threadIdx.x] == 1)
        *sink = 1;
}

/* A vote on one bit of a number that each lane has, and something done with its answer. */
__global__ void votes(int rounds, unsigned int *sink)
{
    unsigned int number = threadIdx.x * 2654435761u + blockIdx.x;
    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int bit = 0; bit < 8; bit++)
            number ^= __ballot_sync(0xffffffffu, number >> bit & 1);
    }
    if (number == 1)
        *sink = number;
}

/* Loads from a far text, each followed by votes on what was loaded: do waiting and
 * working overlap? */
__global__ void loads_and_votes(const unsigned char *text, size_t length, int count,
                                unsigned int *sink)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned int sum = threadIdx.x * 2654435761u;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
        unsigned int number = text[i] + sum;
        for (int bit = 0; bit < count; bit++)
            number ^= __ballot_sync(0xffffffffu, number >> bit & 1);
        sum = number;
    }
    if (sum == 1)
        *sink = sum;
}

/* Atomics in global memory without a result. Block b uses the words from b * stride on,
 * within `region` bytes; `share` lanes side by side use one of them. */
__global__ void reds(unsigned char *memory, int rounds, size_t region, size_t stride, int share)
{
    size_t at = blockIdx.x * stride % region;
    unsigned int *mine = (unsigned int *)(memory + at) + threadIdx.x % WARP / share;
    for (int i = 0; i < rounds; i++)
        atomicAdd(mine, 1);
}

/* Each run has memory of its own. */
static unsigned char *reds_of_run(const struct bench *bench, int run)
{
    return (unsigned char *)bench->reds + (size_t)run * (reds_bytes / 8);
}

static void measure_memory(const struct bench *bench)
{
    // A kernel of no length after the bins have been zeroed, as every chapter does it.
    const struct spread launch = time_work([&](int) {
        must(cudaMemsetAsync(bench->reds, 0, NUM_BINS * sizeof(int), 0), "cudaMemsetAsync");
        launch_nothing(NULL, NULL, 0, NULL, 0);
    });
    print_row("launch", 0, launch.median * 1e6, launch.least * 1e6, launch.most * 1e6, "ns");
    report("read", 0, text_length, (double)text_length, "ns/byte", [&](size_t bytes, int) {
        read_in_shape(ROOFLINE_SHAPE, bench->text, bytes, bench->sink);
    });
    const int numbers[] = {1, 8, 16, 32, 64};
    for (int warps : numbers) {
        const int threads = warps < 8 ? warps * WARP : THREADS;
        const int blocks = bench->multiprocessors * warps * WARP / threads;
        const size_t far = text_length / (warps > 1 ? 1 : 4), wrap = 4096;
        const double each = (double)blocks * threads;
        report("wait for memory", warps, far, (double)far / each, "ns/load",
               [&](size_t bytes, int) {
                   chain<<<blocks, threads>>>(bench->text, bytes, 0, bench->sink);
               });
        report("wait for L1", warps, (size_t)(each * wrap), wrap, "ns/load",
               [&](size_t bytes, int) {
                   chain<<<blocks, threads>>>(bench->text, bytes, wrap, bench->sink);
               });
    }
}

static void measure_issue(const struct bench *bench)
{
    const int blocks = bench->multiprocessors * BLOCKS_PER_MULTIPROCESSOR, most = 8192;
    const double each = most * (double)BLOCKS_PER_MULTIPROCESSOR * THREADS / WARP;
    for (int stride = 1; stride <= 128; stride *= 2)
        report("load from L1 at stride", stride, most, each, "ns/request/SM",
               [&](size_t rounds, int) {
                   loads<<<blocks, THREADS>>>(bench->text, (int)rounds, stride, bench->sink);
               });
    for (int share = 1; share <= WARP; share *= 2)
        report("shared add of 1 by lanes at an address", share, most, each, "ns/request/SM",
               [&](size_t rounds, int) {
                   shared_atomics<true><<<blocks, THREADS>>>((int)rounds, share, bench->sink);
               });
    for (int share = 1; share <= WARP; share *= 2)
        report("shared add by lanes at an address", share, most, each, "ns/request/SM",
               [&](size_t rounds, int) {
                   shared_atomics<false><<<blocks, THREADS>>>((int)rounds, share, bench->sink);
               });
    report("vote", 0, most, each, "ns/vote/SM",
           [&](size_t rounds, int) { votes<<<blocks, THREADS>>>((int)rounds, bench->sink); });
    for (int count = 0; count <= 16; count += 4)
        report("load from memory and votes", count, text_length / 4,
               (double)text_length / 4 / WARP / bench->multiprocessors, "ns/load/SM",
               [&](size_t bytes, int) {
                   loads_and_votes<<<blocks, THREADS>>>(bench->text, bytes, count, bench->sink);
               });
}

static void measure_characters(const struct bench *bench)
{
    const int blocks = bench->multiprocessors * BLOCKS_PER_MULTIPROCESSOR, most = 8192;
    report("character", NUM_BINS, most, most * (double)BLOCKS_PER_MULTIPROCESSOR * THREADS / WARP,
           "ns/request/SM", [&](size_t rounds, int) {
               characters<<<blocks, THREADS>>>(bench->text, rounds * THREADS, bench->sink);
           });
}

/* Global atomics within `region` bytes. */
static void measure_region(const struct bench *bench, const char *name, int parameter, int share,
                           size_t region, double count)
{
    const size_t stride = region / 1024 < 32 ? 32 : region / 1024;
    report(name, parameter, 128, count, "ns/round", [&](size_t rounds, int run) {
        reds<<<1024, THREADS>>>(reds_of_run(bench, run), (int)rounds, region, stride, share);
    });
}

static void measure_reds(const struct bench *bench)
{
    const double requests = 128.0 * 1024 * THREADS / WARP;
    for (int share = 1; share <= WARP; share *= 2)
        measure_region(bench, "global add in one stripe by lanes at an address", share, share, 32,
                       requests * share * (share < 4 ? 4 / share : 1));
    for (int kilo = 0; kilo <= 13; kilo++) {
        const int sizes[] = {512 << kilo, 768 << kilo};
        for (int bytes : sizes)
            measure_region(bench, "global add within bytes", bytes, WARP, (size_t)bytes,
                           requests * WARP);
    }
    // Half of the blocks use one word, half another that lies so many bytes further.
    for (int distance = 32; distance <= 8192; distance += distance < 2048 ? 32 : 256)
        report("global add at two words", distance, 32, 32.0 * 1024 * THREADS, "ns/round",
               [&](size_t rounds, int run) {
                   reds<<<1024, THREADS>>>(reds_of_run(bench, run), (int)rounds,
                                           (size_t)2 * distance, (size_t)distance, WARP);
               });
}

int main(int count, char **arguments)
{
    struct bench bench;
    bench.multiprocessors = device_has(cudaDevAttrMultiProcessorCount);
    must(cudaMalloc(&bench.text, text_length), "cudaMalloc");
    must(cudaMemset(bench.text, 0, text_length), "cudaMemset");
    must(cudaMalloc(&bench.reds, reds_bytes), "cudaMalloc");
    must(cudaMemset(bench.reds, 0, reds_bytes), "cudaMemset");
    must(cudaMalloc(&bench.sink, sizeof *bench.sink), "cudaMalloc");
    if (count > 1 && strcmp(arguments[1], "characters") == 0) {
        measure_characters(&bench);
        return 0;
    }
    print_heading();
    measure_memory(&bench);
    measure_issue(&bench);
    measure_reds(&bench);
    measure_characters(&bench);
    must(cudaDeviceSynchronize(), "the kernels");
    return 0;
}
