/* cuda_fp16.h - the simulator's, whose functions serve both sides. */
#pragma clang force_cuda_host_device begin
#include_next <cuda_fp16.h>
#pragma clang force_cuda_host_device end
