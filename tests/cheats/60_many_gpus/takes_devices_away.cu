/* Tries: it has the simulator forget all devices but one, and needs no collective any more.
 * Refused: sim_set_devices is called here */

#include "binning.h"
#include "cuda_check.h"
#include "given/count_slice.h"
#include "many.h"

extern "C" void sim_set_devices(unsigned int count);

void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)
{
    unsigned long long counted[NUM_BINS], *sums;
    unsigned char *copy;
    sim_set_devices(1);
    CHECK(cudaMalloc(&sums, sizeof counted));
    CHECK(cudaMemset(sums, 0, sizeof counted));
    CHECK(cudaMalloc(&copy, length + 1));
    CHECK(cudaMemcpy(copy, text, length, cudaMemcpyHostToDevice));
    count_slice(copy, length, sums, 0);
    CHECK(cudaMemcpy(counted, sums, sizeof counted, cudaMemcpyDeviceToHost));
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] += counted[bin];
    CHECK(cudaFree(copy));
    CHECK(cudaFree(sums));
}
