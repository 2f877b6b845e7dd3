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
#include "given/runs.h"   // a walk through sorted elements: begin_walk(), take_runs(), end_walk()

enum {
    WARPS = 16, // two edges of each are 32 runs, one for each lane
    THREADS_PER_BLOCK = WARPS * WARP,
    EACH = 64 / sizeof(element_t), // elements of a thread, in a tile
    TILE = THREADS_PER_BLOCK * EACH,
    BLOCKS_PER_MULTIPROCESSOR = 4
};

/* What a block needs to put a tile in order. */
struct sorter {
    element_t ordered[TILE];
    uint16_t counts[WARPS][DIGITS]; // of each warp; later of the warps before it
    unsigned int first[DIGITS];     // where a digit begins in the tile
    unsigned int next[DIGITS];      // where the tile's first element of a digit goes
    unsigned int sums_of_warps[WARP];
};

/* The rank of an element among those of its warp with the same digit; digit DIGITS has none. `counts` are the warp's:
 * how many of a digit came before this round. */
__device__ __forceinline__ static unsigned int rank_in_warp(unsigned int digit, uint16_t *counts)
{
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int rank = 0;
    // TODO(30.1): Rank the lanes with one digit in the order of the lanes, behind those of earlier rounds,
    //             and count them. Digit DIGITS has no count.
    const unsigned int peers = __match_any_sync(ALL_LANES, digit);
    const unsigned int before = __popc(peers & ((1u << lane) - 1));
    if (digit < DIGITS)
        rank = counts[digit] + before;
    __syncwarp(); // no count may move on before all peers have read it
    if (digit < DIGITS && before == 0)
        counts[digit] += (uint16_t)__popc(peers); // the first of the peers, for all of them
    __syncwarp(); // no lane may read a count of the next round before it has moved on
    // end of TODO(30.1)
    return rank;
}

/* Turns the counts of the warps into those of the warps before, and says where each digit begins in the tile. Returns
 * how many elements the tile has; *of_digit becomes how many have this thread's digit. All threads call it. */
__device__ __forceinline__ static unsigned int lay_out_digits(struct sorter *sorter,
                                                              unsigned int *of_digit)
{
    const unsigned int digit = threadIdx.x;
    unsigned int sum = 0, all;
    for (unsigned int warp = 0; warp < WARPS && digit < DIGITS; warp++) {
        const unsigned int count = sorter->counts[warp][digit];
        sorter->counts[warp][digit] = (uint16_t)sum;
        sum += count;
    }
    const unsigned int first = sum_before(sum, sorter->sums_of_warps, &all);
    if (digit < DIGITS)
        sorter->first[digit] = first;
    *of_digit = sum;
    return all;
}

/* Stores a tile that is in order: neighbors with one digit go to neighboring places. */
__device__ __forceinline__ static void store_tile(const struct pass *pass,
                                                  const struct sorter *sorter, unsigned int length)
{
    for (unsigned int i = threadIdx.x; i < length; i += THREADS_PER_BLOCK) {
        const element_t x = sorter->ordered[i];
        const unsigned int digit = digit_of(pass, x);
        pass->to[sorter->next[digit] + (i - sorter->first[digit])] = x;
    }
}

