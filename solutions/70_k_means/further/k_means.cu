/* 70, further. A step in one launch: the last block of it makes the centroids. The first half is that of the chapter. */
#include <math.h>

#include "cuda_check.h"        // CHECK(call): a call that fails ends the program with one line
#include "given/device.h"      // device_has(), fits()
#include "given/k_means_job.h" // the arrays of a call, and how it begins
#include "given/one_unit.h"    // units_of_one(), in_units(), add_in_halves()
#include "k_means.h"

#if !OPERATION_IS(float_sum)
#error "chapter 70 takes float_sum"
#endif

enum { THREADS_PER_BLOCK = 128 };
#include "given/point_tile.h" // points and centroids in shared memory

/* The nearest centroid of a point so far. */
struct nearest {
    float least; // its sum of squares
    unsigned int label;
};

/* Compares a point with `count` centroids of the slice, of which the first one is centroid number `first`. */
__device__ static void look_at(const float *point, const float *centroids, unsigned int dimensions,
                               unsigned int first, unsigned int count, struct nearest *nearest)
{
    for (unsigned int c = 0; c < count; c++) {
        float sum = 0;
        for (unsigned int i = 0; i < dimensions; i++) {
            const float apart = point[i] - centroids[c * dimensions + i];
            sum += apart * apart;
        }
        if (sum < nearest->least) { // a NaN is not
            nearest->least = sum;
            nearest->label = first + c;
        }
    }
}

/* The label of this thread's point, if the tile has one for it. All threads of the block call it together. */
__device__ static unsigned int find_label(const struct job *job, const struct room *room,
                                          unsigned int count)
{
    const unsigned int most = SLICE_WORDS / job->dimensions;
    struct nearest nearest = {INFINITY, NO_CLUSTER};
    for (unsigned int first = 0; first < job->clusters; first += most) {
        const unsigned int left = job->clusters - first, here = left < most ? left : most;
        load_slice(job, room, first, here);
        __syncthreads(); // no thread may read a point or a centroid that another has yet to copy
        if (threadIdx.x < count)
            look_at(room->points + threadIdx.x * padded(job->dimensions), room->centroids,
                    job->dimensions, first, here, &nearest);
        __syncthreads(); // no thread may replace a centroid that another still reads
    }
    return nearest.label;
}

/* Adds the points of the tile to the sums of their clusters, and counts them. */
__device__ static void add_tile(const struct job *job, const struct room *room, unsigned int count)
{
    const double units = units_of_one(*job->largest, job->length);
    const bool is_private = sums_are_private(job);
    for (unsigned int w = threadIdx.x; w < count * job->dimensions; w += THREADS_PER_BLOCK) {
        const unsigned int p = w / job->dimensions, i = w % job->dimensions;
        const float x = room->points[p * padded(job->dimensions) + i];
        const unsigned int label = room->labels[p];
        if (label == NO_CLUSTER)
            continue;
        const size_t s = (size_t)label * job->dimensions + i;
        if (is_private)
            add_in_halves(&room->low[s], &room->high[s], in_units(x, units));
        else
            atomicAdd(&job->sums[s], in_units(x, units)); // protects a sum from all other threads
        if (i == 0)
            atomicAdd(is_private ? &room->counts[label] : &job->counts[label], 1); // likewise
    }
}

/* Whether a step does not take place, since the one before has changed few labels, or none took place. */
__device__ static bool is_over(const struct job *job, unsigned int step)
{
    return step > 0 && job->changed[(step - 1) % 3] <= job->may_change;
}

/* Whether this block is the last one that has added its points. All threads call it together. */
__device__ static bool is_last_block(unsigned int *tickets)
{
    __shared__ bool is_last;
    __syncthreads(); // thread 0 may not draw before all threads of the block have added
    if (threadIdx.x == 0) {
        __threadfence(); // whoever sees the ticket sees what the block has added
        is_last = atomicAdd(tickets, 1) == gridDim.x - 1; // protects the ticket from other blocks
        if (is_last)
            *tickets = 0; // for the next step: all blocks have drawn
        __threadfence();  // no sum may be read before the ticket was drawn
    }
    __syncthreads(); // no thread may ask before thread 0 knows
    return is_last;
}

