/* sorted_tile.h - sums a tile of elements in order of their bins, in shared memory.
 *
 * A bin of powers is eight floats, and shared memory adds a float in a loop of compare-and-swap. So a block
 * counts its tile's elements by their places in a table of bins, puts the values in order, and then a thread sums
 * what one place has in registers: no other thread has that place, and no atomic is needed. Where a place has
 * many values, warps sum pieces of them. No kind of keys is slow, and what is added to a bin of the table is a
 * sum already, so that millions of values lose little by rounding. */
#ifndef LADDER_SORTED_TILE_H
#define LADDER_SORTED_TILE_H

#include "elements.h"

enum {
    SORT_THREADS = 1024, // of a block, at most
    SORT_WARPS = SORT_THREADS / WARP,
    SORT_ELEMENTS = LADDER_SORT_ELEMENTS, // of a thread, in a tile
    SORT_WORDS = SORT_ELEMENTS / WORD_ELEMENTS,
    SORT_TILE = SORT_THREADS * SORT_ELEMENTS,
    HALVES = sizeof(bin_t) / sizeof(float4), // of a bin
    MANY_VALUES = 32,                        // of a place: no more are one thread's
    PIECE_VALUES = 256,                      // else at most so many are one warp's
    MOST_PIECES = SORT_TILE / MANY_VALUES + SORT_TILE / PIECE_VALUES,
};

/* Where a block sorts, in shared memory. */
struct sorter {
    float *table;         // POWERS rows of `places`: neighboring places lie in neighboring banks
    float *values;        // SORT_TILE of them, in order of their places
    unsigned int *cursor; // places + 1: of each the elements of the tile, then where they begin
    unsigned int places;
};

/* A part of the values of a place. */
struct piece {
    uint16_t place, from, to;
};

/* Divides that memory, and clears it. The caller waits for all threads afterwards. */
__device__ static struct sorter begin_sorter(void *memory, unsigned int places)
{
    struct sorter sorter;
    sorter.table = (float *)memory;
    sorter.values = sorter.table + (size_t)places * POWERS;
    sorter.cursor = (unsigned int *)(sorter.values + blockDim.x * SORT_ELEMENTS);
    sorter.places = places;
    for (unsigned int i = threadIdx.x; i < places * POWERS; i += blockDim.x)
        sorter.table[i] = 0;
    for (unsigned int place = threadIdx.x; place < places; place += blockDim.x)
        sorter.cursor[place] = 0;
    return sorter;
}

/* Turns how many values each place has into where they begin, and notes the pieces of those with many. */
__device__ static void lay_out_values(const struct sorter *sorter, struct piece *pieces,
                                      unsigned int *num_pieces)
{
    __shared__ unsigned int sums_of_warps[SORT_WARPS];
    const unsigned int share = (sorter->places + blockDim.x - 1) / blockDim.x;
    const unsigned int first =
        threadIdx.x * share < sorter->places ? threadIdx.x * share : sorter->places;
    const unsigned int last = first + share < sorter->places ? first + share : sorter->places;
    unsigned int sum = 0, all;
    for (unsigned int place = first; place < last; place++)
        sum += sorter->cursor[place];
    unsigned int begin = sum_before(sum, sums_of_warps, &all);
    for (unsigned int place = first; place < last; place++) {
        const unsigned int count = sorter->cursor[place], end = begin + count;
        sorter->cursor[place] = begin;
        if (count > MANY_VALUES) {
            const unsigned int needed = (count + PIECE_VALUES - 1) / PIECE_VALUES;
            const unsigned int at = atomicAdd(num_pieces, needed); // other threads note theirs now
            for (unsigned int k = 0; k < needed; k++) {
                pieces[at + k].place = (uint16_t)place;
                pieces[at + k].from = (uint16_t)(begin + k * PIECE_VALUES);
                pieces[at + k].to =
                    (uint16_t)(k + 1 < needed ? begin + (k + 1) * PIECE_VALUES : end);
            }
        }
        begin = end;
    }
    if (threadIdx.x == 0)
        sorter->cursor[sorter->places] = all;
}

/* A warp sums a piece, and eight of its lanes add one sum each to the table, at once: one after the other they would
 * wait eight times for the other warps that sum pieces of this place. */
__device__ static void sum_piece(const struct sorter *sorter, struct piece piece)
{
    const unsigned int lane = threadIdx.x % WARP;
    element_t x = no_element();
    hardware_t sum = nothing();
    for (unsigned int i = piece.from + lane; i < piece.to; i += WARP) {
        x.value = __float_as_uint(sorter->values[i]);
        sum = join(sum, bring(x, 0));
    }
    sum = join_warp(sum);
    float brings = sum.sum[0];
#pragma unroll
    for (unsigned int f = 1; f < POWERS; f++)
        brings = f == lane ? sum.sum[f] : brings;
    if (lane < POWERS) // atomic, because another warp may sum a piece of this place now
        atomicAdd(&sorter->table[lane * sorter->places + piece.place], brings);
}

/* A thread sums what some places have in its registers, where that is not much. */
__device__ static void sum_places(const struct sorter *sorter)
{
    element_t x = no_element();
    for (unsigned int place = threadIdx.x; place < sorter->places; place += blockDim.x) {
        const unsigned int from = sorter->cursor[place], to = sorter->cursor[place + 1];
        if (from == to || to - from > MANY_VALUES)
            continue;
        hardware_t sum = nothing();
        for (unsigned int i = from; i < to; i++) {
            x.value = __float_as_uint(sorter->values[i]);
            sum = join(sum, bring(x, 0));
        }
#pragma unroll
        for (unsigned int f = 0; f < POWERS; f++)
            sorter->table[f * sorter->places + place] += sum.sum[f];
    }
}

