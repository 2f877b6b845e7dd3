/* 71, further. The slopes of a joint histogram: what is scattered in the one is gathered in the other.
 *
 * A fraction becomes a whole number of 2^bits-ths, since shared memory adds whole numbers by one instruction, and
 * floats by a loop. A block adds a chunk of pairs to bins of 32 bits in shared memory, and commits them to bins of
 * 64 bits in the L2 cache. A second kernel makes floats. `bits` follows from the length alone, and whole numbers have
 * one sum in any order, so no bit depends on the grid. The lanes of a warp take pairs that are far from each other:
 * neighbors of a picture are alike, and would meet in one bin. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"   // CHECK(call): a call that fails ends the program with one line
#include "given/device.h" // device_has(), fits()
#include "joint_histogram.h"

#if !OPERATION_IS(float_sum)
#error "chapter 71 takes float_sum"
#endif

enum { WARP = 32, THREADS_PER_BLOCK = 1024, WARPS = THREADS_PER_BLOCK / WARP };
enum { RUN = 8, PITCH = RUN + 1, TILE = WARP * RUN }; // an odd pitch: 32 runs begin in 32 banks
enum { LEAST_CHUNK = 8192, MOST_CHUNK = 65536, CHUNKS = 128 };
#define NO_BIN 0xffffffffu

/* How the work is shared. But for the chunks and `is_near`, all of it follows from what the call is given. */
struct plan {
    size_t length, tiles, chunks; // pairs; tiles of TILE pairs, an odd number; chunks of tiles
    unsigned int x_bins, y_bins, bins;
    unsigned int chunk_tiles; // of a chunk, after which a block commits
    unsigned int bits;        // a pair adds 2^bits in all
    bool is_near;             // bins lie in shared memory, and not in the L2 cache
};

/* Eight coordinates for each lane of a warp, in shared memory. */
struct tile {
    float at[WARP * PITCH];
};

/* Loads eight coordinates of a tile for each lane. The tile's 32 runs of 8 lie far apart: run r begins in the r-th of 32
 * parts of the input. Eight lanes side by side load a run, which is a sector of 32 bytes. What lies behind the last
 * pair becomes a NaN, which is not counted. */
__device__ static void load_tile(const struct plan *plan, const float *coordinates, size_t tile,
                                 float *loaded)
{
    const unsigned int lane = threadIdx.x % WARP, in_run = lane % RUN;
#pragma unroll
    for (unsigned int i = 0; i < RUN; i++) {
        const unsigned int run = lane - in_run + i;
        const size_t pair = (run * plan->tiles + tile) * RUN + in_run;
        loaded[i] = pair < plan->length ? coordinates[pair] : NAN;
    }
}

/* Hands each lane the run with its own number, of what the lanes have loaded. Four runs at a time go to 32 banks. */
__device__ static void hand_out_runs(struct tile *shared, float *coordinates)
{
    const unsigned int lane = threadIdx.x % WARP, in_run = lane % RUN;
#pragma unroll
    for (unsigned int i = 0; i < RUN; i++)
        shared->at[(lane - in_run + i) * PITCH + in_run] = coordinates[i];
    __syncwarp(); // no lane may take a coordinate that another has yet to store
#pragma unroll
    for (unsigned int i = 0; i < RUN; i++)
        coordinates[i] = shared->at[lane * PITCH + i];
    __syncwarp(); // no lane may store more while another still takes from this tile
}

/* The first of the four bins that a coordinate touches; NO_BIN when it is not counted. */
__device__ static unsigned int first_bin(float x, unsigned int bins)
{
    const float first = floorf(x);
    const bool is_counted = first >= 0 && first <= (float)bins - TOUCHED_BINS; // a NaN is not
    return is_counted ? (unsigned int)first : NO_BIN;
}

/* The weights of the four bins from floor(x) on, where t = x - floor(x). They add up to 1. */
__device__ static void weights_of(float t, float *weights)
{
    const float sixth = 1 / 6.0f;
    weights[0] = (1 - t) * (1 - t) * (1 - t) * sixth;
    weights[1] = ((3 * t - 6) * t * t + 4) * sixth;
    weights[2] = (((-3 * t + 3) * t + 3) * t + 1) * sixth;
    weights[3] = t * t * t * sixth;
}