/* The second half of a step, by one block: makes the centroids, and clears sums and counts for the next step. */
__device__ static void make_centroids(const struct job *job, unsigned int step)
{
    const double units = units_of_one(*job->largest, job->length);
    const size_t sums = (size_t)job->clusters * job->dimensions;
    if (threadIdx.x == 0 && job->d_steps)
        *job->d_steps = step + 1;
    for (size_t s = threadIdx.x; s < sums; s += THREADS_PER_BLOCK) {
        const unsigned int count = job->counts[s / job->dimensions];
        if (count > 0)
            job->centroids[s] = (float)((double)(long long)job->sums[s] / units / count);
        job->sums[s] = 0;
    }
    __syncthreads(); // no thread may clear a count that another has yet to read
    for (unsigned int c = threadIdx.x; c < job->clusters; c += THREADS_PER_BLOCK) {
        if (job->d_counts)
            job->d_counts[c] = job->counts[c];
        job->counts[c] = 0;
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    take_step(struct job job, unsigned int *tickets, unsigned int step)
{
    extern __shared__ float shared[];
    const struct room room = room_in(shared, &job);
    const unsigned int most = points_of_tile(job.dimensions);
    unsigned int changed = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        job.changed[(step + 1) % 3] = 0; // of a step that does not take place, too
    if (is_over(&job, step))
        return;
    clear_private(&job, &room);
    for (size_t first = (size_t)blockIdx.x * most; first < job.length && job.clusters > 0;
         first += (size_t)gridDim.x * most) {
        const size_t left = job.length - first;
        const unsigned int count = left < most ? (unsigned int)left : most;
        load_tile(&job, &room, first, count);
        const unsigned int label = find_label(&job, &room, count);
        const bool is_other = threadIdx.x < count && job.labels[first + threadIdx.x] != label;
        if (is_other)
            job.labels[first + threadIdx.x] = label;
        room.labels[threadIdx.x] = label;
        // No thread may read a label that another has yet to store. The barrier also counts.
        changed += (unsigned int)__syncthreads_count(is_other);
        add_tile(&job, &room, count);
    }
    __syncthreads(); // no thread may commit a sum to which another still adds
    commit_private(&job, &room);
    if (threadIdx.x == 0)
        atomicAdd(&job.changed[step % 3], (unsigned long long)changed); // other blocks add, too
    if (is_last_block(tickets))
        make_centroids(&job, step);
}

void k_means(const float *d_points, size_t length, unsigned int dimensions, float *d_centroids,
             unsigned int clusters, unsigned int steps, size_t may_change, unsigned int *d_labels,
             unsigned int *d_counts, unsigned int *d_steps)
{
    struct job job = {d_points, length,  may_change, dimensions, clusters, d_centroids, d_labels,
                      d_counts, d_steps, NULL,       NULL,       NULL,     NULL};
    int blocks;
    void *const memory = begin_job(&job);
    unsigned int *tickets;
    CHECK(cudaMallocAsync(&tickets, sizeof *tickets, 0));
    CHECK(cudaMemsetAsync(tickets, 0, sizeof *tickets, 0));
    fits((const void *)take_step, shared_bytes(&job));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, take_step, THREADS_PER_BLOCK,
                                                        shared_bytes(&job)));
    const size_t tiles = length > 0 ? (length - 1) / points_of_tile(dimensions) + 1 : 1;
    const size_t resident = (size_t)blocks * device_has(cudaDevAttrMultiProcessorCount);
    const unsigned int grid = (unsigned int)(tiles < resident ? tiles : resident);
    begin_outputs<<<grid, THREADS_PER_BLOCK>>>(job);
    find_largest<<<grid, THREADS_PER_BLOCK>>>(d_points, length * dimensions, job.largest);
    for (unsigned int step = 0; step < steps; step++)
        take_step<<<grid, THREADS_PER_BLOCK, shared_bytes(&job)>>>(job, tickets, step);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(tickets, 0));
    CHECK(cudaFreeAsync(memory, 0));
}
