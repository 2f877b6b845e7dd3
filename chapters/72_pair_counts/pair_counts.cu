/* 72. Pair counts: keys that are computed of two points.
 *
 * A block has a row: 256 points of a random set, one for each thread, and 256 data points. Tile by tile it loads
 * the points of the set into shared memory, and each thread pairs its two points with all of a tile: so one load
 * serves 256 pairs of data with random points, and as many of random points. Pairs within a set are a triangle:
 * tiles before the row are left out, and of the row's own tile the points up to the thread's.
 *
 * Hardly anything is read, so the limit is instructions a pair. The bits of a float are nearly a logarithm: one of the
 * two linear halves of an octave is a cell. A table has a word for each cell, and one addition to the bits replaces a search. */
#include <cuda_runtime.h>

#include "cuda_check.h"        // CHECK(call): a call that fails ends the program with one line
#include "given/cells.h"       // struct sky, struct near; make_cells(), edges_up_to()
#include "given/pair_totals.h" // struct totals; clear(), commit(), refuse_too_many()
#include "pair_counts.h"

#if !OPERATION_IS(wide_sum)
#error "chapter 72 takes wide_sum"
#endif

enum { MOST_BLOCKS = 0x7fffffff };

/* The squared chord between two points. */
__device__ static float chord(float4 p, float4 q)
{
    float squares = 0;
    // TODO(72.1): Subtract first: the sum of the squares of the three differences.
    // end of TODO(72.1)
    return squares;
}

/* The counter of a distance, by its cell, or where that is not enough by search. */
__device__ static unsigned int counter_of(const struct near *near, unsigned int bins,
                                          float distance, bool by_search)
{
    unsigned int counter = bins + 2;
    // TODO(72.2): The bits of the distance, shifted by CELL_SHIFT, are the number of its cell. The counter is
    //             the sum of these bits and the word of the cell, shifted by CELL_SHIFT. With by_search it is
    //             edges_up_to(), but for a NaN, which is not equal to itself.
    // end of TODO(72.2)
    return counter;
}

/* Pairs a point with those of the tile from number `from` on, and adds 1 to a counter for each pair. */
__device__ static void count_pairs_of(const struct near *near, unsigned int *counters,
                                      unsigned int bins, bool by_search, float4 point,
                                      unsigned int from, unsigned int count)
{
    for (unsigned int j = from; j < count; j++)
        // Protects a counter from other threads of the block. What is added is 1, and nobody wants to know what
        // was there: so lanes that meet in a counter are one access.
        atomicAdd(&counters[counter_of(near, bins, chord(point, near->tile[j]), by_search)], 1u);
}

/* Pairs `own` and `datum` with the points of the tile: `own` from number `from` on, `datum` with all of them,
 * or with none where there is no datum. The compiler makes a loop for each value of by_search. */
__device__ static void count_tile(struct near *near, unsigned int bins, bool by_search,
                                  unsigned int count, float4 own, unsigned int from, float4 datum,
                                  bool has_datum)
{
    const unsigned int first = has_datum ? 0 : count;
    if (by_search) {
        count_pairs_of(near, near->across, bins, true, datum, first, count);
        count_pairs_of(near, near->within, bins, true, own, from, count);
    } else {
        count_pairs_of(near, near->across, bins, false, datum, first, count);
        count_pairs_of(near, near->within, bins, false, own, from, count);
    }
}

/* Counts a row of a set: its points with those behind them in the set, and the data points with the same
 * numbers with all points of the set. All threads call it together. */
__device__ static void count_row(const struct sky *sky, struct near *near, size_t set, size_t row,
                                 bool by_search)
{
    const float4 *points = set == 0 ? sky->data : sky->random + (set - 1) * sky->points;
    const size_t begin = row * TILE, i = begin + threadIdx.x;
    const bool exists = i<sky->points, has_datum = set> 0;
    float4 own = {}, datum = {};
    if (exists)
        own = points[i];
    if (exists && has_datum)
        datum = sky->data[i];
    for (size_t first = has_datum ? 0 : begin; first < sky->points; first += TILE) {
        const size_t left = sky->points - first;
        const unsigned int count = left < TILE ? (unsigned int)left : TILE;
        unsigned int from = count;
        // TODO(72.3): The triangle: this thread pairs its own point with those behind it. Of a tile before
        //             the row there are none, of the row's own tile those from the next one on, and of a
        //             tile behind the row all: set `from`.
        // end of TODO(72.3)
        // TODO(72.4): One tile for both kinds of pairs: each thread loads one of the `count` points from
        //             `first` on. Threads that have a point pair it: count_tile(). What has to be between
        //             these two, and before the first of them?
        // end of TODO(72.4)
    }
}

__global__ void __launch_bounds__(TILE) count_pairs(struct sky sky, struct totals totals)
{
    __shared__ struct near near;
    const bool by_search = make_cells(&sky, &near);
    const size_t rows = (sky.sets + 1) * sky.rows;
    for (size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const size_t set = row / sky.rows;
        clear(&near, sky.bins + 3);
        count_row(&sky, &near, set, row % sky.rows, by_search);
        commit(&near, sky.bins + 2, set, &totals);
    }
}

void pair_counts(const float4 *d_data, const float4 *d_random, size_t points, size_t sets,
                 const float *d_edges, unsigned int bins, unsigned long long *d_dd,
                 unsigned long long *d_dr, unsigned long long *d_rr)
{
    refuse_too_many(points, sets, bins);
    const size_t rows = (points + TILE - 1) / TILE, blocks = (sets + 1) * rows;
    const struct sky sky = {d_data, d_random, points, sets, rows, d_edges, bins};
    const struct totals totals = {d_dd, d_dr, d_rr};
    if (blocks == 0)
        return;
    count_pairs<<<(unsigned int)(blocks < MOST_BLOCKS ? blocks : (size_t)MOST_BLOCKS), TILE>>>(
        sky, totals);
    CHECK(cudaGetLastError());
}
