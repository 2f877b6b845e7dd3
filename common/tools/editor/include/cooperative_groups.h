/* cooperative_groups.h - the simulator's, whose functions serve both sides. */
#pragma clang force_cuda_host_device begin
#include_next <cooperative_groups.h>
#pragma clang force_cuda_host_device end