/* Moves each element to its place: behind those with a smaller digit, and those with the same one that
 * come before it. A block moves its section, a tile at a time. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 2)
    scatter(struct pass pass, const unsigned int *counts, const unsigned int *totals)
{
    __shared__ struct sorter sorter;
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    size_t begin, end;
    part_of(*pass.length, pass.sections, blockIdx.x, &begin, &end);
    for (unsigned int digit = threadIdx.x; digit < DIGITS; digit += THREADS_PER_BLOCK)
        sorter.next[digit] = totals[digit] + counts[(size_t)digit * pass.sections + blockIdx.x];
    for (size_t tile = begin; tile < end; tile += TILE) {
        const size_t mine = tile + warp * EACH * WARP + lane; // a warp has neighbors, in order
        element_t x[EACH];
        unsigned int digit[EACH], rank[EACH], of_digit;
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++)
            if (mine + k * WARP < end)
                x[k] = pass.from[mine + k * WARP];
        for (unsigned int i = lane; i < DIGITS; i += WARP)
            sorter.counts[warp][i] = 0;
        __syncwarp(); // no lane may count a digit that another has yet to zero
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++) {
            digit[k] = mine + k * WARP < end ? digit_of(&pass, x[k]) : (unsigned int)DIGITS;
            rank[k] = rank_in_warp(digit[k], sorter.counts[warp]);
        }
        __syncthreads(); // no thread may add up what a warp has yet to count
        const unsigned int length = lay_out_digits(&sorter, &of_digit);
        __syncthreads(); // no element may go to a beginning that is not known yet
#pragma unroll
        for (unsigned int k = 0; k < EACH; k++) {
            // TODO(30.2): Put the element where its digit begins in the tile, behind those of earlier warps
            //             and those of this warp with a smaller rank.
            if (digit[k] < DIGITS)
                sorter.ordered[sorter.first[digit[k]] + sorter.counts[warp][digit[k]] + rank[k]] =
                    x[k];
            // end of TODO(30.2)
        }
        __syncthreads(); // no thread may store what another has yet to put in order
        store_tile(&pass, &sorter, length);
        __syncthreads(); // no place may move on before all have stored by it
        if (threadIdx.x < DIGITS)
            sorter.next[threadIdx.x] += of_digit;
    }
}

/* Combines each lane's value with those of the lanes before it that hold the same bin. */
__device__ static void combine_upto(struct run *mine)
{
    const int lane = threadIdx.x % WARP;
    // TODO(30.3): In five steps: with the lane 1 before, 2, 4, 8 and 16 before.
    for (int distance = 1; distance < WARP; distance *= 2) {
        const struct run before = run_of_lane(*mine, lane < distance ? lane : lane - distance);
        if (lane >= distance && before.bin == mine->bin)
            mine->value = combine(before.value, mine->value);
    }
    // end of TODO(30.3)
}

/* What is reduced: sorted elements, or, if there are none, the edges of sections. */
struct sorted {
    const element_t *elements;
    const struct run *runs;
    const size_t *length; // on the device
    size_t num_bins;
};

__device__ static struct run run_at(const struct sorted *sorted, size_t i)
{
    if (!sorted->elements)
        return sorted->runs[i];
    const element_t x = sorted->elements[i];
    const struct run run = {(unsigned int)index_of(x, sorted->num_bins), value_of(x)};
    return run;
}

/* Each warp reduces the runs of its section, and then one warp the edges of the block's warps. Of block b
 * edges[2 b] and edges[2 b + 1] become the first and the last run, and NO_BIN where it has none. If edges is NULL
 * there are no other blocks. */
__global__ void reduce_runs(struct sorted sorted, struct run *edges, bin_t *bins)
{
    __shared__ struct run of_warps[2 * WARPS];
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    struct walk walk = begin_walk(of_warps + 2 * warp);
    size_t begin, end;
    part_of(*sorted.length, gridDim.x * WARPS, blockIdx.x * WARPS + warp, &begin, &end);
    for (size_t first = begin; first < end; first += WARP) {
        struct run mine = {NO_BIN, neutral()};
        if (first + lane < end)
            mine = run_at(&sorted, first + lane);
        take_runs(&walk, mine, bins);
    }
    end_walk(&walk, bins);
    __syncthreads(); // no warp may read edges that another has yet to keep
    // TODO(30.4): Warp 0 goes through the edges of the block's warps as through a section. Its own edges are
    //             those of the block.
    if (warp == 0) {
        struct walk last = begin_walk(edges ? edges + 2 * blockIdx.x : NULL);
        take_runs(&last, of_warps[lane], bins);
        end_walk(&last, bins);
    }
    // end of TODO(30.4)
}

/* Passes over the elements: as many as the number of the last bin has digits. */
static unsigned int passes_for(size_t num_bins)
{
    unsigned int passes = 1;
    while (num_bins - 1 >= (size_t)1 << passes * DIGIT_BITS)
        passes++;
    return passes;
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
    const unsigned int passes = passes_for(num_bins), blocks = blocks_for(length);
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
    struct pass pass = {d_elements, sorted[0], lengths, num_bins, blocks, 0};
    for (unsigned int i = 0; i < passes; i++) {
        count_digits<<<blocks, THREADS_PER_BLOCK>>>(pass, counts);
        add_up_sections<<<DIGITS, DIGITS>>>(counts, blocks, totals);
        add_up_digits<<<1, DIGITS>>>(totals, lengths + 1);
        scatter<<<blocks, THREADS_PER_BLOCK>>>(pass, counts, totals);
        pass.from = pass.to;
        pass.to = sorted[(i + 1) % 2];
        pass.length = lengths + 1;
        pass.shift += DIGIT_BITS;
    }
    const struct sorted elements = {pass.from, NULL, pass.length, num_bins};
    const struct sorted of_blocks = {NULL, edges, lengths + 2, num_bins};
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
