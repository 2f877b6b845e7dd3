/* arrays.cu - times ladder_histogram() of texts and ladder_reduce() beside CUB, and checks the results.
 *
 *   arrays OUTPUT.csv        prints the same rows; CUB is the one that it was compiled with */
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../../common/ladder/ladder.h"
#include "reading.h"

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "arrays: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static void must(ladder_status status, const char *what)
{
    if (status == LADDER_OK)
        return;
    fprintf(stderr, "arrays: %s: %s\n", what, ladder_status_text(status));
    exit(1);
}

__device__ static unsigned int mixed(unsigned int x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

enum text { ENGLISH, BYTES, ONE, TEXTS };
static const char *const text_names[] = {"english", "bytes", "single"};

/* Letters as frequent as in English, about, with blanks; or bytes; or one letter. */
__global__ static void text_kernel(unsigned char *text, size_t length, enum text kind)
{
    const char letters[] = "eeeeeeeeettttttaaaaaooooiiiiinnnnssshhhrrrddllcumwfgypb  ,.        xvk";
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        const unsigned int random = mixed((unsigned int)i);
        text[i] = kind == BYTES     ? (unsigned char)random
                  : kind == ENGLISH ? (unsigned char)letters[random % (sizeof letters - 1)]
                                    : 'e';
    }
}

__global__ static void truth_kernel(const unsigned char *text, size_t length,
                                    unsigned long long *counts)
{
    __shared__ unsigned int of_block[256];
    of_block[threadIdx.x] = 0;
    __syncthreads();
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride)
        atomicAdd(&of_block[text[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], (unsigned long long)of_block[threadIdx.x]);
}

__global__ static void gate(unsigned int microseconds)
{
    for (unsigned int i = 0; i < microseconds; i++)
        __nanosleep(1000);
}

/* Microseconds of a call, queued many times, each on another copy of the array. */
template <typename call_t> static double timed(call_t call)
{
    static cudaEvent_t begin, end;
    if (!begin) {
        must(cudaEventCreate(&begin), "event");
        must(cudaEventCreate(&end), "event");
    }
    std::vector<double> times;
    unsigned int runs = 1;
    for (int i = 0; i < 15; i++) {
        gate<<<1, 1>>>(60 + runs * 12);
        must(cudaEventRecord(begin), "record");
        for (unsigned int k = 0; k < runs; k++)
            call(k);
        must(cudaEventRecord(end), "record");
        must(cudaEventSynchronize(end), "run");
        float ms;
        must(cudaEventElapsedTime(&ms, begin, end), "elapsed");
        if (i == 1)
            runs = (unsigned int)std::max(1.0, std::min(60.0, 1500 / (1000.0 * ms)));
        if (i > 2)
            times.push_back(1000.0 * ms / runs);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static FILE *csv;

static void say(const char *what, const char *input, size_t bins, size_t bytes, const char *who,
                double us, const char *right)
{
    for (FILE *file : {csv, stdout})
        fprintf(file, "%s,%s,%zu,%zu,%s,%.2f,%.0f,%s\n", what, input, bins, bytes, who, us,
                (double)bytes / us / 1000, right);
}

#define STRING(x) #x
#define STRINGS(x) STRING(x)
#define CUB "cub " STRINGS(CUB_VERSION) // 300001 is 3.0.1

/* 5 bins of six letters each, 26, or 256. */
static void table_of(size_t bins, int16_t *table)
{
    for (int byte = 0; byte < 256; byte++) {
        const int letter = byte - 'a';
        table[byte] = (int16_t)(bins == 256                  ? byte
                                : letter < 0 || letter >= 26 ? -1
                                                             : letter / (bins == 26 ? 1 : 6));
    }
}

static void time_texts(unsigned char *text, size_t bytes, size_t copies, unsigned int *counts,
                       void *temporary)
{
    unsigned long long *truth;
    must(cudaMallocManaged(&truth, 256 * sizeof *truth), "truth");
    for (int kind = 0; kind < TEXTS; kind++) {
        for (size_t i = 0; i < copies; i++)
            text_kernel<<<1024, 256>>>(text + i * bytes, bytes, (enum text)kind);
        must(cudaMemset(truth, 0, 256 * sizeof *truth), "memset");
        truth_kernel<<<512, 256>>>(text, bytes, truth);
        must(cudaDeviceSynchronize(), "truth");
        const double reading = timed([&](unsigned int i) {
            read_kernel<<<264, 1024>>>((const uint4 *)(text + i % copies * bytes), bytes / 16,
                                       counts + 512);
        });
        say("text", text_names[kind], 0, bytes, "reading", reading, "-");
        for (size_t bins : {(size_t)5, (size_t)26, (size_t)256}) {
            int16_t table[256];
            table_of(bins, table);
            size_t size = 1;
            auto count = [&](unsigned int i) {
                must(ladder_histogram(temporary, &size, LADDER_U8, text + i % copies * bytes, bytes,
                                      table, counts, 32, bins, 0),
                     "ladder_histogram");
            };
            auto zero_and_count = [&](unsigned int i) {
                must(cudaMemsetAsync(counts, 0, bins * 4), "memset");
                count(i);
            };
            zero_and_count(0);
            unsigned int got[256], wrong = 0;
            must(cudaMemcpy(got, counts, bins * 4, cudaMemcpyDeviceToHost), "counts");
            for (size_t bin = 0; bin < bins; bin++) {
                unsigned long long wanted = 0;
                for (int byte = 0; byte < 256; byte++)
                    wanted += table[byte] == (int)bin ? truth[byte] : 0;
                wrong += wanted != got[bin];
            }
            const char *const right = wrong ? "NO" : "yes";
            say("text", text_names[kind], bins, bytes, "ladder", timed(count), right);
            say("text", text_names[kind], bins, bytes, "ladder zeroed before",
                timed(zero_and_count), right);
            size_t needed = 0;
            const int lower = bins == 256 ? 0 : 'a', upper = bins == 256  ? 256
                                                             : bins == 26 ? 'a' + 26
                                                                          : 'a' + 30;
            must(cub::DeviceHistogram::HistogramEven(NULL, needed, text, (int *)counts,
                                                     (int)bins + 1, lower, upper, (long long)bytes),
                 "cub");
            void *scratch;
            must(cudaMalloc(&scratch, needed + 1), "malloc");
            auto cub_even = [&](unsigned int i) {
                must(cub::DeviceHistogram::HistogramEven(scratch, needed, text + i % copies * bytes,
                                                         (int *)counts, (int)bins + 1, lower, upper,
                                                         (long long)bytes),
                     "cub");
            };
            say("text", text_names[kind], bins, bytes, CUB " HistogramEven", timed(cub_even), "-");
            must(cudaFree(scratch), "free");
        }
    }
    must(cudaFree(truth), "free");
}

__global__ static void floats_kernel(float *values, size_t length)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride)
        values[i] = ((int)(mixed((unsigned int)i) % 65) - 32) / 32.0f;
}

