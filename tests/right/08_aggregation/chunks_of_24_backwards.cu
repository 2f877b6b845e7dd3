// Style: chunks of 24 characters, from the last to the first, with cooperative groups.
#include <stdint.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

enum { PIECE = 24 };
__global__ void runs(const unsigned char *text, size_t length, unsigned int *bins)
{
    extern __shared__ unsigned int local[];
    auto b = cg::this_thread_block();
    for (unsigned k = b.thread_rank(); k < NUM_BINS; k += b.size())
        local[k] = 0;
    cg::sync(b);
    const size_t pieces = (length + PIECE - 1) / PIECE, all = (size_t)gridDim.x * blockDim.x;
    for (size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x; p < pieces; p += all) {
        int held = -1;
        unsigned count = 0;
        size_t end = p * PIECE + PIECE;
        if (end > length)
            end = length;
        for (size_t i = end; i-- > p * PIECE;) {
            const int now = bin_of(text[i]);
            if (now != held) {
                if (held >= 0)
                    atomicAdd_block(&local[held], count);
                held = now;
                count = 0;
            }
            ++count;
        }
        if (held >= 0)
            atomicAdd_block(&local[held], count);
    }
    cg::sync(b);
    for (unsigned k = b.thread_rank(); k < NUM_BINS; k += b.size())
        if (local[k])
            atomicAdd(&bins[k], local[k]);
}
void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters are too many\n", length);
        exit(1);
    }
    if (length == 0)
        return;

    const size_t blocks = (length + 320 * PIECE - 1) / (320 * PIECE);
    runs<<<(unsigned)(blocks < 500 ? blocks : 500), 320, NUM_BINS * 4>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
