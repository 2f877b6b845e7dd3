/* plain_k_means.cu - k_means() as one would write it first: a thread for each point, which looks at all centroids in
 * global memory and adds its point to sums there, by an atomic for each component. Sums of floats come in any order,
 * so the bits differ from run to run. */
#include <cuda_runtime.h>

#include "errors.h"
#include "k_means.h"

enum { PLAIN_THREADS = 256 };

/* Of a step, in global memory. Of `stopped` and `changed` a step has the one of its parity. */
struct sums {
    float *sums;
    unsigned int *counts, *labels, *stopped, *changed;
};

__device__ static unsigned int nearest(const float *point, const float *centroids,
                                       unsigned int dimensions, unsigned int clusters)
{
    float least = INFINITY;
    unsigned int label = NO_CLUSTER;
    for (unsigned int c = 0; c < clusters; c++) {
        float sum = 0;
        for (unsigned int i = 0; i < dimensions; i++) {
            const float difference = point[i] - centroids[(size_t)c * dimensions + i];
            sum += difference * difference;
        }
        if (sum < least) {
            least = sum;
            label = c;
        }
    }
    return label;
}

__global__ void assign_plain(const float *points, size_t length, unsigned int dimensions,
                             const float *centroids, unsigned int clusters, struct sums own,
                             unsigned int step)
{
    const size_t p = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x;
    if (p >= length || own.stopped[step % 2])
        return;
    const float *point = points + p * dimensions;
    const unsigned int label = nearest(point, centroids, dimensions, clusters);
    if (own.labels[p] != label)
        atomicAdd(&own.changed[step % 2], 1); // protects the number from other threads
    own.labels[p] = label;
    if (label == NO_CLUSTER)
        return;
    for (unsigned int i = 0; i < dimensions; i++)
        atomicAdd(&own.sums[(size_t)label * dimensions + i], point[i]); // protects a sum
    atomicAdd(&own.counts[label], 1);                                   // protects a count
}

__global__ void average_plain(unsigned int dimensions, float *centroids, unsigned int clusters,
                              struct sums own, unsigned int may_change, unsigned int step,
                              unsigned int *steps, unsigned int *counts)
{
    const size_t s = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x;
    const bool stopped = own.stopped[step % 2] != 0;
    if (s == 0) {
        own.stopped[1 - step % 2] = stopped || own.changed[step % 2] <= may_change;
        own.changed[1 - step % 2] = 0;
        if (!stopped && steps)
            *steps = step + 1;
    }
    if (stopped || s >= (size_t)clusters * dimensions)
        return;
    const unsigned int count = own.counts[s / dimensions];
    if (count > 0)
        centroids[s] = own.sums[s] / (float)count;
    if (s % dimensions == 0 && counts)
        counts[s / dimensions] = count;
}

static unsigned int blocks_for(size_t threads)
{
    return (unsigned int)((threads + PLAIN_THREADS - 1) / PLAIN_THREADS + (threads == 0));
}

void k_means(const float *d_points, size_t length, unsigned int dimensions, float *d_centroids,
             unsigned int clusters, unsigned int steps, size_t may_change, unsigned int *d_labels,
             unsigned int *d_counts, unsigned int *d_steps)
{
    const size_t sums = (size_t)clusters * dimensions, numbers = sums + clusters;
    struct sums own = {};
    must(cudaMallocAsync((void **)&own.sums, (numbers + 4) * sizeof(float), 0), "cudaMallocAsync");
    must(cudaMemsetAsync(own.sums, 0, (numbers + 4) * sizeof(float), 0), "cudaMemsetAsync");
    own.counts = (unsigned int *)(own.sums + sums);
    own.stopped = own.counts + clusters;
    own.changed = own.stopped + 2;
    own.labels = d_labels;
    must(cudaMemsetAsync(own.labels, 0xff, length * sizeof *own.labels, 0), "cudaMemsetAsync");
    for (unsigned int step = 0; step < steps; step++) {
        must(cudaMemsetAsync(own.sums, 0, numbers * sizeof(float), 0), "cudaMemsetAsync");
        assign_plain<<<blocks_for(length), PLAIN_THREADS>>>(d_points, length, dimensions,
                                                            d_centroids, clusters, own, step);
        average_plain<<<blocks_for(sums), PLAIN_THREADS>>>(dimensions, d_centroids, clusters, own,
                                                           (unsigned int)may_change, step, d_steps,
                                                           d_counts);
    }
    must(cudaGetLastError(), "launch of the plain kernels");
    must(cudaFreeAsync(own.sums, 0), "cudaFreeAsync");
}
