/* runs.h - a warp goes through sorted elements, and combines each run of one bin: given code of chapter 30. Whoever includes
 * it defines combine_upto(). */
#ifndef RUNS_H
#define RUNS_H

#include <string.h>

#include "digits.h"

/* Elements of one bin that lie together, combined; NO_BIN for none. */
struct run {
    unsigned int bin;
    bin_t value;
};
#define NO_BIN 0xffffffffu

/* Combines each lane's value with those of the lanes before it from lane `first` on, the first one with its bin. */
__device__ static void combine_upto(bin_t *value, int first);

__device__ __forceinline__ static struct run run_of(element_t x, size_t num_bins)
{
    const struct run run = {bin_of(x, num_bins), value_of(x)};
    return run;
}

/* The value of lane `from` of the warp. All lanes call it together. */
__device__ __forceinline__ static bin_t value_of_lane(bin_t value, int from)
{
    word_t word;
    memcpy(&word, &value, sizeof word);
    word = __shfl_sync(ALL_LANES, word, from);
    memcpy(&value, &word, sizeof word);
    return value;
}

/* A run is complete. It may have parts in other sections, and is kept at `edge`; or it is this warp's alone, and goes to its
 * bin. A run of elements without a bin goes nowhere. */
__device__ static void end_run(struct run run, struct run *edge, bin_t *bins, size_t num_bins)
{
    if (edge)
        *edge = run;
    else if (run.bin < num_bins)
        bins[run.bin] = combine(bins[run.bin], run.value); // no other warp has this run
}

/* A warp that goes through its section: the run that has begun and not ended, the same in all lanes; is it the first one? */
struct walk {
    struct run open;
    bool at_first;
    struct run *edges; // for the first and the last run of the section; NULL: no other sections
    bin_t *bins;
    size_t num_bins;
};

/* A walk that begins, with places for the edges, which hold nothing yet; or NULL. All lanes call it. */
__device__ static struct walk begin_walk(struct run *edges, bin_t *bins, size_t num_bins)
{
    struct walk walk = {{NO_BIN, neutral()}, edges != NULL, edges, bins, num_bins};
    if (edges && threadIdx.x % 32 < 2)
        edges[threadIdx.x % 32] = walk.open;
    __syncwarp(); // no run may be kept before its place is empty
    return walk;
}

/* Takes one more run of each lane, in their order; lanes without one come last. */
__device__ static void take_runs(struct walk *walk, struct run mine)
{
    const int lane = threadIdx.x % 32;
    const int last = __popc(__ballot_sync(0xffffffffu, mine.bin != NO_BIN)) - 1;
    if (last < 0)
        return;
    const unsigned int before = __shfl_up_sync(0xffffffffu, mine.bin, 1);
    const unsigned int begin = __ballot_sync(0xffffffffu, lane == 0 || mine.bin != before);
    if (walk->open.bin != NO_BIN && walk->open.bin != __shfl_sync(0xffffffffu, mine.bin, 0)) {
        if (lane == 0)
            end_run(walk->open, walk->at_first ? walk->edges : NULL, walk->bins, walk->num_bins);
        walk->at_first = false;
    } else if (walk->open.bin != NO_BIN && lane == 0)
        mine.value = combine(walk->open.value, mine.value);
    combine_upto(&mine.value, 31 - __clz((int)(begin & ((2u << lane) - 1))));
    // A run ends at a lane behind which another one begins.
    const bool ends = lane < last && begin >> lane >> 1 & 1;
    const unsigned int enders = __ballot_sync(0xffffffffu, ends);
    if (ends) {
        const bool is_first = walk->at_first && lane == __ffs((int)enders) - 1;
        end_run(mine, is_first ? walk->edges : NULL, walk->bins, walk->num_bins);
    }
    if (enders)
        walk->at_first = false;
    walk->open.bin = __shfl_sync(0xffffffffu, mine.bin, last);
    walk->open.value = value_of_lane(mine.value, last);
}

/* The last run of a section may go on in the next one. A section of one run gets a second, empty one. */
__device__ static void end_walk(struct walk *walk)
{
    if (threadIdx.x % 32 != 0 || walk->open.bin == NO_BIN)
        return;
    end_run(walk->open, walk->edges ? &walk->edges[walk->at_first ? 0 : 1] : NULL, walk->bins,
            walk->num_bins);
    walk->open.value = neutral();
    if (walk->edges && walk->at_first)
        walk->edges[1] = walk->open;
}

#endif
