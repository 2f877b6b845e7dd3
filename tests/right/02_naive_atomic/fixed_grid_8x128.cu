/* Style: a fixed grid of 8 blocks of 128 threads and a grid-stride loop, on a stream of its own. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void histo_kernel(const unsigned char *buffer, long size, unsigned int *histo)
{
    long i = threadIdx.x + (long)blockIdx.x * blockDim.x;
    long stride = (long)blockDim.x * gridDim.x;
    while (i < size) {
        int b = bin_of(buffer[i]);
        if (b >= 0) atomicAdd(&histo[b], 1);
        i += stride;
    }
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    cudaStream_t stream;
    if (length > 4294967295ul) { fprintf(stderr, "too many characters\n"); exit(1); }
    CHECK(cudaStreamCreate(&stream));
    histo_kernel<<<8, 128, 0, stream>>>(d_text, (long)length, d_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
}