/* Adds to parts[1 + down][1 + right]. An index that varies would put all parts into local memory. */
__device__ static void add_to_one_of_four(unsigned int parts[TOUCHED_BINS][TOUCHED_BINS], bool down,
                                          bool right, unsigned int more)
{
    parts[1][1] += !down && !right ? more : 0;
    parts[1][2] += !down && right ? more : 0;
    parts[2][1] += down && !right ? more : 0;
    parts[2][2] += down && right ? more : 0;
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

/* Adds the parts to bins in shared memory; the first one belongs to bin number `first`. */
__device__ static void add_near(const unsigned int parts[TOUCHED_BINS][TOUCHED_BINS],
                                unsigned int first, unsigned int x_bins, unsigned int *near)
{
#pragma unroll
    for (unsigned int j = 0; j < TOUCHED_BINS; j++)
#pragma unroll
        for (unsigned int i = 0; i < TOUCHED_BINS; i++)
            atomicAdd(&near[first + j * x_bins + i], parts[j][i]); // protects it from other threads
}

/* The same for bins of 64 bits in the L2 cache. */
__device__ static void add_far(const unsigned int parts[TOUCHED_BINS][TOUCHED_BINS], size_t first,
                               unsigned int x_bins, unsigned long long *far)
{
#pragma unroll
    for (unsigned int j = 0; j < TOUCHED_BINS; j++)
#pragma unroll
        for (unsigned int i = 0; i < TOUCHED_BINS; i++)
            atomicAdd(&far[first + j * (size_t)x_bins + i],
                      (unsigned long long)parts[j][i]); // protects it from all other threads
}

/* Adds one pair, if it is counted. */
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
    const unsigned int first = row * plan->x_bins + column;
    if (plan->is_near)
        add_near(parts, first, plan->x_bins, near);
    else
        add_far(parts, first, plan->x_bins, far);
}

/* Adds the pairs of a chunk, a tile for each warp at a time. */
__device__ static void add_chunk(const struct plan *plan, const float *x, const float *y,
                                 size_t chunk, struct tile *shared, unsigned int *near,
                                 unsigned long long *far)
{
    const size_t first = chunk * plan->chunk_tiles, last = first + plan->chunk_tiles;
    const size_t end = last < plan->tiles ? last : plan->tiles;
    for (size_t tile = first + threadIdx.x / WARP; tile < end; tile += blockDim.x / WARP) {
        float x_run[RUN], y_run[RUN];
        load_tile(plan, x, tile, x_run);
        load_tile(plan, y, tile, y_run); // both are on their way before the first is stored
        hand_out_runs(shared, x_run);
        hand_out_runs(shared, y_run);
#pragma unroll
        for (unsigned int i = 0; i < RUN; i++)
            add_pair(plan, x_run[i], y_run[i], near, far);
    }
}

