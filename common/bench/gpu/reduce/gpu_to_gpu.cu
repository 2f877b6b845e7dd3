/* gpu_to_gpu.cu - CUB's sums of floats with other guarantees than the usual one. CUB has them since its
 * version 3.1, which is newer than that of CUDA 13.0: CCCL=folder says where there is a newer one. */
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "errors.h"
#include "rivals.h"

#define QUOTE(number) #number
#define QUOTED(number) QUOTE(number)
const char gpu_to_gpu_version[] =
    "cub " QUOTED(CUB_MAJOR_VERSION) "." QUOTED(CUB_MINOR_VERSION) "." QUOTED(CUB_SUBMINOR_VERSION);

#if CUB_MAJOR_VERSION * 100 + CUB_MINOR_VERSION >= 301 && OPERATION_IS(float_sum)
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/memory_resource>
#include <cuda/stream_ref>

/* CUB asks for its scratch memory in each call: it gets the same each time. */
struct kept_memory {
    struct block {
        void *memory;
        size_t bytes;
    } * kept;

    void *allocate_sync(size_t bytes, size_t)
    {
        if (bytes > kept->bytes) {
            must(cudaFree(kept->memory), "cudaFree");
            must(cudaMalloc(&kept->memory, bytes), "cudaMalloc of CUB's scratch memory");
            kept->bytes = bytes;
        }
        return kept->memory;
    }
    void deallocate_sync(void *, size_t, size_t) noexcept
    {
    }
    void *allocate(cuda::stream_ref, size_t bytes, size_t alignment)
    {
        return allocate_sync(bytes, alignment);
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t) noexcept
    {
    }
    bool operator==(const kept_memory &other) const
    {
        return kept == other.kept;
    }
    bool operator!=(const kept_memory &other) const
    {
        return kept != other.kept;
    }
    friend void get_property(const kept_memory &, cuda::mr::device_accessible) noexcept
    {
    }
};

template <typename guarantee>
static void sum(const value_t *d_values, size_t length, value_t *d_result, guarantee wanted)
{
    static kept_memory::block kept;
    kept_memory memory = {&kept};
    const auto required = cuda::execution::require(wanted);
    const auto given = cuda::std::execution::prop{cuda::mr::__get_memory_resource_t{}, memory};
    const auto environment = cuda::std::execution::env{required, given};
    must(cub::DeviceReduce::Sum(d_values, d_result, length, environment), "cub::DeviceReduce");
}

void cub_gpu_to_gpu(const value_t *d_values, size_t length, value_t *d_result)
{
    sum(d_values, length, d_result, cuda::execution::determinism::gpu_to_gpu);
}

void cub_not_guaranteed(const value_t *d_values, size_t length, value_t *d_result)
{
    sum(d_values, length, d_result, cuda::execution::determinism::not_guaranteed);
}
#endif
