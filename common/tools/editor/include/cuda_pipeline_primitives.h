/* cuda_pipeline_primitives.h - the simulator's, whose functions serve both sides. */
#pragma clang force_cuda_host_device begin
#include_next <cuda_pipeline_primitives.h>
#pragma clang force_cuda_host_device end
