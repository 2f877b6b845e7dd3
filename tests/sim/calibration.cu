/* calibration.cu - eight kernels that Nsight Compute has counted on an H200: the
 * simulator must count the same. The hardware's numbers are read from
 * docs/results/h200/calibration.csv. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define LETTERS 26
#define LENGTH (1 << 20)
#define GRID 256
#define BLOCK 256

__device__ static int letter_at(const char *text, int i)
{
    int letter = text[i] - 'a';
    return letter >= 0 && letter < LETTERS ? letter : -1;
}

__device__ static void zero(unsigned int *bins, int count)
{
    for (int b = threadIdx.x; b < count; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();
}

__device__ static void merge(unsigned int *bins, const unsigned int *from, int count)
{
    __syncthreads();
    for (int b = threadIdx.x; b < count; b += blockDim.x)
        if (from[b])
            atomicAdd(&bins[b], from[b]);
}

__global__ void naive_contig(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    int thread = threadIdx.x + blockIdx.x * blockDim.x;
    int section = (length - 1) / (blockDim.x * gridDim.x) + 1;
    for (int k = thread * section; k < (thread + 1) * section; k++)
        if (k < length) {
            int letter = letter_at(text, k);
            if (letter >= 0)
                atomicAdd(&bins[letter], 1);
        }
}

__global__ void interleaved(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < length; i += blockDim.x * gridDim.x) {
        int letter = letter_at(text, i);
        if (letter >= 0)
            atomicAdd(&bins[letter], 1);
    }
}

__global__ void priv_global(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    unsigned int *mine = copies + blockIdx.x * LETTERS;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < length; i += blockDim.x * gridDim.x) {
        int letter = letter_at(text, i);
        if (letter >= 0)
            atomicAdd(&mine[letter], 1);
    }
    merge(bins, mine, LETTERS);
}

__global__ void shared_k(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    __shared__ unsigned int s[LETTERS];
    zero(s, LETTERS);
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < length; i += blockDim.x * gridDim.x) {
        int letter = letter_at(text, i);
        if (letter >= 0)
            atomicAdd(&s[letter], 1);
    }
    merge(bins, s, LETTERS);
}

__global__ void aggr(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    __shared__ unsigned int s[LETTERS];
    zero(s, LETTERS);
    unsigned int run = 0;
    int previous = -1;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < length; i += blockDim.x * gridDim.x) {
        int letter = letter_at(text, i);
        if (letter < 0)
            continue;
        if (letter == previous) {
            run++;
        } else {
            if (run)
                atomicAdd(&s[previous], run);
            run = 1;
            previous = letter;
        }
    }
    if (run)
        atomicAdd(&s[previous], run);
    merge(bins, s, LETTERS);
}

__global__ void match_k(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    __shared__ unsigned int s[LETTERS];
    zero(s, LETTERS);
    int lane = threadIdx.x & 31;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i - lane < length;
         i += blockDim.x * gridDim.x) {
        int letter = i < length ? letter_at(text, i) : -1;
        unsigned int peers = __match_any_sync(0xffffffffu, letter);
        if (letter >= 0 && lane == __ffs(peers) - 1)
            atomicAdd(&s[letter], __popc(peers));
    }
    merge(bins, s, LETTERS);
}

template <bool PREDICATED>
__device__ static void in_registers(const char *text, unsigned int *bins, int length)
{
    __shared__ unsigned int s[5];
    unsigned int mine[5] = {0, 0, 0, 0, 0};
    if (threadIdx.x < 5)
        s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < length; i += blockDim.x * gridDim.x) {
        int letter = letter_at(text, i);
        if (PREDICATED) {
            for (int b = 0; b < 5; b++)
                mine[b] += letter >= 0 && letter / 6 == b;
        } else if (letter >= 0) {
            mine[letter / 6]++;
        }
    }
    for (int b = 0; b < 5; b++)
        if (mine[b])
            atomicAdd(&s[b], mine[b]);
    __syncthreads();
    if (threadIdx.x < 5)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

__global__ void reg_dyn(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    in_registers<false>(text, bins, length);
}

__global__ void reg_pred(const char *text, unsigned int *bins, unsigned int *copies, int length)
{
    in_registers<true>(text, bins, length);
}

typedef void calibrated(const char *, unsigned int *, unsigned int *, int);

static struct sim_counters count(calibrated *kernel)
{
    char *text, *host = (char *)malloc(LENGTH);
    unsigned int *bins, *copies;
    srand(1);
    for (int i = 0; i < LENGTH; i++)
        host[i] = (char)('a' + rand() % LETTERS);
    cudaMalloc(&text, LENGTH);
    cudaMalloc(&bins, LETTERS * sizeof *bins);
    cudaMalloc(&copies, GRID * LETTERS * sizeof *copies);
    cudaMemcpy(text, host, LENGTH, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, LETTERS * sizeof *bins);
    cudaMemset(copies, 0, GRID * LETTERS * sizeof *copies);
    sim_reset_counters();
    kernel<<<GRID, BLOCK>>>(text, bins, copies, LENGTH);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    free(host);
    return sim_counters();
}

/* The field of `row` under the heading `name`, or -1. */
static long field(const char *header, const char *row, const char *name)
{
    size_t length = strlen(name);
    while (strncmp(header, name, length) != 0 || !strchr(",\n", header[length])) {
        header = strchr(header, ',');
        row = strchr(row, ',');
        if (!header || !row)
            return -1;
        header++;
        row++;
    }
    return atol(row);
}

