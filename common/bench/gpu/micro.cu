/* micro.cu - measures the constants of the prediction (common/tools/histogram/predict.h) on this GPU.
 *
 *     micro              all of them
 *     micro characters   only those that depend on BINS
 *
 * Each kernel does one thing, as often as it can, and none is taken from a chapter.
 * Unless the row says otherwise every multiprocessor holds 64 warps. Prints CSV: what,
 * its parameter, the median of RUNS runs, the lowest and the highest, and the unit. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "binning.h"
#include "errors.h"

enum { RUNS = 7, WARP = 32, THREADS = 256, BLOCKS_PER_MULTIPROCESSOR = 8 };
static const size_t text_length = (size_t)1 << 30;
static const size_t reds_bytes = (size_t)64 << 20;

/* What all measurements use. */
struct bench {
    unsigned char *text; /* text_length zeros */
    unsigned int *reds;  /* reds_bytes for global atomics */
    unsigned int *sink;
    int multiprocessors;
    cudaEvent_t start, stop;
};

/* One measurement: `launch` queues its kernel; `run` tells it how often it was called. */
struct work {
    void (*launch)(const struct bench *bench, const struct work *work, int run);
    int blocks, rounds, parameter, other;
    size_t bytes;
};

struct times {
    double low, median, high; /* nanoseconds */
};

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static struct times time_work(const struct bench *bench, const struct work *work)
{
    float ms[RUNS];
    for (int run = -1; run < RUNS; run++) { /* the first one warms up */
        must(cudaEventRecord(bench->start, 0), "cudaEventRecord");
        work->launch(bench, work, run + 1);
        must(cudaEventRecord(bench->stop, 0), "cudaEventRecord");
        must(cudaEventSynchronize(bench->stop), "a kernel");
        must(cudaEventElapsedTime(&ms[run < 0 ? 0 : run], bench->start, bench->stop), "time");
    }
    qsort(ms, RUNS, sizeof *ms, by_value);
    return (struct times){ms[0] * 1e6, ms[RUNS / 2] * 1e6, ms[RUNS - 1] * 1e6};
}

/* Times the work with its rounds and with half of them: the difference is free of the
 * launch. Prints nanoseconds for each of `count` things that all rounds do. */
static void report(const struct bench *bench, struct work work, const char *name, int parameter,
                   double count, const char *unit)
{
    struct times all = time_work(bench, &work);
    work.rounds /= 2;
    work.bytes /= 2;
    struct times half = time_work(bench, &work);
    double scale = 2 / count;
    printf("%s,%d,%.5g,%.5g,%.5g,%s\n", name, parameter, (all.median - half.median) * scale,
           (all.low - half.high) * scale, (all.high - half.low) * scale, unit);
    fflush(stdout);
}

/* A kernel of no length after the bins have been zeroed, as every chapter does it. */
static void launch_nothing(const struct bench *bench, const struct work *, int)
{
    must(cudaMemsetAsync(bench->reds, 0, NUM_BINS * sizeof(int), 0), "cudaMemsetAsync");
    launch_nothing(NULL, NULL, 0, NULL, 0);
}

