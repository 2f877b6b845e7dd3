/* 30, going further: digits of 11 bits, so that fewer passes are enough, and one launch scans the counts of a pass. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if OPERATION_IS(saturate) || OPERATION_IS(vector_sum) || OPERATION_IS(minmax)
#error "chapter 30 takes count, float_sum, wide_sum and argmax"
#endif

enum { WARP = 32, WARPS = 4, THREADS_PER_BLOCK = WARPS * WARP, BLOCKS_PER_MULTIPROCESSOR = 8 };
enum { SCAN_WARPS = WARP, SCAN_THREADS = SCAN_WARPS * WARP }; // the sums of the warps are a warp's
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, LEAST_SECTION = 256 };
#define ALL_LANES 0xffffffffu

/* The elements before or after a pass; `length` of them lie one after the other. */
struct pass {
    const element_t *from;
    element_t *to;
    const size_t *length; // on the device: the first pass leaves out what has no bin
    size_t num_bins;
    unsigned int sections, shift; // the digit: bits shift to shift + 7 of the bin's number
};

/* Elements of one bin that lie together, combined; NO_BIN for none. */
struct run {
    unsigned int bin;
    bin_t value;
};
#define NO_BIN 0xffffffffu

/* The elements of warp `section`: from begin up to end. */
__device__ static void section_of(const struct pass *pass, unsigned int section, size_t *begin,
                                  size_t *end)
{
    const size_t length = *pass->length, share = (length + pass->sections - 1) / pass->sections;
    *begin = section * share < length ? section * share : length;
    *end = *begin + share < length ? *begin + share : length;
}

