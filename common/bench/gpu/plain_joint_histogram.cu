/* plain_joint_histogram.cu - joint_histogram() as one would write it first: a thread for each pair, which adds 16 floats to
 * bins in global memory by atomics. Sums of floats come in any order, so the bits differ from run to run. */
#include <cuda_runtime.h>

#include "errors.h"
#include "joint_histogram.h"

enum { PLAIN_THREADS = 256 };

__device__ static void weights_of(float t, float w[TOUCHED_BINS])
{
    const float s = 1 - t;
    w[0] = s * s * s / 6;
    w[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    w[2] = (-3 * t * t * t + 3 * t * t + 3 * t + 1) / 6;
    w[3] = t * t * t / 6;
}

__global__ void add_plain(const float *xs, const float *ys, size_t length, unsigned int x_bins,
                          unsigned int y_bins, float *bins)
{
    const size_t p = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x;
    if (p >= length)
        return;
    const float x = xs[p], y = ys[p], fx = floorf(x), fy = floorf(y);
    if (!(fx >= 0 && fy >= 0 && fx <= (float)x_bins - TOUCHED_BINS &&
          fy <= (float)y_bins - TOUCHED_BINS))
        return;
    float wx[TOUCHED_BINS], wy[TOUCHED_BINS];
    weights_of(x - fx, wx);
    weights_of(y - fy, wy);
    float *first = bins + (size_t)fy * x_bins + (size_t)fx;
    for (int n = 0; n < TOUCHED_BINS * TOUCHED_BINS; n++) {
        const int column = n % TOUCHED_BINS, row = n / TOUCHED_BINS;
        atomicAdd(&first[row * (size_t)x_bins + column], wx[column] * wy[row]); // protects a sum
    }
}

void joint_histogram(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                     unsigned int y_bins, float *d_bins)
{
    const size_t bins = (size_t)x_bins * y_bins;
    must(cudaMemsetAsync(d_bins, 0, bins * sizeof *d_bins, 0), "cudaMemsetAsync");
    if (length > 0)
        add_plain<<<(unsigned int)((length + PLAIN_THREADS - 1) / PLAIN_THREADS), PLAIN_THREADS>>>(
            d_x, d_y, length, x_bins, y_bins, d_bins);
    must(cudaGetLastError(), "launch of the plain kernel");
}
