/* 72. Pair counts: keys that are computed of two points.
 *
 * A block has a row: 256 points of a random set, one for each thread, and 256 data points. Tile by tile it loads
 * the points of the set into shared memory, and each thread pairs its two points with all of a tile: so one load
 * serves 256 pairs of data with random points, and as many of random points. Pairs within a set are a triangle:
 * tiles before the row are left out, and of the row's own tile the points up to the thread's.
 *
 * Hardly anything is read, so the limit is instructions a pair. The bits of a float are nearly a logarithm: half an
 * octave of distances is a cell. A table has a word for each cell, and one addition to the bits replaces a search. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "pair_counts.h"

#if !OPERATION_IS(wide_sum)
#error "chapter 72 takes wide_sum"
#endif

enum { TILE = 256, COUNTERS = MOST_BINS + 3 };
// A cell is all floats with the same sign, the same exponent and the same first bit of the fraction: half an octave.
enum { CELL_SHIFT = 22, CELLS = 1 << (32 - CELL_SHIFT), NOT_A_NUMBER = CELLS / 2 - 1 };
enum { MOST_BLOCKS = 0x7fffffff };

// Shared memory of a block. No counter wraps: a row has at most 256 x MOST_POINTS = 2^30 pairs of a kind. Behind
// the counters is one more, for distances that are NaN.
struct near {
    float4 tile[TILE];
    unsigned int cells[CELLS]; // what is added to the bits of a distance: see word_of_cell()
    float edges[MOST_BINS + 1];
    unsigned int across[COUNTERS]; // pairs of data and random points
    unsigned int within[COUNTERS]; // pairs of one set
};

// What all blocks are given. Set 0 is the data, and the random sets follow.
struct sky {
    const float4 *data, *random;
    size_t points, sets, rows; // rows: of a set
    const float *edges;
    unsigned int bins;
};

struct totals {
    unsigned long long *dd, *dr, *rr;
};

/* The squared chord between two points. */
__device__ static float chord(float4 p, float4 q)
{
    float squares = 0;
    // TODO(72.1): Subtract first: the sum of the squares of the three differences.
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    squares = x * x + y * y + z * z;
    // end of TODO(72.1)
    return squares;
}

/* How many of `count` rising edges are at most `distance`: binary search. A NaN is above all. */
__device__ static unsigned int edges_up_to(const float *edges, unsigned int count, float distance)
{
    unsigned int least = 0, most = count;
    while (least < most) {
        const unsigned int middle = (least + most) / 2;
        if (edges[middle] <= distance)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

/* The word of a cell that begins at the bits `first`, above `below` edges: with the bits of a distance it makes the
 * counter, CELL_SHIFT bits further up. From the cell's edge on the sum carries into the next counter. */
__device__ static unsigned int word_of_cell(unsigned int first, unsigned int below, bool has_edge,
                                            float edge)
{
    const unsigned int behind = first + (1u << CELL_SHIFT); // of the cell
    return (below << CELL_SHIFT) - first + (has_edge ? behind - __float_as_uint(edge) : 0);
}

/* Copies the edges to shared memory, and makes the table of cells. Returns whether one word is not enough: for a
 * cell with two edges, or a counter of more than 32 - CELL_SHIFT bits. All threads call it together. */
__device__ static bool make_cells(const struct sky *sky, struct near *near)
{
    const unsigned int edges = sky->bins + 1;
    bool is_more = edges + 1 >= CELLS;
    for (unsigned int e = threadIdx.x; e < edges; e += TILE)
        near->edges[e] = sky->edges[e];
    __syncthreads(); // no thread may search edges that another has yet to copy
    for (unsigned int c = threadIdx.x; c < CELLS; c += TILE) {
        const unsigned int first = c << CELL_SHIFT, last = first + (1u << CELL_SHIFT) - 1;
        unsigned int below = edges + 1, up_to = edges + 1; // of a NaN, or a sign: not to be counted
        if (c < NOT_A_NUMBER) {
            below = edges_up_to(near->edges, edges, __uint_as_float(first));
            up_to = edges_up_to(near->edges, edges, __uint_as_float(last));
        }
        is_more |= up_to > below + 1;
        near->cells[c] = word_of_cell(first, below, up_to > below, near->edges[below % edges]);
    }
    // No thread may look at a cell that another has yet to make.
    return __syncthreads_or(is_more);
}

/* The counter of a distance, by its cell, or where that is not enough by search. */
__device__ static unsigned int counter_of(const struct near *near, unsigned int bins,
                                          float distance, bool by_search)
{
    unsigned int counter = bins + 2;
    // TODO(72.2): The bits of the distance, shifted by CELL_SHIFT, are the number of its cell. The counter is
    //             the sum of these bits and the word of the cell, shifted by CELL_SHIFT. With by_search it is
    //             edges_up_to(), but for a NaN, which is not equal to itself.
    const unsigned int bits = __float_as_uint(distance);
    if (!by_search)
        counter = (bits + near->cells[bits >> CELL_SHIFT]) >> CELL_SHIFT;
    else if (distance == distance)
        counter = edges_up_to(near->edges, bins + 1, distance);
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
        if (first == begin)
            from = threadIdx.x + 1;
        if (first > begin)
            from = 0;
        // end of TODO(72.3)
        // TODO(72.4): One tile for both kinds of pairs: each thread loads one of the `count` points from
        //             `first` on. Threads that have a point count it: count_tile(). What has to be between
        //             these two, and before the first of them?
        __syncthreads(); // no thread may load over a point that another still pairs
        if (threadIdx.x < count)
            near->tile[threadIdx.x] = points[first + threadIdx.x];
        __syncthreads(); // no thread may pair a point that another has yet to load
        if (exists)
            count_tile(near, sky->bins, by_search, count, own, from, datum, has_datum);
        // end of TODO(72.4)
    }
}

__device__ static void clear(struct near *near, unsigned int counters)
{
    for (unsigned int c = threadIdx.x; c < counters; c += TILE)
        near->across[c] = near->within[c] = 0;
    __syncthreads(); // no thread may add to a counter that another has yet to clear
}

/* Adds the counters of a row to those of all blocks. All threads call it together. */
__device__ static void commit(const struct near *near, unsigned int counters, size_t set,
                              const struct totals *totals)
{
    unsigned long long *within = set == 0 ? totals->dd : totals->rr;
    __syncthreads(); // no thread may read a counter to which another still adds
    // TODO(72.5): For each of the counters, a thread: one atomicAdd of 64 bits adds near->within to
    //             `within`, another near->across to totals->dr, each where there is something to add.
    for (unsigned int c = threadIdx.x; c < counters; c += TILE) {
        // Each protects a counter from other blocks.
        if (near->within[c] > 0)
            atomicAdd(&within[c], (unsigned long long)near->within[c]);
        if (near->across[c] > 0)
            atomicAdd(&totals->dr[c], (unsigned long long)near->across[c]);
    }
    // end of TODO(72.5)
    __syncthreads(); // no thread may clear a counter that another has yet to read
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

static void refuse_too_many(size_t points, size_t sets, unsigned int bins)
{
    if (points <= MOST_POINTS && bins <= MOST_BINS && (points == 0 || sets < UINT32_MAX / points))
        return;
    fprintf(stderr,
            "pair_counts: %zu points in each of %zu sets and the data, %u bins; at most %d points, "
            "4294967295 in all, and %d bins can be counted\n",
            points, sets, bins, MOST_POINTS, MOST_BINS);
    exit(1);
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
    count_pairs<<<(unsigned int)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), TILE>>>(sky, totals);
    CHECK(cudaGetLastError());
}
