/* 30. Sort and reduce: bring equal keys together, and nobody has to compete for a bin.
 *
 * A counting sort goes over the elements once for each digit of the key: count the digits, add up the counts, and move each
 * element behind all that come before it. A block puts a tile in order in its shared memory first, so that neighbors are
 * stored together. In the sorted elements those of a bin are a run, which one warp reduces and stores without an atomic. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if OPERATION_IS(saturate) || OPERATION_IS(vector_sum) || OPERATION_IS(minmax)
#error "chapter 30 takes count, float_sum, wide_sum and argmax"
#endif

#include "given/digits.h"     // struct pass; count_digits(), add_up_sections(), add_up_digits()
#include "given/tile_ranks.h" // peers_of(), lay_out()
#include "given/runs.h" // a walk through sorted elements: begin_walk(), take_runs(), end_walk()

enum { THREADS = DIGITS, WARPS = THREADS / WARP };             // a thread has a digit
enum { EACH = 64 / sizeof(element_t), TILE = THREADS * EACH }; // elements of a thread, in a tile
enum { BLOCKS_PER_MULTIPROCESSOR = 8 };                        // of which half are there at a time

/* How many elements of the warp with this digit come before this lane's, in earlier rounds and in lanes before; `counts` has
 * those of earlier rounds. Digit DIGITS has no count. All lanes call it together. */
__device__ __forceinline__ static unsigned int rank_in_warp(unsigned int digit, uint16_t *counts)
{
    const unsigned int peers = peers_of(digit), lane = threadIdx.x % WARP;
    unsigned int rank = 0;
    // TODO(30.1): What is this lane's rank? And count the peers, once.
    // end of TODO(30.1)
    return rank;
}

/* Moves each element to its place: behind those with a smaller digit, and those with the same one that come before it. A
 * block moves its section, a tile at a time; a thread knows where the next elements of its digit go. */
__global__ void __launch_bounds__(THREADS, BLOCKS_PER_MULTIPROCESSOR / 2)
    scatter(struct pass pass, const unsigned int *counts, const unsigned int *totals)
{
    __shared__ element_t ordered[TILE];
    __shared__ uint16_t of_warps[WARPS][DIGITS]; // counts; then where they begin in the tile
    __shared__ unsigned int sums_of_warps[WARP], to[DIGITS]; // places, less those in the tile
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned int first = warp * EACH * WARP + lane; // a warp has neighbors, in their order
    size_t begin, end;
    part_of(pass.length, gridDim.x, blockIdx.x, &begin, &end);
    unsigned int next = totals[threadIdx.x] + counts[(size_t)threadIdx.x * gridDim.x + blockIdx.x];
    for (size_t tile = begin; tile < end; tile += TILE) {
        const unsigned int left = end - tile < TILE ? (unsigned int)(end - tile) : TILE;
        element_t x[EACH];
        unsigned int digit[EACH], rank[EACH], at;
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++)
            if (first + k * WARP < left)
                x[k] = pass.from[tile + first + k * WARP];
        for (unsigned int i = lane; i < DIGITS; i += WARP)
            of_warps[warp][i] = 0;
        __syncwarp(); // no lane may count a digit that another has yet to clear
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++) {
            digit[k] = first + k * WARP < left ? digit_of(&pass, x[k]) : (unsigned int)DIGITS;
            rank[k] = rank_in_warp(digit[k], of_warps[warp]);
        }
        __syncthreads(); // no thread may add up what a warp has yet to count
        const unsigned int number = lay_out(of_warps, sums_of_warps, &at);
        to[threadIdx.x] = next - at;
        next += number;
        __syncthreads(); // no element may go to a beginning that is not known yet
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++) {
            // TODO(30.2): Put x[k] into the tile: by its rank after where its warp's elements of its digit begin, which
            //             of_warps has. Digit DIGITS has no place.
            // end of TODO(30.2)
        }
        __syncthreads(); // no thread may store what another has yet to put in order
        for (unsigned int i = threadIdx.x; i < left; i += THREADS)
            pass.to[to[digit_of(&pass, ordered[i])] + i] = ordered[i];
        __syncthreads(); // no thread may change what another still stores, or stores by
    }
}

