/* cooperative_groups/memcpy_async.h - the simulator's, whose functions serve both sides. */
#pragma clang force_cuda_host_device begin
#include_next <cooperative_groups/memcpy_async.h>
#pragma clang force_cuda_host_device end