/* How far the simulator may be off: 2% for the sectors of atomics, where a part of
 * the rule is unknown. In shared memory the hardware's arbiter adds conflicts of
 * its own, more when few lanes of a warp take part. */
static long tolerance(const char *kernel, const char *metric, long hardware, long requests)
{
    if (strstr(metric, "sectors") && strstr(metric, "red"))
        return hardware / 50;
    if (!strstr(metric, "op_atom"))
        return strstr(metric, "shared_op_ld") ? 3 : 0;
    if (strcmp(kernel, "match_k") == 0)
        return requests / 4;
    return strncmp(kernel, "reg_", 4) == 0 ? requests / 5 : requests / 100;
}

static void compare(const char *kernel, calibrated *function)
{
    char header[4096], row[4096] = "";
    FILE *file = fopen("docs/results/h200/calibration.csv", "r");
    cr_assert_not_null(file, "run the test from the project's directory");
    cr_assert_not_null(fgets(header, sizeof header, file));
    while (strncmp(row, kernel, strlen(kernel)) != 0 || row[strlen(kernel)] != ',')
        cr_assert_not_null(fgets(row, sizeof row, file), "no row for %s", kernel);
    fclose(file);
    struct sim_counters counted = count(function);
    long requests = field(header, row, "smsp__inst_executed_op_shared_atom.sum");
    int compared = 0;
    for (size_t i = 0; i < sim_metric_count(); i++) {
        const char *name = sim_metric(i).name;
        long hardware = field(header, row, name);
        long simulated = (long)sim_metric_value(&counted, i);
        if (hardware < 0)
            continue;
        compared++;
        cr_expect(labs(simulated - hardware) <= tolerance(kernel, name, hardware, requests),
                  "%s: %s: %ld on the H200, %ld simulated", kernel, name, hardware, simulated);
    }
    cr_assert_geq(compared, 15);
}

Test(calibration, naive_contiguous)
{
    compare("naive_contig", naive_contig);
}
Test(calibration, interleaved)
{
    compare("interleaved", interleaved);
}
Test(calibration, privatized_global)
{
    compare("priv_global", priv_global);
}
Test(calibration, shared)
{
    compare("shared_k", shared_k);
}
Test(calibration, aggregation)
{
    compare("aggr", aggr);
}
Test(calibration, match)
{
    compare("match_k", match_k);
}
Test(calibration, registers_indexed_at_run_time)
{
    compare("reg_dyn", reg_dyn);
}
Test(calibration, registers_predicated)
{
    compare("reg_pred", reg_pred);
}