static void time_reductions(float *values, size_t bytes, size_t copies, char *result,
                            void *temporary)
{
    const size_t length = bytes / 4;
    size_t size = 1 << 20, needed = 0, most = 0;
    const size_t step = length; // floats
    floats_kernel<<<1024, 256>>>(values, length * copies);
    unsigned int *const words = (unsigned int *)values;
    cub::DeviceReduce::Sum(NULL, needed, words, (unsigned int *)result, (long long)length);
    most = needed;
    cub::DeviceReduce::Sum(NULL, needed, values, (float *)result, (long long)length);
    most = std::max(most, needed);
    void *scratch;
    must(cudaMalloc(&scratch, most + 1), "malloc");
    const struct {
        const char *name;
        ladder_reduction reduction;
    } ours[] = {{"sum", LADDER_SUM},
                {"max", LADDER_MAX},
                {"float_sum", LADDER_FLOAT_SUM},
                {"reproducible", LADDER_REPRODUCIBLE},
                {"dot", LADDER_DOT}};
    say("reduce", "-", 0, bytes, "reading", timed([&](unsigned int i) {
            read_kernel<<<264, 1024>>>((const uint4 *)(values + i % copies * step), bytes / 16,
                                       (unsigned int *)result + 64);
        }),
        "-");
    for (const auto &each : ours)
        say("reduce", each.name, 0, bytes, "ladder", timed([&](unsigned int i) {
                must(ladder_reduce(temporary, &size, each.reduction, values + i % copies * step,
                                   each.reduction == LADDER_DOT ? values + (i + 1) % copies * step
                                                                : NULL,
                                   length, result, 0),
                     "ladder_reduce");
            }),
            "-");
    say("reduce", "sum", 0, bytes, CUB " Sum", timed([&](unsigned int i) {
            must(cub::DeviceReduce::Sum(scratch, most, words + i % copies * step,
                                        (unsigned int *)result, (long long)length),
                 "cub");
        }),
        "-");
    say("reduce", "max", 0, bytes, CUB " Max", timed([&](unsigned int i) {
            must(cub::DeviceReduce::Max(scratch, most, words + i % copies * step,
                                        (unsigned int *)result, (long long)length),
                 "cub");
        }),
        "-");
    say("reduce", "float_sum", 0, bytes, CUB " Sum", timed([&](unsigned int i) {
            must(cub::DeviceReduce::Sum(scratch, most, values + i % copies * step, (float *)result,
                                        (long long)length),
                 "cub");
        }),
        "-");
    must(cudaFree(scratch), "free");
}

int main(int argc, char **argv)
{
    if (argc != 2 || !(csv = fopen(argv[1], "w")))
        return fprintf(stderr, "usage: arrays OUTPUT.csv\n"), 2;
    fprintf(csv, "what,input,bins,bytes,who,us,GB_per_s,right\n");
    unsigned char *arena;
    char *small;
    void *temporary;
    must(cudaMalloc(&arena, (size_t)3 << 30), "malloc");
    must(cudaMalloc(&small, 1 << 20), "malloc");
    must(cudaMalloc(&temporary, 1 << 20), "malloc");
    time_texts(arena, 50000000, 12, (unsigned int *)small, temporary);
    time_texts(arena, (size_t)1 << 30, 2, (unsigned int *)small, temporary);
    for (size_t bytes : {(size_t)1 << 16, (size_t)1 << 20, (size_t)50000000, (size_t)1 << 30})
        time_reductions((float *)arena, bytes,
                        bytes > (1 << 28)                 ? 2
                        : (size_t)600000000 / bytes > 200 ? 200
                                                          : 600000000 / bytes,
                        small, temporary);
    must(cudaDeviceSynchronize(), "end");
    return 0;
}
