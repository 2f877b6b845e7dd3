/* Style: the while loop of CUDA by Example, 30 blocks of 192 threads. */
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

__global__ void histo_kernel( const unsigned char *buffer, size_t size, unsigned int *histo ) {
    size_t i = threadIdx.x + blockIdx.x * blockDim.x;
    size_t stride = blockDim.x * gridDim.x;
    while (i < size) {
        int bin = bin_of( buffer[i] );
        if (bin >= 0)
            atomicAdd( &(histo[bin]), 1 );
        i += stride;
    }
}

void histogram( const unsigned char *d_text, size_t length, unsigned int *d_bins ) {
    if (length > 0xffffffffu) {
        fprintf( stderr, "buffer too long\n" );
        exit( 1 );
    }
    histo_kernel<<<30,192>>>( d_text, length, d_bins );
    CHECK( cudaGetLastError() );
}
