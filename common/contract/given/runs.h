/* runs.h - a warp goes through sorted elements, and combines each run of one bin: given code of chapter 30.
 *
 * A run that ends is this warp's alone, and goes to its bin; only the first and the last one of a section may go on in
 * other sections, and are kept: the edges of the section. Whoever includes it has defined, before or behind that,
 *
 *     __device__ static void combine_upto(bin_t *value, int first);
 *
 * which combines each lane's value with those of the lanes before it from lane `first` on, the first one with its bin. */
#ifndef RUNS_H
#define RUNS_H

#include <stddef.h>

#include "tiles.h"

/* Elements of one bin that lie together, combined; NO_BIN for none. */
struct run {
    unsigned int bin;
    bin_t value;
};
#define NO_BIN 0xffffffffu

__device__ static void combine_upto(bin_t *value, int first);

/* The value of lane `from` of the warp. All lanes call it. */
__device__ __forceinline__ static bin_t value_of_lane(bin_t value, int from)
{
    union {
        bin_t value;
        unsigned int word[sizeof(bin_t) / sizeof(int)];
    } bits;
    bits.value = value;
#pragma unroll
    for (unsigned int i = 0; i < sizeof bits / sizeof(int); i++)
        bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], from);
    return bits.value;
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
    struct run *edges; // for the first and the last run of the section; NULL: no other sections
};

/* A walk that begins, with places for the edges, which hold nothing yet; or NULL. All lanes call it. */
__device__ static struct walk begin_walk(struct run *edges)
{
    struct walk walk = {{NO_BIN, neutral()}, edges != NULL, edges};
    if (edges && threadIdx.x % 32 < 2)
        edges[threadIdx.x % 32] = walk.open;
    __syncwarp(); // no run may be kept before its place is empty
    return walk;
}

/* Takes one more run of each lane, in their order; lanes without one come last. */
__device__ static void take_runs(struct walk *walk, struct run mine, bin_t *bins)
{
    const int lane = threadIdx.x % 32;
    const int last = __popc(__ballot_sync(0xffffffffu, mine.bin != NO_BIN)) - 1;
    if (last < 0)
        return;
    const unsigned int before = __shfl_up_sync(0xffffffffu, mine.bin, 1);
    const unsigned int begin = __ballot_sync(0xffffffffu, lane == 0 || mine.bin != before);
    if (walk->open.bin != NO_BIN && walk->open.bin != __shfl_sync(0xffffffffu, mine.bin, 0)) {
        if (lane == 0)
            end_run(walk->open, walk->at_first ? walk->edges : NULL, bins);
        walk->at_first = false;
    } else if (walk->open.bin != NO_BIN && lane == 0)
        mine.value = combine(walk->open.value, mine.value);
    combine_upto(&mine.value, 31 - __clz((int)(begin & ((2u << lane) - 1))));
    // A run ends at a lane behind which another one begins.
    const bool ends = lane < last && begin >> lane >> 1 & 1;
    const unsigned int enders = __ballot_sync(0xffffffffu, ends);
    if (ends) {
        const bool is_first = walk->at_first && lane == __ffs((int)enders) - 1;
        end_run(mine, is_first ? walk->edges : NULL, bins);
    }
    if (enders)
        walk->at_first = false;
    walk->open.bin = __shfl_sync(0xffffffffu, mine.bin, last);
    walk->open.value = value_of_lane(mine.value, last);
}

enum { STRIP = 64 / sizeof(element_t), STRIP_WORDS = STRIP / WORD_ELEMENTS };

/* What a lane has of its strip, neighbors which it goes through alone: the first and the last run, with other runs
 * between them, or without. */
struct strip {
    struct run first, last;
};

/* The strip that begins at element i, at a multiple of 16 bytes. The runs between first and last go to their bins. */
__device__ __forceinline__ static struct strip strip_at(const element_t *elements, size_t i,
                                                        size_t end, bin_t *bins)
{
    struct strip strip = {{NO_BIN, neutral()}, {NO_BIN, neutral()}};
    struct word words[STRIP_WORDS];
#pragma unroll
    for (unsigned int w = 0; w < STRIP_WORDS; w++)
        words[w] = load_elements(elements, end, i / WORD_ELEMENTS + w);
#pragma unroll
    for (unsigned int k = 0; k < STRIP; k++) {
        const element_t x = words[k / WORD_ELEMENTS].x[k % WORD_ELEMENTS];
        const struct run run = {i + k < end ? (unsigned int)index_of(x, 0) : NO_BIN, value_of(x)};
        if (run.bin == NO_BIN)
            continue;
        if (run.bin == strip.last.bin)
            strip.last.value = combine(strip.last.value, run.value);
        else {
            if (strip.first.bin == NO_BIN)
                strip.first = strip.last;
            else
                end_run(strip.last, NULL, bins);
            strip.last = run;
        }
    }
    if (strip.first.bin == NO_BIN) { // one run: a second, empty one keeps the runs without a gap
        strip.first = strip.last;
        strip.last.value = neutral();
    }
    return strip;
}

__device__ __forceinline__ static struct run run_of_lane(struct run run, int from)
{
    const struct run other = {__shfl_sync(0xffffffffu, run.bin, from),
                              value_of_lane(run.value, from)};
    return other;
}

/* Takes the strip of each lane, in their order: the runs of 16 lanes, and then those of the others. */
__device__ __forceinline__ static void take_strips(struct walk *walk, const struct strip *strip,
                                                   bin_t *bins)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 32; half += 16) {
        const struct run first = run_of_lane(strip->first, half + lane / 2);
        const struct run last = run_of_lane(strip->last, half + lane / 2);
        take_runs(walk, lane % 2 == 0 ? first : last, bins);
    }
}

/* The last run of a section may go on in the next one. A section of one run has a second, empty one, so
 * that runs lie without a gap. */
__device__ static void end_walk(struct walk *walk, bin_t *bins)
{
    if (threadIdx.x % 32 != 0 || walk->open.bin == NO_BIN)
        return;
    end_run(walk->open, walk->edges ? &walk->edges[walk->at_first ? 0 : 1] : NULL, bins);
    walk->open.value = neutral();
    if (walk->edges && walk->at_first)
        walk->edges[1] = walk->open;
}

#endif
