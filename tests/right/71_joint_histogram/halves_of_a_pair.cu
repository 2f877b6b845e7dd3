/* Each pair has two lanes: one adds the two upper rows of parts, the other the two lower ones. A lane's pairs lie a
 * 509th of the input apart. Weights are doubles. Blocks commit by atomics of 64 bits, after so many pairs as the
 * header's k allows; where bins do not fit shared memory, each part goes to the L2 cache. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "joint_histogram.h"

enum { THREADS = 256, PAIRS_AT_A_TIME = THREADS / 2, APART = 509, MOST_BYTES = 96 * 1024 };

struct shape {
    size_t length, column; // pairs of each of APART columns of the input
    unsigned int x_bins, y_bins, bins, bits, between; // pairs between two commits
    bool in_block;
};

/* The bits of a bin's parts; false when x is not counted. */
__device__ static bool spread(float x, unsigned int bins, unsigned int *at, double *weights)
{
    if (!(x >= 0 && x < (float)bins - 3))
        return false;
    *at = (unsigned int)x;
    const double t = (double)x - *at, u = 1 - t;
    weights[0] = u * u * u / 6;
    weights[1] = (t * t * (3 * t - 6) + 4) / 6;
    weights[2] = (u * u * (3 * u - 6) + 4) / 6;
    weights[3] = t * t * t / 6;
    return true;
}

__device__ static void add_rows(const struct shape *shape, float x, float y, unsigned int half,
                                unsigned int *own, unsigned long long *all)
{
    unsigned int column, row, parts[16], left = 1u << shape->bits;
    double right[4], down[4];
    if (!spread(x, shape->x_bins, &column, right) || !spread(y, shape->y_bins, &row, down))
        return;
    for (int part = 0; part < 16; part++) {
        parts[part] = (unsigned int)(right[part % 4] * down[part / 4] * (1u << shape->bits) + 0.5);
        left -= parts[part];
    }
    parts[5] += left; // at least 1/36 of the pair
    for (unsigned int part = 8 * half; part < 8 * half + 8; part++) {
        const size_t bin = (size_t)(row + part / 4) * shape->x_bins + column + part % 4;
        if (shape->in_block)
            atomicAdd(&own[bin], parts[part]); // protects the bin from the block's threads
        else
            atomicAdd(&all[bin], (unsigned long long)parts[part]); // and from all threads
    }
}

__device__ static void hand_over(const struct shape *shape, unsigned int *own,
                                 unsigned long long *all)
{
    __syncthreads(); // no thread may take a bin to which another still adds
    for (unsigned int b = threadIdx.x; shape->in_block && b < shape->bins; b += THREADS) {
        if (own[b] > 0)
            atomicAdd(&all[b], (unsigned long long)own[b]); // other blocks hand over theirs
        own[b] = 0;
    }
    __syncthreads(); // no thread may add to a bin that another has yet to clear
}

__global__ void spread_pairs(struct shape shape, const float *x, const float *y,
                             unsigned long long *all)
{
    extern __shared__ unsigned int own[];
    unsigned int done = 0;
    for (unsigned int b = threadIdx.x; shape.in_block && b < shape.bins; b += THREADS)
        own[b] = 0;
    __syncthreads(); // no thread may add to a bin that another has yet to clear
    const size_t count = shape.column * APART;
    for (size_t first = (size_t)blockIdx.x * PAIRS_AT_A_TIME; first < count;
         first += (size_t)gridDim.x * PAIRS_AT_A_TIME) {
        const size_t number = first + threadIdx.x / 2;
        const size_t pair = number % APART * shape.column + number / APART;
        const bool exists = number < count && pair < shape.length;
        float mine = 0;
        if (exists)
            mine = threadIdx.x % 2 == 0 ? x[pair] : y[pair];
        const float other = __shfl_xor_sync(0xffffffffu, mine, 1);
        if (exists)
            add_rows(&shape, threadIdx.x % 2 == 0 ? mine : other,
                     threadIdx.x % 2 == 0 ? other : mine, threadIdx.x % 2, own, all);
        done += PAIRS_AT_A_TIME;
        if (done == shape.between) {
            hand_over(&shape, own, all);
            done = 0;
        }
    }
    hand_over(&shape, own, all);
}

__global__ void round_bins(struct shape shape, const unsigned long long *all, float *bins)
{
    const size_t b = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (b < shape.bins)
        bins[b] = (float)((double)all[b] / (1u << shape.bits));
}

void joint_histogram(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                     unsigned int y_bins, float *d_bins)
{
    if (length > UINT32_MAX || x_bins > MOST_SIDE_BINS || y_bins > MOST_SIDE_BINS) {
        fprintf(stderr, "joint_histogram: %zu pairs are too many\n", length);
        exit(1);
    }
    struct shape shape = {};
    shape.length = length;
    shape.column = (length + APART - 1) / APART;
    shape.x_bins = x_bins;
    shape.y_bins = y_bins;
    shape.bins = x_bins * y_bins;
    shape.bits = 20;
    shape.between = 4096;
    shape.in_block = (size_t)shape.bins * sizeof(int) <= MOST_BYTES;
    if (shape.bins == 0)
        return;
    const unsigned int bytes = shape.in_block ? shape.bins * (unsigned int)sizeof(int) : 0;
    unsigned long long *all;
    CHECK(cudaFuncSetAttribute((const void *)spread_pairs,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, MOST_BYTES));
    CHECK(cudaMalloc(&all, shape.bins * sizeof *all));
    CHECK(cudaMemset(all, 0, shape.bins * sizeof *all));
    if (length > 0)
        spread_pairs<<<4, THREADS, bytes>>>(shape, d_x, d_y, all);
    CHECK(cudaGetLastError());
    round_bins<<<(shape.bins + THREADS - 1) / THREADS, THREADS>>>(shape, all, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(all));
}
