/* cells.h - the shared memory of a block, and its table of cells, which makes counters of the bits of distances: given code of
 * chapter 72. */
#ifndef CELLS_H
#define CELLS_H

#include <stddef.h>

#include "pair_counts.h"

enum { TILE = 256, COUNTERS = MOST_BINS + 3 };
// A cell is all floats with the same sign, the same exponent and the same first bit of the fraction: one of
// the two linear halves of an octave.
enum { CELL_SHIFT = 22, CELLS = 1 << (32 - CELL_SHIFT), NOT_A_NUMBER = CELLS / 2 - 1 };

// Shared memory of a block. No counter wraps: a row has at most 512 points, and so 512 x MOST_POINTS = 2^31 pairs of a kind. Behind
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

#endif