/* Sums a tile, of which each thread has SORT_ELEMENTS: their places in the table, or NO_KEY, and their values.
 * All threads of the block call it, when the cursor is zero and all have seen that; and so it is afterwards. */
__device__ static void sum_tile(const struct sorter *sorter, const unsigned int *place,
                                const float *value)
{
    enum { RANK_BITS = 16 };
    __shared__ struct piece pieces[MOST_PIECES];
    __shared__ unsigned int num_pieces;
    unsigned int sent_to[SORT_ELEMENTS]; // a place, and above it a rank
    if (threadIdx.x == 0)
        num_pieces = 0;
#pragma unroll
    for (unsigned int k = 0; k < SORT_ELEMENTS; k += WORD_ELEMENTS) {
        unsigned int rank[WORD_ELEMENTS];
        ask_for_places(place + k, sorter->cursor, rank);
#pragma unroll
        for (unsigned int n = 0; n < WORD_ELEMENTS; n++)
            sent_to[k + n] = place[k + n] == NO_KEY ? NO_KEY : place[k + n] | rank[n] << RANK_BITS;
    }
    __syncthreads(); // no thread may read counts to which another still adds
    lay_out_values(sorter, pieces, &num_pieces);
    __syncthreads(); // no thread may go to a place before all have their beginnings
#pragma unroll
    for (unsigned int k = 0; k < SORT_ELEMENTS; k++)
        if (sent_to[k] != NO_KEY)
            sorter->values[sorter->cursor[sent_to[k] % (1u << RANK_BITS)] +
                           (sent_to[k] >> RANK_BITS)] = value[k];
    __syncthreads(); // no thread may sum values that another has yet to put in order
    sum_places(sorter);
    for (unsigned int n = threadIdx.x / WARP; n < num_pieces; n += blockDim.x / WARP)
        sum_piece(sorter, pieces[n]);
    __syncthreads(); // no thread may clear what another still reads
    for (unsigned int at = threadIdx.x; at < sorter->places; at += blockDim.x)
        sorter->cursor[at] = 0;
    __syncthreads(); // no thread may count in what another has yet to zero
}

/* Adds the table to bins `first` and following of those in global memory. If no other block has a share in them
 * now, that needs no atomic. */
__device__ static void commit_sorter(const struct sorter *sorter, bin_t *bins, unsigned int count,
                                     bool is_whole)
{
    for (unsigned int i = threadIdx.x; i < count * HALVES; i += blockDim.x) {
        const unsigned int place = i / HALVES, half = i % HALVES;
        if (sorter->table[place] == 0) // no element: the first sum is their number
            continue;
        const float *const row = sorter->table + half * 4 * sorter->places + place;
        const float4 sums = make_float4(row[0], row[sorter->places], row[2 * sorter->places],
                                        row[3 * sorter->places]);
        float4 *const to = (float4 *)bins[place].sum + half;
        if (is_whole)
            *to = make_float4(to->x + sums.x, to->y + sums.y, to->z + sums.z, to->w + sums.w);
        else
            add_four(to, sums);
    }
}

/* The words of this thread in a tile that begins at word `begin`. */
__device__ __forceinline__ static void load_words(const struct ladder_elements *elements,
                                                  unsigned int begin, unsigned int tile_words,
                                                  struct word *words)
{
#pragma unroll
    for (unsigned int i = 0; i < SORT_WORDS; i++) {
        const unsigned int at = i * blockDim.x + threadIdx.x;
        if (at < tile_words)
            words[i] = load_word(elements, begin + at, true);
        else
            words[i].x[0].key = words[i].x[1].key = NO_KEY;
    }
}

/* The bins are dealt to `passes` ranges, and the blocks to ranges: each block sums what belongs to its range, a tile
 * of `tile_words` words at a time, at most SORT_TILE elements. */
__global__ static void __launch_bounds__(SORT_THREADS, 1)
    sum_in_order(struct ladder_elements elements, bin_t *bins, unsigned int num_bins,
                 unsigned int passes, unsigned int tile_words)
{
    extern __shared__ uint4 sorter_memory[];
    const unsigned int range = (num_bins + passes - 1) / passes,
                       first = blockIdx.x % passes * range;
    const unsigned int left = first < num_bins ? num_bins - first : 0;
    const unsigned int group = blockIdx.x / passes, groups = gridDim.x / passes;
    const unsigned int num_words = words_of(&elements);
    struct word next[SORT_WORDS];
    load_words(&elements, group * tile_words, tile_words, next);
    const struct sorter sorter = begin_sorter(sorter_memory, left < range ? left : range);
    __syncthreads(); // no thread may count in what another has yet to zero
    for (unsigned int begin = group * tile_words; begin < num_words; begin += groups * tile_words) {
        unsigned int place[SORT_ELEMENTS];
        float value[SORT_ELEMENTS];
#pragma unroll
        for (unsigned int n = 0; n < SORT_ELEMENTS; n++) {
            const element_t x = next[n / WORD_ELEMENTS].x[n % WORD_ELEMENTS];
            place[n] = x.key - first < sorter.places ? x.key - first : NO_KEY;
            value[n] = __uint_as_float(x.value);
        }
        load_words(&elements, begin + groups * tile_words, tile_words, next);
        sum_tile(&sorter, place, value); // while the next ones are on their way
    }
    commit_sorter(&sorter, bins + first, sorter.places, false);
}

#endif
