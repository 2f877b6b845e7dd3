/* rows_by_fours.h - sums of squares between many points and many centroids, as in a product of matrices: given code
 * of chapter 70.
 *
 * Points and centroids are rows of floats. In shared memory they lie by fours: component i of four rows is one float4.
 * A block has a tile of points, and a slice of some components of centroids. A thread compares eight points with
 * eight centroids: it loads 16 numbers for 64 squares. */
#ifndef ROWS_BY_FOURS_H
#define ROWS_BY_FOURS_H

#include <math.h>
#include <stddef.h>

enum {
    TILE_THREADS = 128,
    TILE_BLOCKS = 3,
    TILE_POINTS = 64,
    TILE_CENTROIDS = 128,
    BY_FOURS = 4,
    EIGHT = 8
};
enum { LANES_OF_EIGHT = TILE_CENTROIDS / EIGHT }; // they have the same eight points
enum { SLICE = 16, SLICE_PITCH = SLICE + 1 };     // from four rows to the next: odd, in other banks
enum { SLICE_ROWS = TILE_THREADS / SLICE, SLICE_LOADS = TILE_CENTROIDS / BY_FOURS / SLICE_ROWS };

/* The shared memory of a block. */
struct tile {
    float4 *points, *slice;
    unsigned int dimensions, pitch; // from four points to the next: odd, in other banks
};

/* Points of a tile: of long ones half as many, so that they fit into the shared memory of any card. */
__host__ __device__ static unsigned int tile_points(unsigned int dimensions)
{
    return dimensions <= 256 ? TILE_POINTS : TILE_POINTS / 2;
}

__host__ __device__ static unsigned int tile_pitch(unsigned int dimensions)
{
    return dimensions | 1;
}

static size_t tile_bytes(unsigned int dimensions)
{
    return (tile_points(dimensions) / BY_FOURS * tile_pitch(dimensions) +
            TILE_CENTROIDS / BY_FOURS * SLICE_PITCH) *
           sizeof(float4);
}

/* Puts the tile into shared memory, where it takes tile_bytes(). */
__device__ static struct tile tile_in(float4 *shared, unsigned int dimensions)
{
    struct tile tile;
    tile.dimensions = dimensions;
    tile.pitch = tile_pitch(dimensions);
    tile.points = shared;
    tile.slice = shared + tile_points(dimensions) / BY_FOURS * tile.pitch;
    return tile;
}

/* Where component `i` of a point lies. */
__device__ static float *component(const struct tile *tile, unsigned int point, unsigned int i)
{
    return (float *)&tile->points[point / BY_FOURS * tile->pitch + i] + point % BY_FOURS;
}

/* Copies `count` points, which lie one behind the other, to the tile; behind them are zeros. All threads of the block
 * call it together, and have to wait for each other behind it. */
__device__ static void load_tile(const struct tile *tile, const float *points, unsigned int count)
{
    const unsigned int floats = count * tile->dimensions,
                       all = tile_points(tile->dimensions) * tile->dimensions;
#pragma unroll 16
    for (unsigned int i = threadIdx.x; i < all; i += TILE_THREADS)
        *component(tile, i / tile->dimensions, i % tile->dimensions) = i < floats ? points[i] : 0;
}

/* The part of a slice that a thread loads: one component of some four rows. */
struct slice_loads {
    float4 fours[SLICE_LOADS];
};

/* Component `i` of a centroid: there are zeros behind the last one, and rows behind the last one are infinitely far
 * from everything. */
__device__ __forceinline__ static float centroid_at(const float *centroids, unsigned int clusters,
                                                    unsigned int dimensions, unsigned int row,
                                                    unsigned int i)
{
    return row >= clusters  ? INFINITY
           : i < dimensions ? centroids[(size_t)row * dimensions + i]
                            : 0;
}

