// Style: a file from Windows, CRLF, with tabs; atomicInc with a bound that is never met.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include "histogram.h"
#include "binning.h"
#include "cuda_check.h"

#define NTHREADS 192

__global__ void Histogram1(const unsigned char *Text, size_t Length, unsigned int *Bins)
{
	size_t Idx = (size_t)blockIdx.x * NTHREADS + threadIdx.x;

	if (Idx < Length)
	{
		int Bin = bin_of(Text[Idx]);
		if (Bin >= 0)
			atomicInc(&Bins[Bin], 0xFFFFFFFFu);
	}
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
	if (length > 0xFFFFFFFFu)
	{
		fprintf(stderr, "Text is too long.\n");
		exit(1);
	}
	if (length == 0)
		return;
	Histogram1<<<(unsigned)((length + NTHREADS - 1) / NTHREADS), NTHREADS>>>(d_text, length, d_bins);
	CHECK(cudaGetLastError());
}
