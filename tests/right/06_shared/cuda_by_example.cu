/* Style: CUDA by Example with as many threads as bins would need, 30 blocks. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void histo_kernel( const unsigned char *buffer, size_t size, unsigned int *histo ) {
    __shared__ unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();

    size_t i = threadIdx.x + blockIdx.x * blockDim.x;
    size_t offset = blockDim.x * gridDim.x;
    while (i < size) {
        int b = bin_of( buffer[i] );
        if (b >= 0) atomicAdd( &temp[b], 1 );
        i += offset;
    }
    __syncthreads();
    if (threadIdx.x < NUM_BINS)
        atomicAdd( &(histo[threadIdx.x]), temp[threadIdx.x] );
}

void histogram( const unsigned char *d_text, size_t length, unsigned int *d_bins ) {
    if (length > 4294967295u) { fprintf( stderr, "too long\n" ); exit( 1 ); }
    histo_kernel<<<30,256>>>( d_text, length, d_bins );
    CHECK( cudaGetLastError() );
}
