// Style: two streams, each with every second character.
#include <stdint.h>

#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

template <int STRIDE> __global__ void every(const unsigned char *text, size_t length, unsigned int *bins, int first)
{
    const size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * STRIDE + first;
    if (i >= length)
        return;
    if (const int b = bin_of(text[i]); b >= 0)
        atomicAdd(bins + b, 1u);
}
void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters are too many\n", length);
        exit(1);
    }
    if (length == 0)
        return;

    cudaStream_t s[2];
    cudaEvent_t done[2];
    for (int k = 0; k < 2; k++) {
        CHECK(cudaStreamCreate(&s[k]));
        CHECK(cudaEventCreateWithFlags(&done[k], cudaEventDisableTiming));
        const size_t half = (length + 1 - k) / 2;
        if (half > 0)
            every<2><<<(unsigned)((half + 191) / 192), 192, 0, s[k]>>>(d_text, length, d_bins, k);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(done[k], s[k]));
        CHECK(cudaStreamWaitEvent(0, done[k], 0));
        CHECK(cudaEventDestroy(done[k]));
        CHECK(cudaStreamDestroy(s[k]));
    }
}