/* Loads components from `column` on, of rows from `first` on. */
__device__ __forceinline__ static struct slice_loads
load_slice(const struct tile *tile, const float *centroids, unsigned int clusters,
           unsigned int first, unsigned int column)
{
    struct slice_loads loads;
    const unsigned int i = column + threadIdx.x % SLICE;
#pragma unroll
    for (unsigned int n = 0; n < SLICE_LOADS; n++) {
        const unsigned int row = first + (threadIdx.x / SLICE + n * SLICE_ROWS) * BY_FOURS;
        loads.fours[n] =
            make_float4(centroid_at(centroids, clusters, tile->dimensions, row, i),
                        centroid_at(centroids, clusters, tile->dimensions, row + 1, i),
                        centroid_at(centroids, clusters, tile->dimensions, row + 2, i),
                        centroid_at(centroids, clusters, tile->dimensions, row + 3, i));
    }
    return loads;
}

/* Hands what has been loaded to all threads of the block. They call it together. */
__device__ __forceinline__ static void store_slice(const struct tile *tile,
                                                   const struct slice_loads *loads)
{
    __syncthreads(); // no thread may replace a centroid that another still reads
#pragma unroll
    for (unsigned int n = 0; n < SLICE_LOADS; n++)
        tile->slice[(threadIdx.x / SLICE + n * SLICE_ROWS) * SLICE_PITCH + threadIdx.x % SLICE] =
            loads->fours[n];
    __syncthreads(); // no thread may read a centroid that another has yet to store
}

/* Adds the squares of the differences of one component: of eight points with eight centroids, each with each. */
__device__ __forceinline__ static void add_eight_by_eight(const float4 *points, unsigned int second,
                                                          const float4 *slice,
                                                          float sums[EIGHT][EIGHT])
{
    const float4 p = points[0], q = points[second];
    const float4 c = slice[0], d = slice[LANES_OF_EIGHT * SLICE_PITCH];
    const float point[EIGHT] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w};
    const float centroid[EIGHT] = {c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w};
#pragma unroll
    for (unsigned int k = 0; k < EIGHT; k++)
#pragma unroll
        for (unsigned int n = 0; n < EIGHT; n++) {
            const float difference = point[k] - centroid[n]; // exact where the two are near
            sums[k][n] += difference * difference;
        }
}

/* Which point of the tile is number k of this thread's. */
__device__ __forceinline__ static unsigned int point_of_eight(unsigned int k)
{
    enum { GROUPS = TILE_THREADS / LANES_OF_EIGHT };
    return (threadIdx.x / LANES_OF_EIGHT + k / BY_FOURS * GROUPS) * BY_FOURS + k % BY_FOURS;
}

/* Which centroid, counted from the first one in the slice, is number n of this thread's. It rises with n. */
__device__ __forceinline__ static unsigned int centroid_of_eight(unsigned int n)
{
    return (threadIdx.x % LANES_OF_EIGHT + n / BY_FOURS * LANES_OF_EIGHT) * BY_FOURS + n % BY_FOURS;
}

/* The sums of squares between this thread's eight points, and eight of the centroids from `first` on. A sum is infinite
 * where there is no such centroid. All threads of the block call it together. */
__device__ __forceinline__ static void sum_eight_by_eight(const struct tile *tile,
                                                          const float *centroids,
                                                          unsigned int clusters, unsigned int first,
                                                          float sums[EIGHT][EIGHT])
{
    const float4 *const slice = tile->slice + threadIdx.x % LANES_OF_EIGHT * SLICE_PITCH;
    const float4 *const points = tile->points + point_of_eight(0) / BY_FOURS * tile->pitch;
    const unsigned int half = TILE_POINTS / 2 / BY_FOURS; // of half a tile, the same four twice
    const unsigned int second =
        tile_points(tile->dimensions) == TILE_POINTS ? half * tile->pitch : 0;
#pragma unroll
    for (unsigned int k = 0; k < EIGHT * EIGHT; k++)
        sums[k / EIGHT][k % EIGHT] = 0;
    struct slice_loads loads = load_slice(tile, centroids, clusters, first, 0);
    for (unsigned int column = 0; column < tile->dimensions; column += SLICE) {
        const unsigned int left = tile->dimensions - column, width = left < SLICE ? left : SLICE;
        store_slice(tile, &loads);
        if (left > SLICE) // long before they are needed
            loads = load_slice(tile, centroids, clusters, first, column + SLICE);
#pragma unroll 4
        for (unsigned int i = 0; i < width; i++)
            add_eight_by_eight(points + column + i, second, slice + i, sums);
    }
}

#endif