static void launch_read(const struct bench *bench, const struct work *work, int)
{
    read_in_shape(ROOFLINE_SHAPE, bench->text, work->bytes, bench->sink);
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

static void launch_chain(const struct bench *bench, const struct work *work, int)
{
    chain<<<work->blocks, work->other>>>(bench->text, work->bytes, (size_t)work->parameter,
                                         bench->sink);
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

static void launch_loads(const struct bench *bench, const struct work *work, int)
{
    loads<<<work->blocks, THREADS>>>(bench->text, work->rounds, work->parameter, bench->sink);
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

static void launch_characters(const struct bench *bench, const struct work *work, int)
{
    characters<<<work->blocks, THREADS>>>(bench->text, (size_t)work->rounds * THREADS, bench->sink);
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

static void launch_shared(const struct bench *bench, const struct work *work, int)
{
    if (work->other)
        shared_atomics<true><<<work->blocks, THREADS>>>(work->rounds, work->parameter, bench->sink);
    else
        shared_atomics<false>
            <<<work->blocks, THREADS>>>(work->rounds, work->parameter, bench->sink);
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

static void launch_votes(const struct bench *bench, const struct work *work, int)
{
    votes<<<work->blocks, THREADS>>>(work->rounds, bench->sink);
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

static void launch_loads_and_votes(const struct bench *bench, const struct work *work, int)
{
    loads_and_votes<<<work->blocks, THREADS>>>(bench->text, work->bytes, work->parameter,
                                               bench->sink);
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

static void launch_reds(const struct bench *bench, const struct work *work, int run)
{
    const size_t region = (size_t)work->other, stride = region / 1024 < 32 ? 32 : region / 1024;
    unsigned char *memory = (unsigned char *)bench->reds + (size_t)run * (reds_bytes / 8);
    reds<<<work->blocks, THREADS>>>(memory, work->rounds, region, stride, work->parameter);
}

/* Half of the blocks use one word, half another that lies `distance` bytes further. */
static void launch_pair(const struct bench *bench, const struct work *work, int run)
{
    unsigned char *memory = (unsigned char *)bench->reds + (size_t)run * (reds_bytes / 8);
    reds<<<work->blocks, THREADS>>>(memory, work->rounds, (size_t)2 * work->other,
                                    (size_t)work->other, work->parameter);
}

static void measure_memory(const struct bench *bench)
{
    struct work nothing = {launch_nothing};
    struct times launch = time_work(bench, &nothing);
    printf("launch,0,%.5g,%.5g,%.5g,ns\n", launch.median, launch.low, launch.high);
    struct work read = {launch_read, 0, 0, 0, 0, text_length};
    report(bench, read, "read", 0, (double)text_length, "ns/byte");
    const int warps[] = {1, 8, 16, 32, 64};
    for (size_t i = 0; i < sizeof warps / sizeof *warps; i++) {
        int threads = warps[i] < 8 ? warps[i] * WARP : THREADS;
        int blocks = bench->multiprocessors * warps[i] * WARP / threads;
        double each = (double)blocks * threads;
        struct work far = {launch_chain, blocks, 0, 0, threads, text_length / (i ? 1 : 4)};
        report(bench, far, "wait for memory", warps[i], (double)far.bytes / each, "ns/load");
        struct work near = {launch_chain, blocks, 0, 4096, threads, (size_t)(each * 4096)};
        report(bench, near, "wait for L1", warps[i], 4096, "ns/load");
    }
}

static void measure_issue(const struct bench *bench)
{
    const int blocks = bench->multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    const int rounds = 8192;
    const double each = rounds * (double)BLOCKS_PER_MULTIPROCESSOR * THREADS / WARP;
    for (int stride = 1; stride <= 128; stride *= 2) {
        struct work work = {launch_loads, blocks, rounds, stride};
        report(bench, work, "load from L1 at stride", stride, each, "ns/request/SM");
    }
    for (int share = 1; share <= WARP; share *= 2) {
        struct work inc = {launch_shared, blocks, rounds, share, 1};
        report(bench, inc, "shared add of 1 by lanes at an address", share, each, "ns/request/SM");
    }
    for (int share = 1; share <= WARP; share *= 2) {
        struct work add = {launch_shared, blocks, rounds, share, 0};
        report(bench, add, "shared add by lanes at an address", share, each, "ns/request/SM");
    }
    struct work vote = {launch_votes, blocks, rounds};
    report(bench, vote, "vote", 0, each, "ns/vote/SM");
    for (int count = 0; count <= 16; count += 4) {
        struct work both = {launch_loads_and_votes, blocks, 0, count, 0, text_length / 4};
        report(bench, both, "load from memory and votes", count,
               (double)both.bytes / WARP / bench->multiprocessors, "ns/load/SM");
    }
}

static void measure_characters(const struct bench *bench)
{
    const int rounds = 8192;
    struct work work = {launch_characters, bench->multiprocessors * BLOCKS_PER_MULTIPROCESSOR,
                        rounds};
    report(bench, work, "character", NUM_BINS,
           rounds * (double)BLOCKS_PER_MULTIPROCESSOR * THREADS / WARP, "ns/request/SM");
}

static void measure_reds(const struct bench *bench)
{
    const int blocks = 1024, rounds = 128;
    const double requests = (double)rounds * blocks * THREADS / WARP;
    for (int share = 1; share <= WARP; share *= 2) {
        struct work work = {launch_reds, blocks, rounds, share, 32};
        report(bench, work, "global add in one stripe by lanes at an address", share,
               requests * share * (share < 4 ? 4 / share : 1), "ns/round");
    }
    for (int kilo = 0; kilo <= 13; kilo++)
        for (int half = 0; half < 2; half++) {
            struct work work = {launch_reds, blocks, rounds, WARP, (half ? 768 : 512) << kilo};
            report(bench, work, "global add within bytes", work.other, requests * WARP, "ns/round");
        }
}

static void measure_pairs(const struct bench *bench)
{
    const int blocks = 1024, rounds = 32;
    for (int distance = 32; distance <= 8192; distance += distance < 2048 ? 32 : 256) {
        struct work work = {launch_pair, blocks, rounds, WARP, distance};
        report(bench, work, "global add at two words", distance, (double)rounds * blocks * THREADS,
               "ns/round");
    }
}

int main(int count, char **arguments)
{
    struct bench bench;
    int device;
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetAttribute(&bench.multiprocessors, cudaDevAttrMultiProcessorCount, device),
         "cudaDeviceGetAttribute");
    must(cudaMalloc(&bench.text, text_length), "cudaMalloc");
    must(cudaMemset(bench.text, 0, text_length), "cudaMemset");
    must(cudaMalloc(&bench.reds, reds_bytes), "cudaMalloc");
    must(cudaMemset(bench.reds, 0, reds_bytes), "cudaMemset");
    must(cudaMalloc(&bench.sink, sizeof *bench.sink), "cudaMalloc");
    must(cudaEventCreate(&bench.start), "cudaEventCreate");
    must(cudaEventCreate(&bench.stop), "cudaEventCreate");
    if (count > 1 && strcmp(arguments[1], "characters") == 0) {
        measure_characters(&bench);
        return 0;
    }
    printf("what,parameter,median,low,high,unit\n");
    measure_memory(&bench);
    measure_issue(&bench);
    measure_reds(&bench);
    measure_pairs(&bench);
    measure_characters(&bench);
    must(cudaDeviceSynchronize(), "the kernels");
    return 0;
}
