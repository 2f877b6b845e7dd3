/* curand_kernel.h - the simulator's, whose functions serve both sides. */
#pragma clang force_cuda_host_device begin
#include_next <curand_kernel.h>
#pragma clang force_cuda_host_device end
