/* The exercise of chapter 72: a thread has two points of each kind, so that each point of a tile is loaded from
 * shared memory once for four pairs. A row has 512 points, and a tile 256. */
#include <cuda_runtime.h>

#include "cuda_check.h"        // CHECK(call): a call that fails ends the program with one line
#include "given/cells.h"       // struct sky, struct near; make_cells(), edges_up_to()
#include "given/pair_totals.h" // struct totals; clear(), commit(), refuse_too_many()
#include "pair_counts.h"

#if !OPERATION_IS(wide_sum)
#error "chapter 72 takes wide_sum"
#endif

enum { EACH = 2, ROW = EACH * TILE };
enum { MOST_BLOCKS = 0x7fffffff };

/* The squared chord between two points. */
__device__ static float chord(float4 p, float4 q)
{
    float squares = 0;
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    squares = x * x + y * y + z * z;
    return squares;
}

/* The counter of a distance, by its cell, or where that is not enough by search. */
__device__ static unsigned int counter_of(const struct near *near, unsigned int bins,
                                          float distance, bool by_search)
{
    unsigned int counter = bins + 2;
    const unsigned int bits = __float_as_uint(distance);
    if (!by_search)
        counter = (bits + near->cells[bits >> CELL_SHIFT]) >> CELL_SHIFT;
    else if (distance == distance)
        counter = edges_up_to(near->edges, bins + 1, distance);
    return counter;
}

/* The points of a thread: two of the set, and two of the data. */
struct own {
    float4 point[EACH], datum[EACH];
    size_t number[EACH]; // in the set
    bool has_datum;
};

/* Pairs the thread's own points with the points of the tile, which begins at number `first`. */
__device__ static void count_tile(struct near *near, const struct sky *sky, bool by_search,
                                  size_t first, unsigned int count, const struct own *own)
{
    for (unsigned int j = 0; j < count; j++) {
        const float4 other = near->tile[j];
        for (unsigned int k = 0; k < EACH; k++) {
            // Protect a counter from other threads of the block.
            if (own->has_datum && own->number[k] < sky->points)
                atomicAdd(&near->across[counter_of(near, sky->bins, chord(own->datum[k], other),
                                                   by_search)],
                          1u);
            if (first + j > own->number[k])
                atomicAdd(&near->within[counter_of(near, sky->bins, chord(own->point[k], other),
                                                   by_search)],
                          1u);
        }
    }
}

/* Loads the points of this thread in a row that begins at number `begin`. */
__device__ static struct own own_points(const struct sky *sky, const float4 *points, size_t begin,
                                        bool has_datum)
{
    struct own own = {};
    own.has_datum = has_datum;
    for (unsigned int k = 0; k < EACH; k++) {
        own.number[k] = begin + k * TILE + threadIdx.x;
        if (own.number[k] < sky->points)
            own.point[k] = points[own.number[k]];
        if (own.number[k] < sky->points && has_datum)
            own.datum[k] = sky->data[own.number[k]];
    }
    return own;
}

/* Counts a row of a set: its points with those behind them in the set, and the data points with the same
 * numbers with all points of the set. All threads call it together. */
__device__ static void count_row(const struct sky *sky, struct near *near, size_t set, size_t row,
                                 bool by_search)
{
    const float4 *points = set == 0 ? sky->data : sky->random + (set - 1) * sky->points;
    const size_t begin = row * ROW;
    const struct own own = own_points(sky, points, begin, set > 0);
    for (size_t first = set > 0 ? 0 : begin; first < sky->points; first += TILE) {
        const size_t left = sky->points - first;
        const unsigned int count = left < TILE ? (unsigned int)left : TILE;
        __syncthreads(); // no thread may load over a point that another still pairs
        if (threadIdx.x < count)
            near->tile[threadIdx.x] = points[first + threadIdx.x];
        __syncthreads(); // no thread may pair a point that another has yet to load
        count_tile(near, sky, by_search, first, count, &own);
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
    const size_t rows = (points + ROW - 1) / ROW, blocks = (sets + 1) * rows;
    const struct sky sky = {d_data, d_random, points, sets, rows, d_edges, bins};
    const struct totals totals = {d_dd, d_dr, d_rr};
    if (blocks == 0)
        return;
    count_pairs<<<(unsigned int)(blocks < MOST_BLOCKS ? blocks : (size_t)MOST_BLOCKS), TILE>>>(
        sky, totals);
    CHECK(cudaGetLastError());
}