/* Adds the bins of a block to those of all blocks, and clears them. */
__device__ static void commit(const struct plan *plan, unsigned int *near, unsigned long long *far)
{
    for (unsigned int b = threadIdx.x; b < plan->bins; b += blockDim.x) {
        if (near[b] > 0)
            atomicAdd(&far[b], (unsigned long long)near[b]); // protects it from other blocks
        near[b] = 0;
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    add_pairs(struct plan plan, const float *x, const float *y, unsigned long long *far)
{
    extern __shared__ unsigned int shared[];
    struct tile *tiles = (struct tile *)shared;
    unsigned int *near = (unsigned int *)&tiles[blockDim.x / WARP];
    for (unsigned int b = threadIdx.x; plan.is_near && b < plan.bins; b += blockDim.x)
        near[b] = 0;
    for (size_t chunk = blockIdx.x; chunk < plan.chunks; chunk += gridDim.x) {
        __syncthreads(); // no thread may add to a bin that another has yet to clear
        add_chunk(&plan, x, y, chunk, &tiles[threadIdx.x / WARP], near, far);
        __syncthreads(); // no thread may commit a bin to which another still adds
        if (plan.is_near)
            commit(&plan, near, far);
    }
}

/* Stores the sums of whole numbers as floats. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    store_bins(struct plan plan, const unsigned long long *far, float *bins)
{
    const size_t b = (size_t)blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    if (b < plan.bins)
        bins[b] =
            (float)ldexp((double)far[b], -(int)plan.bits); // rounded once: the double is exact
}

static size_t divided_up(size_t all, size_t by)
{
    return (all + by - 1) / by;
}

static size_t lesser(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* The most pairs of a chunk: a power of two, and for all but very long inputs CHUNKS chunks are enough. */
static unsigned int chunk_of(size_t length)
{
    unsigned int chunk = LEAST_CHUNK;
    while (chunk < MOST_CHUNK && chunk < divided_up(length, CHUNKS))
        chunk *= 2;
    return chunk;
}

/* How many bits a pair may have, if so many pairs meet in a bin of 32 bits. */
static unsigned int bits_for(unsigned int chunk)
{
    unsigned int bits = 0;
    while ((unsigned long long)chunk << (bits + 1) <= 1ull << 32)
        bits++;
    return bits;
}

/* How many tiles a block takes between two commits: its share, but one for each warp, and no more than the bits
 * allow. */
static unsigned int tiles_of_chunk(size_t tiles, unsigned int chunk)
{
    const size_t share = divided_up(tiles, device_has(cudaDevAttrMultiProcessorCount));
    return (unsigned int)lesser(share < WARPS ? WARPS : share, chunk / TILE);
}

static struct plan plan_for(size_t length, unsigned int x_bins, unsigned int y_bins)
{
    const unsigned int chunk = chunk_of(length);
    struct plan plan = {};
    plan.length = length;
    plan.x_bins = x_bins;
    plan.y_bins = y_bins;
    plan.bins = x_bins * y_bins;
    plan.tiles = divided_up(length, TILE) | 1; // odd, so that runs lie in a slant
    plan.chunk_tiles = tiles_of_chunk(plan.tiles, chunk);
    plan.chunks = divided_up(plan.tiles, plan.chunk_tiles);
    plan.bits = bits_for(chunk);
    return plan;
}

static void refuse_too_many(size_t length, unsigned int x_bins, unsigned int y_bins)
{
    if (length <= UINT32_MAX && x_bins <= MOST_SIDE_BINS && y_bins <= MOST_SIDE_BINS)
        return;
    fprintf(stderr,
            "joint_histogram: %zu pairs in %u x %u bins; at most 4294967295 pairs in %d x %d bins "
            "can be counted\n",
            length, x_bins, y_bins, MOST_SIDE_BINS, MOST_SIDE_BINS);
    exit(1);
}

/* Launches the kernel that adds: a block for each multiprocessor, if there are so many chunks, and a warp for each
 * two tiles, if a block may have so many. */
static void launch_add(struct plan *plan, const float *d_x, const float *d_y,
                       unsigned long long *far)
{
    const size_t warps = lesser(divided_up(lesser(plan->tiles, plan->chunk_tiles), 3), WARPS);
    const size_t tiles = warps * sizeof(struct tile);
    const size_t all = tiles + (size_t)plan->bins * sizeof(unsigned int);
    const unsigned int blocks =
        (unsigned int)lesser(plan->chunks, device_has(cudaDevAttrMultiProcessorCount));
    plan->is_near = fits((const void *)add_pairs, all);
    add_pairs<<<blocks, (unsigned int)warps * WARP, plan->is_near ? all : tiles>>>(*plan, d_x, d_y,
                                                                                   far);
    CHECK(cudaGetLastError());
}

void joint_histogram(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                     unsigned int y_bins, float *d_bins)
{
    refuse_too_many(length, x_bins, y_bins);
    struct plan plan = plan_for(length, x_bins, y_bins);
    unsigned long long *far;
    if (plan.bins == 0)
        return;
    const size_t bytes = (size_t)plan.bins * sizeof *far;
    CHECK(cudaMallocAsync(&far, bytes, 0));
    CHECK(cudaMemsetAsync(far, 0, bytes, 0));
    launch_add(&plan, d_x, d_y, far);
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
