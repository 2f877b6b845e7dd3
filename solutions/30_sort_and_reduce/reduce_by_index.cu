/* 30. Sort and reduce: bring equal keys together, and nobody has to compete for a bin.
 *
 * A counting sort goes over the elements once for each digit of the key: count the digits, add up the counts, and move
 * each element behind all that come before it. A block puts a tile in order in its shared memory first, so that
 * neighbors are stored together. In the sorted elements the ones of a bin are a run, which one warp reduces and stores.
 * No atomic touches a bin. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if OPERATION_IS(saturate) || OPERATION_IS(vector_sum) || OPERATION_IS(minmax)
#error "chapter 30 takes count, float_sum, wide_sum and argmax"
#endif

#include "given/device.h"
#include "given/digits.h" // count_digits(), add_up_sections(), add_up_digits()
#include "given/runs.h"   // a walk through sorted elements: begin_walk(), take_strips(), end_walk()

enum {
    THREADS_PER_BLOCK = DIGITS, // a thread has a digit
    WARPS = THREADS_PER_BLOCK / WARP,
    EACH = 64 / sizeof(element_t), // elements of a thread, in a tile
    TILE = THREADS_PER_BLOCK * EACH,
    BLOCKS_PER_MULTIPROCESSOR = 8, // of which half are there at a time
    RANK_SHIFT = 16,
};

/* What a block needs to put a tile in order. */
struct sorter {
    element_t ordered[TILE];
    uint16_t counts[WARPS]
                   [DIGITS]; // of each warp; then where its elements of a digit begin in the tile
    unsigned int
        next[DIGITS]; // where the tile's elements of a digit go, less where they begin in it
    unsigned int sums_of_warps[WARP];
};

/* The rank of this lane's element among those of the warp with the same digit, its peers: behind those of earlier rounds,
 * which `counts` has, in the order of the lanes. Digit DIGITS has no rank and no count. All lanes call it. */
__device__ __forceinline__ static unsigned int rank_in_warp(unsigned int digit, unsigned int peers,
                                                            uint16_t *counts)
{
    unsigned int rank = 0;
    // TODO(30.1): `peers` are the lanes with this digit. What is this lane's rank? And count the peers, once.
    const unsigned int earlier = digit < DIGITS ? counts[digit] : 0;
    const unsigned int before = __popc(peers & ((1u << threadIdx.x % WARP) - 1));
    rank = earlier + before;
    __syncwarp(); // no count may move on before all peers have read it
    if (digit < DIGITS && before == 0)
        counts[digit] = (uint16_t)(earlier + __popc(peers)); // the first of the peers, for all
    __syncwarp(); // no lane may read a count of the next round before it has moved on
    // end of TODO(30.1)
    return rank;
}

/* Turns the counts of the warps into where their elements begin in the tile: digit by digit, and of a digit warp by
 * warp. Returns how many elements the tile has; and of this thread's digit where it begins, and how many there are. */
__device__ __forceinline__ static unsigned int
lay_out_digits(struct sorter *sorter, unsigned int *begin, unsigned int *number)
{
    const unsigned int digit = threadIdx.x;
    unsigned int sum = 0, all;
    for (unsigned int warp = 0; warp < WARPS; warp++)
        sum += sorter->counts[warp][digit];
    *number = sum;
    *begin = sum_before(sum, sorter->sums_of_warps, &all);
    unsigned int at = *begin;
    for (unsigned int warp = 0; warp < WARPS; warp++) {
        const unsigned int count = sorter->counts[warp][digit];
        sorter->counts[warp][digit] = (uint16_t)at;
        at += count; // those of the next warp come behind
    }
    return all;
}

