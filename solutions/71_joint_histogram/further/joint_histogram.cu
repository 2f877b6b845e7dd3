/* 71, further. The slopes of a joint histogram: what is scattered in the one is gathered in the other. */
#include <cuda_runtime.h>
#include <math.h>

#include "cuda_check.h"   // CHECK(call): a call that fails ends the program with one line
#include "given/device.h" // device_has(), fits()
#include "joint_histogram.h"

#if !OPERATION_IS(float_sum)
#error "chapter 71 takes float_sum"
#endif

enum { THREADS_PER_BLOCK = 1024 };
#include "given/joint_plan.h" // struct plan; chunk_of(), plan_for(); first_bin(); store_bins()

/* The weights of the four bins from floor(x) on, where t = x - floor(x). They add up to 1. */
__device__ static void weights_of(float t, float *weights)
{
    const float sixth = 1 / 6.0f;
    weights[0] = (1 - t) * (1 - t) * (1 - t) * sixth;
    weights[1] = ((3 * t - 6) * t * t + 4) * sixth;
    weights[2] = (((-3 * t + 3) * t + 3) * t + 1) * sixth;
    weights[3] = t * t * t * sixth;
}

/* The 16 fractions as whole numbers that add up to `one` exactly. */
__device__ static void parts_of(const float *x_weights, const float *y_weights, unsigned int one,
                                unsigned int parts[TOUCHED_BINS][TOUCHED_BINS])
{
    unsigned int missing = one;
#pragma unroll
    for (int j = 0; j < TOUCHED_BINS; j++)
#pragma unroll
        for (int i = 0; i < TOUCHED_BINS; i++) {
            parts[j][i] = __float2uint_rn(x_weights[i] * y_weights[j] * (float)one);
            missing -= parts[j][i]; // below 0 it wraps, and back when it is added
        }
    add_to_one_of_four(parts, y_weights[2] > y_weights[1], x_weights[2] > x_weights[1], missing);
}

/* Adds one pair, if it is counted: to bins of 32 bits of this block, or to those of 64 bits in the L2 cache. */
__device__ static void add_pair(const struct plan *plan, float x, float y, unsigned int *near,
                                unsigned long long *far)
{
    const unsigned int column = first_bin(x, plan->x_bins), row = first_bin(y, plan->y_bins);
    float x_weights[TOUCHED_BINS] = {}, y_weights[TOUCHED_BINS] = {};
    unsigned int parts[TOUCHED_BINS][TOUCHED_BINS] = {};
    if (column == NO_BIN || row == NO_BIN)
        return;
    weights_of(x - floorf(x), x_weights); // exact: both are multiples of the last bit of x
    weights_of(y - floorf(y), y_weights);
    parts_of(x_weights, y_weights, 1u << plan->bits, parts);
#pragma unroll
    for (unsigned int j = 0; j < TOUCHED_BINS; j++)
#pragma unroll
        for (unsigned int i = 0; i < TOUCHED_BINS; i++) {
            const unsigned int bin = (row + j) * plan->x_bins + column + i;
            if (plan->is_near)
                atomicAdd(&near[bin], parts[j][i]); // protects it from other threads of the block
            else
                atomicAdd(&far[bin],
                          (unsigned long long)parts[j][i]); // protects it from all others
        }
}

/* Adds the bins of a block to those of all blocks, and clears them. */
__device__ static void commit(const struct plan *plan, unsigned int *near, unsigned long long *far)
{
    for (unsigned int b = threadIdx.x; b < plan->bins; b += THREADS_PER_BLOCK) {
        if (near[b] > 0)
            atomicAdd(&far[b], (unsigned long long)near[b]); // protects it from other blocks
        near[b] = 0;
    }
}

