// Style: lanes past the end stay out: the mask is that of the lanes with a character, by a ballot
// of all in front; blocks of 1,024.
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void masked(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int s[NUM_BINS];
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) s[b] = 0;
    __syncthreads();
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < length);
    while (i < length) {
        const int bin = bin_of(text[i]);
        const unsigned same = __match_any_sync(mask, bin);
        const bool leads = __ffs(same) - 1 == (int)(threadIdx.x % 32);
        if (leads && bin >= 0) atomicAdd(&s[bin], (unsigned)__popc(same));
        i += (size_t)gridDim.x * blockDim.x;
        mask = __ballot_sync(mask, i < length);
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < NUM_BINS; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffu) { fprintf(stderr, "too long\n"); exit(1); }
    masked<<<6, 1024>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
