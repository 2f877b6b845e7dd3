/* Tries: the host copies the points, counts the pairs and lets a kernel of one thread add them.
 * Refused: bytes were copied to the host on */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "pair_counts.h"

__global__ void add(unsigned long long *counters, unsigned int counter, unsigned long long pairs)
{
    counters[counter] += pairs;
}

static void *host_copy(const void *memory, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    CHECK(cudaMemcpy(copy, memory, bytes, cudaMemcpyDeviceToHost));
    return copy;
}

static void count(const float4 *p, const float4 *q, size_t points, const float *edges,
                  unsigned int bins, unsigned long long *d_counters)
{
    unsigned long long counts[MOST_BINS + 2] = {0};
    for (size_t i = 0; i < points; i++)
        for (size_t j = p == q ? i + 1 : 0; j < points; j++) {
            const float x = p[i].x - q[j].x, y = p[i].y - q[j].y, z = p[i].z - q[j].z;
            unsigned int counter = 0;
            while (counter <= bins && edges[counter] <= x * x + y * y + z * z)
                counter++;
            counts[counter]++;
        }
    for (unsigned int c = 0; c < bins + 2; c++)
        add<<<1, 1>>>(d_counters, c, counts[c]);
}

void pair_counts(const float4 *d_data, const float4 *d_random, size_t points, size_t sets,
                 const float *d_edges, unsigned int bins, unsigned long long *d_dd,
                 unsigned long long *d_dr, unsigned long long *d_rr)
{
    float4 *data = (float4 *)host_copy(d_data, points * sizeof *data);
    float4 *random = (float4 *)host_copy(d_random, sets * points * sizeof *random);
    float *edges = (float *)host_copy(d_edges, (bins + 1) * sizeof *edges);
    count(data, data, points, edges, bins, d_dd);
    for (size_t set = 0; set < sets; set++) {
        const float4 *own = random + set * points;
        count(data, own, points, edges, bins, d_dr);
        count(own, own, points, edges, bins, d_rr);
    }
    free(data);
    free(random);
    free(edges);
}
