/* k_means_job.h - the arrays of a call of k_means(), and how it begins: given code of chapter 70. */
#ifndef K_MEANS_JOB_H
#define K_MEANS_JOB_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "k_means.h"

/* All that a step works on. The arrays are in global memory; kernels get the struct by value. */
struct job {
    // What the caller gives.
    const float *points;
    size_t length, may_change;
    unsigned int dimensions, clusters;
    float *centroids;
    unsigned int *labels;             // of each point; NO_CLUSTER before the first step
    unsigned int *d_counts, *d_steps; // where counts and steps are wanted, or NULL
    // What begin_job() adds.
    unsigned long long *sums;    // clusters x dimensions, in units (one_unit.h); 0 before a step
    unsigned int *counts;        // points of each cluster; 0 before a step
    unsigned long long *changed; // labels that step s has changed: number s % 3
    unsigned int *largest;       // bits of the largest magnitude of a coordinate
};

/* What the outputs hold if no step takes place. */
__global__ void begin_outputs(struct job job)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t p = first; p < job.length; p += threads)
        job.labels[p] = NO_CLUSTER;
    for (size_t c = first; job.d_counts && c < job.clusters; c += threads)
        job.d_counts[c] = 0;
    if (first == 0 && job.d_steps)
        *job.d_steps = 0;
}

/* Takes memory for the arrays that nobody gave, and sets them to 0. Returns it, for cudaFreeAsync(). A CUDA call that
 * fails ends the program with one line, and so do too many points or dimensions. */
static void *begin_job(struct job *job)
{
    const size_t sums = (size_t)job->clusters * job->dimensions;
    const size_t zeros =
        (sums + 3) * sizeof(*job->sums) + (job->clusters + (size_t)1) * sizeof(*job->counts);
    const size_t labels = job->labels ? 0 : job->length * sizeof(*job->labels);
    void *memory;
    if (job->length > UINT32_MAX || job->dimensions == 0 || job->dimensions > MOST_DIMENSIONS) {
        fprintf(stderr, "k_means: %zu points of %u dimensions; at most 4294967295, of 1 to %d\n",
                job->length, job->dimensions, MOST_DIMENSIONS);
        exit(1);
    }
    CHECK(cudaMallocAsync(&memory, zeros + labels, 0));
    CHECK(cudaMemsetAsync(memory, 0, zeros, 0));
    job->sums = (unsigned long long *)memory;
    job->changed = job->sums + sums;
    job->largest = (unsigned int *)(job->changed + 3);
    job->counts = job->largest + 1;
    if (!job->labels)
        job->labels = job->counts + job->clusters;
    return memory;
}

#endif
