/* point_tile.h - points, centroids and sums in the shared memory of a block: given code of chapter 70. Whoever includes
 * it has defined THREADS_PER_BLOCK before that. */
#ifndef POINT_TILE_H
#define POINT_TILE_H

#include "k_means_job.h"

/* Words of shared memory. All together are less than 64 KB, which a block may have on every card from Turing on. */
enum {
    TILE_WORDS = 32 * 257, // points: at least a warp's of 256 components and a word of padding
    SLICE_WORDS = 4 * 512, // centroids that a tile is compared with at a time: four at least
    SUM_WORDS = 4096,      // sums and counts of a block; those that are more are in the L2 cache
};

/* The arrays of a block in shared memory. Component i of point p is points[p * padded(dimensions) + i], and that of
 * centroid c of the slice centroids[c * dimensions + i]. */
struct room {
    float *points, *centroids;
    unsigned int *labels;              // of the points of the tile
    unsigned int *low, *high, *counts; // the halves of each sum, and the points of each cluster
};

/* Words from one point of a tile to the next: an odd number, so that 32 points begin in 32 different banks. */
__host__ __device__ static unsigned int padded(unsigned int dimensions)
{
    return dimensions | 1;
}

/* A thread has a point, if the points of all threads fit. */
__host__ __device__ static unsigned int points_of_tile(unsigned int dimensions)
{
    const unsigned int fit = TILE_WORDS / padded(dimensions);
    return fit < THREADS_PER_BLOCK ? fit : (unsigned int)THREADS_PER_BLOCK;
}

/* Whether the sums and counts fit into shared memory. Then each block has its own. */
__host__ __device__ static bool sums_are_private(const struct job *job)
{
    return (size_t)job->clusters * (2 * job->dimensions + 1) <= SUM_WORDS;
}

/* Words of these sums and counts, which begin at low[0]. */
__host__ __device__ static unsigned int private_words(const struct job *job)
{
    return sums_are_private(job) ? job->clusters * (2 * job->dimensions + 1) : 0;
}

static size_t shared_bytes(const struct job *job)
{
    const size_t tile = points_of_tile(job->dimensions) * padded(job->dimensions);
    return (tile + SLICE_WORDS + THREADS_PER_BLOCK + private_words(job)) * sizeof(unsigned int);
}

__device__ static struct room room_in(float *shared, const struct job *job)
{
    const unsigned int sums = sums_are_private(job) ? job->clusters * job->dimensions : 0;
    struct room room;
    room.points = shared;
    room.centroids = shared + points_of_tile(job->dimensions) * padded(job->dimensions);
    room.labels = (unsigned int *)(room.centroids + SLICE_WORDS);
    room.low = room.labels + THREADS_PER_BLOCK;
    room.high = room.low + sums;
    room.counts = room.high + sums;
    return room;
}

/* Copies `count` points to the tile, from point number `first` on: neighboring threads load neighboring words. Where a
 * thread copies word w, and later the same thread adds it to a sum, no barrier is needed before the next tile. */
__device__ static void load_tile(const struct job *job, const struct room *room, size_t first,
                                 unsigned int count)
{
    const float *const from = job->points + first * job->dimensions;
    for (unsigned int w = threadIdx.x; w < count * job->dimensions; w += THREADS_PER_BLOCK)
        room->points[w / job->dimensions * padded(job->dimensions) + w % job->dimensions] = from[w];
}

/* Copies `count` centroids to the slice, likewise. */
__device__ static void load_slice(const struct job *job, const struct room *room, size_t first,
                                  unsigned int count)
{
    const float *const from = job->centroids + first * job->dimensions;
    for (unsigned int w = threadIdx.x; w < count * job->dimensions; w += THREADS_PER_BLOCK)
        room->centroids[w] = from[w];
}

/* Begins the private sums and counts at 0, if there are any. */
__device__ static void clear_private(const struct job *job, const struct room *room)
{
    for (unsigned int w = threadIdx.x; w < private_words(job); w += THREADS_PER_BLOCK)
        room->low[w] = 0;
}

/* Adds them to those of the grid: the atomics protect these from other blocks. */
__device__ static void commit_private(const struct job *job, const struct room *room)
{
    if (!sums_are_private(job))
        return;
    for (unsigned int s = threadIdx.x; s < job->clusters * job->dimensions; s += THREADS_PER_BLOCK)
        atomicAdd(&job->sums[s], (unsigned long long)room->high[s] << 32 | room->low[s]);
    for (unsigned int c = threadIdx.x; c < job->clusters; c += THREADS_PER_BLOCK)
        atomicAdd(&job->counts[c], room->counts[c]);
}

#endif
