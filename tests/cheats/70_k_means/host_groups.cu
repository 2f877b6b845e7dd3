/* Tries: the host copies the points, groups them and copies the output, beside a kernel that does nothing.
 * Refused: bytes were copied to the host on */
#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "k_means.h"

__global__ void nothing(void)
{
}

static void *host_copy(const void *memory, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    CHECK(cudaMemcpy(copy, memory, bytes, cudaMemcpyDeviceToHost));
    return copy;
}

void k_means(const float *d_points, size_t length, unsigned int dimensions, float *d_centroids,
             unsigned int clusters, unsigned int steps, size_t may_change, unsigned int *d_labels,
             unsigned int *d_counts, unsigned int *d_steps)
{
    float *points = (float *)host_copy(d_points, length * dimensions * sizeof *points);
    float *centroids = (float *)host_copy(d_centroids, clusters * dimensions * sizeof *centroids);
    unsigned int *labels = (unsigned int *)calloc(length + 1, sizeof *labels);
    nothing<<<1, 1>>>();
    for (size_t p = 0; p < length; p++) {
        float least = INFINITY;
        labels[p] = NO_CLUSTER;
        for (unsigned int c = 0; c < clusters; c++) {
            float sum = 0;
            for (unsigned int i = 0; i < dimensions; i++) {
                const float difference = points[p * dimensions + i] - centroids[c * dimensions + i];
                sum += difference * difference;
            }
            if (sum < least) {
                least = sum;
                labels[p] = c;
            }
        }
    }
    if (d_labels)
        CHECK(cudaMemcpy(d_labels, labels, length * sizeof *labels, cudaMemcpyHostToDevice));
    (void)steps, (void)may_change, (void)d_counts, (void)d_steps;
    free(points);
    free(centroids);
    free(labels);
}
