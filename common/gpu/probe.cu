/* probe.cu - is there a GPU, and which? Prints its name; else one line that says
 * what is missing, and status 1. */
#include <cuda_runtime.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    cudaDeviceProp device;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&device, 0);
    if (error == cudaSuccess)
        error = cudaFree(NULL); /* makes a context: the card may be busy, or lost */
    if (error != cudaSuccess) {
        fprintf(stderr, "gpu: no GPU can be used here: %s (%s)\n", cudaGetErrorString(error),
                cudaGetErrorName(error));
        return 1;
    }
    printf("%s, compute capability %d.%d\n", device.name, device.major, device.minor);
    return 0;
}
