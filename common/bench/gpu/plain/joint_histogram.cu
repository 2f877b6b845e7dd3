/* joint_histogram.cu - joint_histogram() as one would write it first: a thread for each pair, which adds 16 floats to
 * bins in global memory, by an atomic for each. Floats come in any order, so the bits differ from run to run. */
#include <cuda_runtime.h>

#include "errors.h"
#include "joint_histogram.h"

enum { PLAIN_THREADS = 256 };

__device__ static void weights_plain(float t, float *weights)
{
    weights[0] = (1 - t) * (1 - t) * (1 - t) / 6;
    weights[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    weights[2] = (-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6;
    weights[3] = t * t * t / 6;
}

__global__ void spread_plain(const float *x, const float *y, size_t length, unsigned int x_bins,
                             unsigned int y_bins, float *bins)
{
    const size_t p = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x;
    float right[TOUCHED_BINS], down[TOUCHED_BINS];
    if (p >= length)
        return;
    const float column = floorf(x[p]), row = floorf(y[p]);
    if (!(column >= 0 && column <= (float)x_bins - TOUCHED_BINS && row >= 0 &&
          row <= (float)y_bins - TOUCHED_BINS))
        return;
    weights_plain(x[p] - column, right);
    weights_plain(y[p] - row, down);
    for (size_t j = 0; j < TOUCHED_BINS; j++)
        for (size_t i = 0; i < TOUCHED_BINS; i++)
            atomicAdd(&bins[((size_t)row + j) * x_bins + (size_t)column + i],
                      right[i] * down[j]); // protects a bin
}

void joint_histogram(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                     unsigned int y_bins, float *d_bins)
{
    must(cudaMemsetAsync(d_bins, 0, (size_t)x_bins * y_bins * sizeof *d_bins, 0),
         "cudaMemsetAsync");
    if (length == 0)
        return;
    spread_plain<<<(unsigned int)((length + PLAIN_THREADS - 1) / PLAIN_THREADS), PLAIN_THREADS>>>(
        d_x, d_y, length, x_bins, y_bins, d_bins);
    must(cudaGetLastError(), "launch of the plain kernel");
}