/* Moves each element to its place: behind those with a smaller digit, and those with the same one that
 * come before it. A block moves its section, a tile at a time. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR / 2)
    scatter(struct pass pass, const unsigned int *counts, const unsigned int *totals)
{
    __shared__ struct sorter sorter;
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned int first = warp * EACH * WARP + lane; // a warp has neighbors, in their order
    size_t begin, end;
    part_of(*pass.length, pass.sections, blockIdx.x, &begin, &end);
    unsigned int next =
        totals[threadIdx.x] + counts[(size_t)threadIdx.x * pass.sections + blockIdx.x];
    for (size_t tile = begin; tile < end; tile += TILE) {
        const unsigned int left = end - tile < TILE ? (unsigned int)(end - tile) : TILE;
        element_t x[EACH];
        unsigned int sent_to[EACH], peers[EACH], at, number; // a digit, and above it a rank
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++)
            if (first + k * WARP < left)
                x[k] = pass.from[tile + first + k * WARP];
        for (unsigned int i = lane; i < DIGITS; i += WARP)
            sorter.counts[warp][i] = 0;
        __syncwarp(); // no lane may count a digit that another has yet to zero
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++) {
            sent_to[k] = first + k * WARP < left ? digit_of(&pass, x[k]) : (unsigned int)DIGITS;
            peers[k] = peers_of(sent_to[k], pass.bits);
        }
#pragma unroll // behind all votes, of which none waits for a count
        for (unsigned int k = 0; k < EACH; k++)
            sent_to[k] |= rank_in_warp(sent_to[k], peers[k], sorter.counts[warp]) << RANK_SHIFT;
        __syncthreads(); // no thread may add up what a warp has yet to count
        const unsigned int all = lay_out_digits(&sorter, &at, &number);
        sorter.next[threadIdx.x] = next - at;
        next += number;
        __syncthreads(); // no element may go to a beginning that is not known yet
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++) {
            const unsigned int digit = sent_to[k] % (1u << RANK_SHIFT);
            const unsigned int in_warp = sent_to[k] >> RANK_SHIFT;
            // TODO(30.2): Put the element into the tile: by its rank behind where its warp's elements of this
            //             digit begin. Digit DIGITS has no place.
            if (digit < DIGITS)
                sorter.ordered[sorter.counts[warp][digit] + in_warp] = x[k];
            // end of TODO(30.2)
        }
        __syncthreads(); // no thread may store what another has yet to put in order
        for (unsigned int i = threadIdx.x; i < all; i += THREADS_PER_BLOCK) {
            const element_t here = sorter.ordered[i];
            const unsigned int bin = (unsigned int)index_of(here, 0);
            pass.to[sorter.next[digit_of_bin(&pass, bin)] + i] = here;
        }
        __syncthreads(); // no thread may change what another still stores, or stores by
    }
}

/* Combines each lane's value with those of the lanes before it from lane `first` on, the first one with its bin. */
__device__ static void combine_upto(bin_t *value, int first)
{
    const int lane = threadIdx.x % WARP;
    // TODO(30.3): In five steps: with the lane 1 before, 2, 4, 8 and 16 before, where that is not before `first`.
    for (int distance = 1; distance < WARP; distance *= 2) {
        const bin_t before = value_of_lane(*value, lane < distance ? lane : lane - distance);
        if (lane - distance >= first)
            *value = combine(before, *value);
    }
    // end of TODO(30.3)
}

/* What is reduced: sorted elements, or, if there are none, the edges of sections. */
struct sorted {
    const element_t *elements;
    const struct run *runs;
    const size_t *length; // on the device
};

