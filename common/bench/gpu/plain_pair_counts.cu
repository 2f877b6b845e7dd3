/* plain_pair_counts.cu - pair_counts() as one would write it first: a thread for each point, which pairs it with all others
 * of a set, searches the edges by halving, and adds to counters in global memory by atomics. */
#include <cuda_runtime.h>

#include "errors.h"
#include "pair_counts.h"

enum { PLAIN_THREADS = 256 };

__device__ static unsigned int bin_of(float s, const float *edges, unsigned int bins)
{
    unsigned int low = 0, high = bins + 1; // of the edges are at most s
    while (low < high) {
        const unsigned int middle = (low + high) / 2;
        if (edges[middle] <= s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Pairs of points of `one` with those of `other`; without `other` with those of `one` that come later. */
__global__ void count_plain(const float4 *one, const float4 *other, size_t points,
                            const float *edges, unsigned int bins, unsigned long long *counters)
{
    const size_t i = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x;
    if (i >= points)
        return;
    const float4 p = one[i];
    for (size_t j = other ? 0 : i + 1; j < points; j++) {
        const float4 q = other ? other[j] : one[j];
        const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
        const float s = x * x + y * y + z * z;
        if (s == s)
            atomicAdd(&counters[bin_of(s, edges, bins)], 1ull); // protects a counter
    }
}

void pair_counts(const float4 *d_data, const float4 *d_random, size_t points, size_t sets,
                 const float *d_edges, unsigned int bins, unsigned long long *d_dd,
                 unsigned long long *d_dr, unsigned long long *d_rr)
{
    const unsigned int blocks = (unsigned int)((points + PLAIN_THREADS - 1) / PLAIN_THREADS);
    if (points == 0)
        return;
    count_plain<<<blocks, PLAIN_THREADS>>>(d_data, NULL, points, d_edges, bins, d_dd);
    for (size_t set = 0; set < sets; set++) {
        const float4 *random = d_random + set * points;
        count_plain<<<blocks, PLAIN_THREADS>>>(d_data, random, points, d_edges, bins, d_dr);
        count_plain<<<blocks, PLAIN_THREADS>>>(random, NULL, points, d_edges, bins, d_rr);
    }
    must(cudaGetLastError(), "launch of the plain kernels");
}