/* Combines each lane's value with those of the lanes before it from lane `first` on, the first one with its bin. */
__device__ static void combine_upto(bin_t *value, int first)
{
    const int lane = threadIdx.x % WARP;
    // TODO(30.3): In five steps: with the lane 1 before, 2, 4, 8 and 16 before, where that is not before `first`.
    // end of TODO(30.3)
}

/* Each warp reduces the runs of its section of sorted elements or, if there are none, of `runs`; then one warp reduces the
 * edges of the block's warps. Of block b edges[2 b] and edges[2 b + 1] become the first and the last run; NULL: there are no
 * other blocks. */
__global__ void __launch_bounds__(THREADS, BLOCKS_PER_MULTIPROCESSOR / 2)
    reduce_runs(const element_t *elements, const struct run *runs, size_t length, struct run *edges,
                bin_t *bins, size_t num_bins)
{
    __shared__ struct run of_warps[2 * WARPS];
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const struct run none = {NO_BIN, neutral()};
    struct walk walk = begin_walk(of_warps + 2 * warp, bins, num_bins);
    size_t begin, end;
    part_of(length, gridDim.x * WARPS, blockIdx.x * WARPS + warp, &begin, &end);
    for (size_t i = begin + lane; i - lane < end; i += WARP) {
        struct run mine = none;
        if (i < end)
            mine = elements ? run_of(elements[i], num_bins) : runs[i];
        take_runs(&walk, mine);
    }
    end_walk(&walk);
    __syncthreads(); // no warp may read edges that another has yet to keep
    if (warp > 0)
        return;
    walk = begin_walk(edges ? edges + 2 * blockIdx.x : NULL, bins, num_bins);
    const struct run next = lane < 2 * WARPS ? of_warps[lane] : none;
    // TODO(30.4): Go through the edges of the block's warps, which are in `next`, as through a section.
    // end of TODO(30.4)
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    const size_t tiles = (length + TILE - 1) / TILE;
    const unsigned int blocks = (unsigned int)(tiles < most ? tiles : most);
    const unsigned int all = THREADS, adds = blocks < all ? (blocks + WARP - 1) / WARP * WARP : all;
    unsigned int bits = 1; // of num_bins, which stands for elements without a bin
    while (num_bins >> bits)
        bits++;
    const unsigned int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    element_t *sorted; // twice as many: by this pass, and by the one before
    unsigned int *counts;
    struct run *edges;
    CHECK(cudaMallocAsync(&sorted, 2 * length * sizeof *sorted, 0));
    CHECK(cudaMallocAsync(&counts, (blocks + (size_t)1) * DIGITS * sizeof *counts, 0));
    CHECK(cudaMallocAsync(&edges, 2 * blocks * sizeof *edges, 0));
    unsigned int *const totals = counts + (size_t)blocks * DIGITS;
    struct pass pass = {d_elements, sorted, length, num_bins, (bits + passes - 1) / passes, 0};
    for (unsigned int i = 0; i < passes; i++) {
        count_digits<<<blocks, THREADS>>>(pass, counts);
        add_up_sections<<<DIGITS, adds>>>(counts, blocks, totals); // by whole warps, for a digit
        add_up_digits<<<1, THREADS>>>(totals);
        scatter<<<blocks, THREADS>>>(pass, counts, totals);
        pass.from = pass.to;
        pass.to = sorted + (i % 2 == 0 ? length : 0);
        pass.shift += pass.bits;
    }
    reduce_runs<<<blocks, THREADS>>>(pass.from, NULL, length, edges, d_bins, num_bins);
    reduce_runs<<<1, THREADS>>>(NULL, edges, 2 * blocks, NULL, d_bins, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(sorted, 0));
    CHECK(cudaFreeAsync(counts, 0));
    CHECK(cudaFreeAsync(edges, 0));
}
