/* probe.cu - is there a GPU, and which? Prints its name; else one line that says
 * what is missing, and status 1. */
#include <cuda_runtime.h>
#include <stdio.h>

#include "errors.h"

int main(void)
{
    int count = 0;
    cudaDeviceProp device;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    must(error, "no GPU can be used here");
    must(cudaGetDeviceProperties(&device, 0), "no GPU can be used here");
    must(cudaFree(NULL), "the GPU cannot be used now"); /* makes a context: busy, or lost? */
    printf("%s, compute capability %d.%d\n", device.name, device.major, device.minor);
    return 0;
}