/* Each warp reduces the runs of its section, and then one warp the edges of the block's warps. Of block b
 * edges[2 b] and edges[2 b + 1] become the first and the last run, and NO_BIN where it has none. If edges is NULL
 * there are no other blocks. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR / 2)
    reduce_runs(struct sorted sorted, struct run *edges, bin_t *bins)
{
    __shared__ struct run of_warps[2 * WARPS];
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const struct run none = {NO_BIN, neutral()};
    struct walk walk = begin_walk(of_warps + 2 * warp);
    size_t begin, end;
    part_of(*sorted.length, gridDim.x * WARPS, blockIdx.x * WARPS + warp, &begin, &end);
    for (size_t first = begin; sorted.elements && first < end; first += STRIP * WARP) {
        const struct strip mine = strip_at(sorted.elements, first + lane * STRIP, end, bins);
        take_strips(&walk, &mine, bins);
    }
    for (size_t first = begin; sorted.runs && first < end; first += WARP)
        take_runs(&walk, first + lane < end ? sorted.runs[first + lane] : none, bins);
    end_walk(&walk, bins);
    __syncthreads(); // no warp may read edges that another has yet to keep
    if (warp == 0) {
        walk = begin_walk(edges ? edges + 2 * blockIdx.x : NULL);
        const struct run next = lane < 2 * WARPS ? of_warps[lane] : none;
        // TODO(30.4): Go through the edges of the block's warps, which are in `next`, as through a section.
        take_runs(&walk, next, bins);
        end_walk(&walk, bins);
        // end of TODO(30.4)
    }
}

/* The bits of the number of the last bin, at least one. */
static unsigned int bits_for(size_t last_bin)
{
    unsigned int bits = 1;
    while (last_bin >> bits)
        bits++;
    return bits;
}

static unsigned int blocks_for(size_t length)
{
    const size_t most = device_has(cudaDevAttrMultiProcessorCount) * BLOCKS_PER_MULTIPROCESSOR;
    const size_t blocks = (length + TILE - 1) / TILE;
    return (unsigned int)(blocks < most ? blocks : most);
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
    const unsigned int last_bin = num_bins < UINT32_MAX ? (unsigned int)num_bins - 1 : UINT32_MAX;
    const unsigned int bits = bits_for(last_bin), passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    const unsigned int blocks = blocks_for(length);
    const size_t known[] = {length, 0, 2 * blocks}; // before the first pass, behind it; of edges
    element_t *sorted[2] = {NULL, NULL};            // by this pass and by the one before
    unsigned int *counts, *totals;
    size_t *lengths;
    struct run *edges;
    keep_workspaces();
    for (unsigned int i = 0; i < 2 && i < passes; i++)
        CHECK(cudaMallocAsync(&sorted[i], length * sizeof(element_t), 0));
    CHECK(cudaMallocAsync(&counts, (size_t)DIGITS * blocks * sizeof *counts, 0));
    CHECK(cudaMallocAsync(&totals, DIGITS * sizeof *totals, 0));
    CHECK(cudaMallocAsync(&lengths, sizeof known, 0));
    CHECK(cudaMallocAsync(&edges, 2 * blocks * sizeof *edges, 0));
    CHECK(cudaMemcpyAsync(lengths, known, sizeof known, cudaMemcpyHostToDevice, 0));
    struct pass pass = {
        d_elements, sorted[0], lengths, last_bin, blocks, (bits + passes - 1) / passes, 0};
    for (unsigned int i = 0; i < passes; i++) {
        count_digits<<<blocks, THREADS_PER_BLOCK>>>(pass, counts);
        if (blocks <= FEW_SECTIONS)
            add_up_few_sections<<<1, DIGITS>>>(counts, blocks, totals);
        else
            add_up_sections<<<DIGITS, DIGITS>>>(counts, blocks, totals);
        add_up_digits<<<1, DIGITS>>>(totals, lengths + 1);
        scatter<<<blocks, THREADS_PER_BLOCK>>>(pass, counts, totals);
        pass.from = pass.to;
        pass.to = sorted[(i + 1) % 2];
        pass.length = lengths + 1;
        pass.shift += pass.bits;
    }
    const struct sorted elements = {pass.from, NULL, pass.length};
    const struct sorted of_blocks = {NULL, edges, lengths + 2};
    reduce_runs<<<blocks, THREADS_PER_BLOCK>>>(elements, edges, d_bins);
    reduce_runs<<<1, THREADS_PER_BLOCK>>>(of_blocks, NULL, d_bins);
    CHECK(cudaGetLastError());
    for (unsigned int i = 0; i < 2 && i < passes; i++)
        CHECK(cudaFreeAsync(sorted[i], 0));
    CHECK(cudaFreeAsync(counts, 0));
    CHECK(cudaFreeAsync(totals, 0));
    CHECK(cudaFreeAsync(lengths, 0));
    CHECK(cudaFreeAsync(edges, 0));
}
