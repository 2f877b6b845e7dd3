/* A block has a 64th of the points, and sums of its own in global memory. A thread labels a point of a tile; then
 * a thread takes a component, and adds it of one point after the other. Counts are taken from the labels, a thread
 * for a cluster. A thread for each sum adds those of the blocks in their order. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "k_means.h"

enum { BLOCKS = 64, THREADS = 128, TILE_FLOATS = 6144 };

struct state {
    double *sums;         // BLOCKS rows
    unsigned int *counts; // BLOCKS rows
    unsigned int *changed, *stopped, *labels;
    size_t share; // points of a block
};

__device__ static unsigned int label_of(const float *point, const float *centroids, unsigned int d,
                                        unsigned int k)
{
    float least = INFINITY;
    unsigned int label = NO_CLUSTER;
    for (unsigned int c = 0; c < k; c++) {
        float sum = 0;
        for (unsigned int i = 0; i < d; i++) {
            const float apart = point[i] - centroids[(size_t)c * d + i];
            sum += apart * apart;
        }
        label = sum < least ? c : label;
        least = sum < least ? sum : least;
    }
    return label;
}

/* Adds a tile of `count` points. All threads of the block call it together. */
__device__ static void add_tile(double *sums, unsigned int *counts, const float *tile,
                                const unsigned int *labels, unsigned int count, unsigned int d,
                                unsigned int k)
{
    for (unsigned int i = threadIdx.x; i < d; i += THREADS)
        for (unsigned int p = 0; p < count; p++)
            if (labels[p] != NO_CLUSTER)
                sums[(size_t)labels[p] * d + i] += tile[p * d + i];
    for (unsigned int p = 0; p < count; p++)
        if (labels[p] % THREADS == threadIdx.x && labels[p] != NO_CLUSTER)
            counts[labels[p]]++;
}

__global__ void step_kernel(const float *points, size_t length, unsigned int d,
                            const float *centroids, unsigned int k, struct state state,
                            unsigned int step)
{
    extern __shared__ float tile[];
    __shared__ unsigned int labels[THREADS];
    if (state.stopped[step % 2])
        return;
    double *sums = state.sums + (size_t)blockIdx.x * k * d;
    unsigned int *counts = state.counts + (size_t)blockIdx.x * k, changed = 0;
    const unsigned int rows = TILE_FLOATS / d < THREADS ? TILE_FLOATS / d : THREADS;
    const size_t begin = blockIdx.x * state.share;
    const size_t end = begin + state.share < length ? begin + state.share : length;
    for (size_t s = threadIdx.x; s < (size_t)k * d; s += THREADS)
        sums[s] = 0;
    for (unsigned int c = threadIdx.x; c < k; c += THREADS)
        counts[c] = 0;
    for (size_t first = begin; first < end; first += rows) {
        const unsigned int count = (unsigned int)(end - first < rows ? end - first : rows);
        __syncthreads(); // sums are cleared, and nobody reads the tile before any more
        for (unsigned int i = threadIdx.x; i < count * d; i += THREADS)
            tile[i] = points[first * d + i];
        __syncthreads(); // the tile is there
        unsigned int is_new = 0;
        if (threadIdx.x < count) {
            const unsigned int label = label_of(tile + threadIdx.x * d, centroids, d, k);
            is_new = label != (step > 0 ? state.labels[first + threadIdx.x] : NO_CLUSTER);
            labels[threadIdx.x] = label;
            if (state.labels)
                state.labels[first + threadIdx.x] = label;
        }
        changed += (unsigned int)__syncthreads_count((int)is_new); // labels are there, too
        add_tile(sums, counts, tile, labels, count, d, k);
    }
    if (threadIdx.x == 0)
        state.changed[blockIdx.x] = changed;
}

__global__ void fold_kernel(float *centroids, unsigned int d, unsigned int k, struct state state,
                            unsigned int step, size_t may_change, unsigned int *out_counts,
                            unsigned int *out_steps)
{
    const size_t s = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (state.stopped[step % 2]) {
        if (s == 0)
            state.stopped[1 - step % 2] = 1;
        return;
    }
    if (s < (size_t)k * d) {
        unsigned int count = 0;
        double sum = 0;
        for (unsigned int block = 0; block < BLOCKS; block++) {
            count += state.counts[(size_t)block * k + s / d];
            sum += state.sums[(size_t)block * k * d + s];
        }
        if (count > 0)
            centroids[s] = (float)(sum / count);
        if (out_counts && s % d == 0)
            out_counts[s / d] = count;
    }
    if (s > 0)
        return;
    size_t changed = 0;
    for (unsigned int block = 0; block < BLOCKS; block++)
        changed += state.changed[block];
    state.stopped[1 - step % 2] = changed <= may_change;
    if (out_steps)
        *out_steps = step + 1;
}

__global__ void clear(unsigned int *words, size_t length, unsigned int value)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        words[i] = value;
}

static void fill(unsigned int *words, size_t length, unsigned int value)
{
    if (words && length > 0)
        clear<<<BLOCKS, THREADS>>>(words, length, value);
    CHECK(cudaGetLastError());
}

void k_means(const float *d_points, size_t length, unsigned int dimensions, float *d_centroids,
             unsigned int clusters, unsigned int steps, size_t may_change, unsigned int *d_labels,
             unsigned int *d_counts, unsigned int *d_steps)
{
    if (length > UINT32_MAX || dimensions > MOST_DIMENSIONS || dimensions == 0) {
        fprintf(stderr, "k_means: %zu points of %u dimensions are too many\n", length, dimensions);
        exit(1);
    }
    const unsigned int rows =
        TILE_FLOATS / dimensions < THREADS ? TILE_FLOATS / dimensions : THREADS;
    const size_t sums = (size_t)clusters * dimensions;
    struct state state;
    state.share = ((length + BLOCKS - 1) / BLOCKS + rows - 1) / rows * rows;
    CHECK(cudaMallocAsync((void **)&state.sums, BLOCKS * sums * sizeof(double) + 8, 0));
    CHECK(cudaMallocAsync((void **)&state.counts, BLOCKS * (size_t)clusters * 4 + 4, 0));
    CHECK(cudaMallocAsync((void **)&state.changed, (BLOCKS + 2) * 4, 0));
    state.stopped = state.changed + BLOCKS;
    state.labels = d_labels;
    if (!d_labels && steps > 1)
        CHECK(cudaMallocAsync((void **)&state.labels, length * 4 + 4, 0));
    fill(state.stopped, 2, 0);
    fill(d_counts, clusters, 0);
    fill(d_steps, 1, 0);
    if (steps == 0)
        fill(d_labels, length, NO_CLUSTER);
    for (unsigned int step = 0; step < steps; step++) {
        step_kernel<<<BLOCKS, THREADS, rows * dimensions * sizeof(float)>>>(
            d_points, length, dimensions, d_centroids, clusters, state, step);
        CHECK(cudaGetLastError());
        fold_kernel<<<(unsigned int)(sums / THREADS + 1), THREADS>>>(
            d_centroids, dimensions, clusters, state, step, may_change, d_counts, d_steps);
        CHECK(cudaGetLastError());
    }
    if (state.labels != d_labels)
        CHECK(cudaFreeAsync(state.labels, 0));
    CHECK(cudaFreeAsync(state.changed, 0));
    CHECK(cudaFreeAsync(state.counts, 0));
    CHECK(cudaFreeAsync(state.sums, 0));
}