/* A block adds its chunks. A warp takes a tile at a time: 32 runs of eight neighbors, one from each 32nd of the input, since
 * neighbors of a picture are alike and would meet in one bin. A lane's run is a sector, or two. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    add_pairs(struct plan plan, const float *x, const float *y, unsigned long long *far)
{
    extern __shared__ unsigned int near[];
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (unsigned int b = threadIdx.x; plan.is_near && b < plan.bins; b += THREADS_PER_BLOCK)
        near[b] = 0;
    for (size_t chunk = blockIdx.x; chunk < plan.chunks; chunk += gridDim.x) {
        const size_t first = chunk * plan.chunk_tiles, left = plan.tiles - first;
        const size_t end = first + (left < plan.chunk_tiles ? left : plan.chunk_tiles);
        __syncthreads(); // no thread may add to a bin that another has yet to clear
        for (size_t tile = first + warp; tile < end; tile += WARPS) {
            const size_t run = (lane * plan.tiles + tile) * RUN;
            for (size_t i = run; i < run + RUN && i < plan.length; i++)
                add_pair(&plan, x[i], y[i], near, far);
        }
        __syncthreads(); // no thread may commit a bin to which another still adds
        if (plan.is_near)
            commit(&plan, near, far);
    }
}

/* How many bits a pair may have, if so many pairs meet in a bin of 32 bits. */
static unsigned int bits_for(unsigned int chunk)
{
    unsigned int bits = 0;
    while ((unsigned long long)chunk << (bits + 1) <= 1ull << 32)
        bits++;
    return bits;
}

void joint_histogram(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                     unsigned int y_bins, float *d_bins)
{
    refuse_too_many(length, x_bins, y_bins);
    if (x_bins == 0 || y_bins == 0)
        return;
    const unsigned int chunk = chunk_of(length);
    struct plan plan = plan_for(length, x_bins, y_bins, chunk, bits_for(chunk));
    const size_t near_bytes = plan.bins * sizeof(unsigned int),
                 far_bytes = plan.bins * sizeof(unsigned long long);
    const unsigned int blocks =
        (unsigned int)lesser(plan.chunks, device_has(cudaDevAttrMultiProcessorCount));
    unsigned long long *far;
    CHECK(cudaMallocAsync(&far, far_bytes, 0));
    CHECK(cudaMemsetAsync(far, 0, far_bytes, 0));
    plan.is_near = fits((const void *)add_pairs, near_bytes);
    if (blocks > 0)
        add_pairs<<<blocks, THREADS_PER_BLOCK, plan.is_near ? near_bytes : 0>>>(plan, d_x, d_y,
                                                                                far);
    store_bins<<<(unsigned int)divided_up(plan.bins, THREADS_PER_BLOCK), THREADS_PER_BLOCK>>>(
        plan, far, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(far, 0));
}

/* The derivatives of the four weights by t. They add up to 0. */
__device__ static void slopes_of_weights(float t, float *slopes)
{
    slopes[0] = -0.5f * (1 - t) * (1 - t);
    slopes[1] = (1.5f * t - 2) * t;
    slopes[2] = (-1.5f * t + 1) * t + 0.5f;
    slopes[3] = 0.5f * t * t;
}

/* A thread for each pair: it reads the 16 bins, and nobody else stores its slope. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    gather(const float *x, const float *y, size_t length, unsigned int x_bins, unsigned int y_bins,
           const float *table, float *slopes)
{
    const size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= length)
        return;
    const unsigned int column = first_bin(x[pair], x_bins), row = first_bin(y[pair], y_bins);
    float x_slopes[TOUCHED_BINS], y_weights[TOUCHED_BINS], sum = 0;
    if (column != NO_BIN && row != NO_BIN) {
        slopes_of_weights(x[pair] - (float)column, x_slopes);
        weights_of(y[pair] - (float)row, y_weights);
        for (unsigned int j = 0; j < TOUCHED_BINS; j++)
            for (unsigned int i = 0; i < TOUCHED_BINS; i++)
                sum += x_slopes[i] * y_weights[j] * table[(size_t)(row + j) * x_bins + column + i];
    }
    slopes[pair] = sum;
}

void joint_slopes(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                  unsigned int y_bins, const float *d_table, float *d_slopes)
{
    refuse_too_many(length, x_bins, y_bins);
    if (length == 0)
        return;
    gather<<<(unsigned int)divided_up(length, THREADS_PER_BLOCK), THREADS_PER_BLOCK>>>(
        d_x, d_y, length, x_bins, y_bins, d_table, d_slopes);
    CHECK(cudaGetLastError());
}