__device__ static unsigned int section_of_warp(void)
{
    return (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
}

__device__ static unsigned int digit_of(const struct pass *pass, size_t bin)
{
    return (unsigned int)(bin >> pass->shift) % DIGITS;
}

/* counts[digit][section]: how many elements of a section have the digit. */
__global__ void count_digits(struct pass pass, unsigned int *counts)
{
    __shared__ unsigned int of_warps[WARPS][DIGITS];
    unsigned int *mine = of_warps[threadIdx.x / WARP];
    const unsigned int lane = threadIdx.x % WARP, section = section_of_warp();
    size_t begin, end;
    section_of(&pass, section, &begin, &end);
    for (unsigned int digit = lane; digit < DIGITS; digit += WARP)
        mine[digit] = 0;
    __syncwarp(); // no lane may count a digit that another has yet to zero
    for (size_t i = begin + lane; i < end; i += WARP) {
        const size_t bin = index_of(pass.from[i], pass.num_bins);
        if (bin < pass.num_bins)
            atomicAdd(&mine[digit_of(&pass, bin)], 1); // other lanes may have the same digit
    }
    __syncwarp(); // no lane may read a count before all have counted
    for (unsigned int digit = lane; digit < DIGITS; digit += WARP)
        counts[(size_t)digit * pass.sections + section] = mine[digit];
}

/* Adds up the lanes' numbers before this one; *sum becomes that of all 32. */
__device__ static unsigned int sum_before(unsigned int number, unsigned int *sum)
{
    unsigned int upto = number;
    for (unsigned int distance = 1; distance < WARP; distance *= 2) {
        const unsigned int other = __shfl_up_sync(ALL_LANES, upto, distance);
        if (threadIdx.x % WARP >= distance)
            upto += other;
    }
    *sum = __shfl_sync(ALL_LANES, upto, WARP - 1);
    return upto - number;
}

/* One block: each of `number` counts becomes the sum of all that come before it; *length the sum of all. The
 * counts of a digit lie behind those of all smaller digits, so this sum is the place of the first element. */
__global__ void __launch_bounds__(SCAN_THREADS)
    scan_counts(unsigned int *counts, size_t number, size_t *length)
{
    __shared__ unsigned int of_warps[SCAN_WARPS];
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    size_t before = 0; // the sum of the rounds so far
    for (size_t first = 0; first < number; first += SCAN_THREADS) {
        const size_t i = first + threadIdx.x;
        unsigned int of_warp, of_block;
        const unsigned int in_warp = sum_before(i < number ? counts[i] : 0, &of_warp);
        if (lane == 0)
            of_warps[warp] = of_warp;
        __syncthreads(); // no warp may read the sums before all have stored theirs
        const unsigned int warps_before = sum_before(of_warps[lane], &of_block);
        const unsigned int in_block = __shfl_sync(ALL_LANES, warps_before, (int)warp);
        if (i < number)
            counts[i] = (unsigned int)before + in_block + in_warp;
        before += of_block;
        __syncthreads(); // no warp may store a sum of the next round before all have read these
    }
    if (threadIdx.x == 0)
        *length = before;
}

/* Moves each element to its place: behind those with a smaller digit, and those with the same one that
 * come before it. */
__global__ void scatter(struct pass pass, const unsigned int *places)
{
    __shared__ unsigned int next_of_warps[WARPS][DIGITS];
    unsigned int *next = next_of_warps[threadIdx.x / WARP]; // the place of the next one of a digit
    const unsigned int lane = threadIdx.x % WARP, section = section_of_warp();
    size_t begin, end;
    section_of(&pass, section, &begin, &end);
    for (unsigned int digit = lane; digit < DIGITS; digit += WARP)
        next[digit] = places[(size_t)digit * pass.sections + section];
    __syncwarp(); // no lane may take a place before its digit's first one is known
    for (size_t first = begin; first < end; first += WARP) {
        const size_t i = first + lane;
        element_t x = {0};
        size_t bin = pass.num_bins;
        if (i < end) {
            x = pass.from[i]; // a pass reads it twice: to count it, and here
            bin = index_of(x, pass.num_bins);
        }
        const unsigned int digit = bin < pass.num_bins ? digit_of(&pass, bin) : DIGITS;
        const unsigned int peers = __match_any_sync(ALL_LANES, digit);
        const unsigned int before = __popc(peers & ((1u << lane) - 1));
        if (digit < DIGITS)
            pass.to[next[digit] + before] = x;
        __syncwarp(); // no place may move on before all peers have read it
        if (digit < DIGITS && before == 0)
            next[digit] += __popc(peers); // the first of the peers, for all of them
        __syncwarp(); // no lane may take a place of the next round before it has moved on
    }
}

/* What lane `from` of the warp holds. */
__device__ static struct run run_of_lane(struct run mine, int from)
{
    union {
        struct run run;
        unsigned int word[sizeof(struct run) / sizeof(int)];
    } bits;
    bits.run = mine;
    for (unsigned int i = 0; i < sizeof bits / sizeof(int); i++)
        bits.word[i] = __shfl_sync(ALL_LANES, bits.word[i], from);
    return bits.run;
}

/* Combines each lane's value with those of the lanes before it that hold the same bin. */
__device__ static void combine_upto(struct run *mine)
{
    const int lane = threadIdx.x % WARP;
    for (int distance = 1; distance < WARP; distance *= 2) {
        const struct run before = run_of_lane(*mine, lane < distance ? lane : lane - distance);
        if (lane >= distance && before.bin == mine->bin)
            mine->value = combine(before.value, mine->value);
    }
}

/* A run is complete. It is this warp's alone, and goes to its bin; or it may have parts in other
 * sections, and is kept at `edge`. */
__device__ static void end_run(struct run run, struct run *edge, bin_t *bins)
{
    if (edge)
        *edge = run;
    else
        bins[run.bin] = combine(bins[run.bin], run.value); // no other warp has this run
}

/* The state of a warp that goes through its section: the run that has begun and not ended, the same in
 * all lanes, and whether it is the first one. */
struct walk {
    struct run open;
    bool at_first;
    struct run
        *edges; // places for the first and the last run of the section; NULL: no other sections
};

/* Takes one more run of each lane, in their order; lanes without one come last. */
__device__ static void take_runs(struct walk *walk, struct run mine, bin_t *bins)
{
    const int lane = threadIdx.x % WARP;
    const int last = __popc(__ballot_sync(ALL_LANES, mine.bin != NO_BIN)) - 1;
    if (last < 0)
        return;
    if (walk->open.bin != NO_BIN && walk->open.bin != run_of_lane(mine, 0).bin) {
        if (lane == 0)
            end_run(walk->open, walk->at_first ? walk->edges : NULL, bins);
        walk->at_first = false;
    } else if (walk->open.bin != NO_BIN && lane == 0)
        mine.value = combine(walk->open.value, mine.value);
    combine_upto(&mine);
    // A run ends at a lane whose next one has another bin.
    const unsigned int next = __shfl_down_sync(ALL_LANES, mine.bin, 1);
    const bool ends = lane < last && next != mine.bin;
    const unsigned int enders = __ballot_sync(ALL_LANES, ends);
    if (ends) {
        const bool is_first = walk->at_first && lane == __ffs((int)enders) - 1;
        end_run(mine, is_first ? walk->edges : NULL, bins);
    }
    if (enders)
        walk->at_first = false;
    walk->open = run_of_lane(mine, last);
}

/* The last run of a section may go on in the next one. A section of one run has a second, empty one, so
 * that runs lie without a gap. */
__device__ static void end_walk(struct walk *walk, bin_t *bins)
{
    if (threadIdx.x % WARP != 0 || walk->open.bin == NO_BIN)
        return;
    end_run(walk->open, walk->edges ? &walk->edges[walk->at_first ? 0 : 1] : NULL, bins);
    walk->open.value = neutral();
    if (walk->edges && walk->at_first)
        walk->edges[1] = walk->open;
}

/* Each warp reduces the runs of its section; edges[2 s] and edges[2 s + 1] become the first and the last
 * of section s, and NO_BIN where it has no elements. */
__global__ void reduce_runs(struct pass pass, struct run *edges, bin_t *bins)
{
    const unsigned int section = section_of_warp();
    struct walk walk = {{NO_BIN, neutral()}, true, edges + 2 * section};
    size_t begin, end;
    section_of(&pass, section, &begin, &end);
    if (threadIdx.x % WARP < 2)
        walk.edges[threadIdx.x % WARP] = walk.open;
    __syncwarp(); // no run may be kept before its place is empty
    for (size_t first = begin; first < end; first += WARP) {
        const size_t i = first + threadIdx.x % WARP;
        struct run mine = {NO_BIN, neutral()};
        if (i < end) {
            const element_t x = pass.from[i];
            mine.bin = (unsigned int)index_of(x, pass.num_bins);
            mine.value = value_of(x);
        }
        take_runs(&walk, mine, bins);
    }
    end_walk(&walk, bins);
}

/* One warp reduces what was kept, in the order of the sections. */
__global__ void reduce_edges(const struct run *edges, unsigned int number, bin_t *bins)
{
    struct walk walk = {{NO_BIN, neutral()}, false, NULL};
    for (unsigned int first = 0; first < number; first += WARP) {
        const unsigned int i = first + threadIdx.x;
        const struct run none = {NO_BIN, neutral()};
        take_runs(&walk, i < number ? edges[i] : none, bins);
    }
    end_walk(&walk, bins);
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
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    const size_t blocks = (length + LEAST_SECTION * WARPS - 1) / (LEAST_SECTION * WARPS);
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
    const unsigned int sections = blocks * WARPS;
    element_t *sorted[2] = {NULL, NULL}; // by this pass and by the one before
    unsigned int *counts;
    size_t *lengths;
    struct run *edges;
    for (unsigned int i = 0; i < 2 && i < passes; i++)
        CHECK(cudaMallocAsync(&sorted[i], length * sizeof(element_t), 0));
    CHECK(cudaMallocAsync(&counts, (size_t)DIGITS * sections * sizeof *counts, 0));
    CHECK(
        cudaMallocAsync(&lengths, 2 * sizeof *lengths, 0)); // before the first pass, and behind it
    CHECK(cudaMallocAsync(&edges, (size_t)2 * sections * sizeof *edges, 0));
    CHECK(cudaMemcpyAsync(lengths, &length, sizeof length, cudaMemcpyHostToDevice, 0));
    struct pass pass = {d_elements, sorted[0], lengths, num_bins, sections, 0};
    for (unsigned int i = 0; i < passes; i++) {
        count_digits<<<blocks, THREADS_PER_BLOCK>>>(pass, counts);
        scan_counts<<<1, SCAN_THREADS>>>(counts, (size_t)DIGITS * sections, lengths + 1);
        scatter<<<blocks, THREADS_PER_BLOCK>>>(pass, counts);
        pass.from = pass.to;
        pass.to = sorted[(i + 1) % 2];
        pass.length = lengths + 1;
        pass.shift += DIGIT_BITS;
    }
    reduce_runs<<<blocks, THREADS_PER_BLOCK>>>(pass, edges, d_bins);
    reduce_edges<<<1, WARP>>>(edges, 2 * sections, d_bins);
    CHECK(cudaGetLastError());
    for (unsigned int i = 0; i < 2 && i < passes; i++)
        CHECK(cudaFreeAsync(sorted[i], 0));
    CHECK(cudaFreeAsync(counts, 0));
    CHECK(cudaFreeAsync(lengths, 0));
    CHECK(cudaFreeAsync(edges, 0));
}
