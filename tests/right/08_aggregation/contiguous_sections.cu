/* Style: one section a thread, from begin to end, and a struct for the run with two functions. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

struct run { int bin; unsigned int length; };

__device__ void finish_run(struct run *run, unsigned int *s)
{
    if (run->length != 0 && run->bin >= 0) atomicAdd(&s[run->bin], run->length);
    run->length = 0;
}

__device__ void extend_run(struct run *run, int bin, unsigned int *s)
{
    if (run->bin != bin) finish_run(run, s);
    run->bin = bin;
    run->length++;
}

__global__ void runs(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    const size_t threads = (size_t)gridDim.x * blockDim.x, t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t section = (length + threads - 1) / threads;
    struct run run = {-1, 0};
    for (size_t i = t * section; i < (t + 1) * section && i < length; i++)
        extend_run(&run, bin_of(text[i]), s);
    finish_run(&run, s);
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    runs<<<16, 128>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
