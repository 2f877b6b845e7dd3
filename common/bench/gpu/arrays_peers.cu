/* arrays_peers.cu - the libraries that reduce an array: CUB and Thrust. CUB has sums of floats with other
 * guarantees than the usual one since its version 3.1, which is newer than that of CUDA 13.0. */
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include "operation.h"
#include "library_peers.h"

struct product_of {
    __host__ __device__ float operator()(const value_t &pair) const
    {
#if OPERATION_IS(dot)
        return pair.x * pair.y;
#else
        return (float)pair;
#endif
    }
};

struct pair_of {
    __host__ __device__ value_t operator()(float product) const
    {
        value_t pair = neutral();
#if OPERATION_IS(dot)
        pair.x = product;
#else
        pair = (value_t)product;
#endif
        return pair;
    }
};

static void cub_reduce(const struct peer *, const void *values, size_t length, void *result, size_t)
{
    static struct scratch temporary;
    const value_t *d_values = (const value_t *)values;
    value_t *d_result = (value_t *)result;
    call_cub(&temporary, "cub::DeviceReduce", [=](void *memory, size_t &bytes) {
#if OPERATION_IS(dot)
        const auto pair = thrust::make_transform_output_iterator(d_result, pair_of());
        return cub::DeviceReduce::TransformReduce(memory, bytes, d_values, pair, length,
                                                  cuda::std::plus<float>(), product_of(), 0.0f);
#elif OPERATION_IS(max)
        return cub::DeviceReduce::Max(memory, bytes, d_values, d_result, length);
#else
        return cub::DeviceReduce::Sum(memory, bytes, d_values, d_result, length);
#endif
    });
}

static void thrust_reduce(const struct peer *, const void *values, size_t length, void *d_result,
                          size_t)
{
    const value_t *d_values = (const value_t *)values, *end = d_values + length;
#if OPERATION_IS(dot)
    const value_t result = pair_of()(thrust::transform_reduce(
        thrust::device, d_values, end, product_of(), 0.0f, cuda::std::plus<float>()));
#elif OPERATION_IS(max)
    const value_t result =
        thrust::reduce(thrust::device, d_values, end, neutral(), cuda::maximum<value_t>());
#else
    const value_t result = thrust::reduce(thrust::device, d_values, end, neutral());
#endif
    must(cudaMemcpyAsync(d_result, &result, sizeof result, cudaMemcpyHostToDevice),
         "cudaMemcpyAsync of Thrust's result");
}

#define HAS_GUARANTEES                                                                             \
    (CUB_MAJOR_VERSION * 100 + CUB_MINOR_VERSION >= 301 && OPERATION_IS(float_sum))
#if HAS_GUARANTEES
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/memory_resource>
#include <cuda/stream_ref>

/* CUB asks for its scratch memory in each call: it gets the same each time. */
struct kept_memory {
    struct scratch *kept;

    void *allocate_sync(size_t bytes, size_t)
    {
        return at_least(kept, bytes);
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

#if __has_include(<cuda/__fwd/get_memory_resource.h>)
using cuda::mr::get_memory_resource_t;
#else // before CUB 3.6
using get_memory_resource_t = cuda::mr::__get_memory_resource_t;
#endif

template <typename guarantee>
static void sum(const void *values, size_t length, void *result, guarantee wanted)
{
    static struct scratch kept;
    kept_memory memory = {&kept};
    const auto required = cuda::execution::require(wanted);
    const auto given = cuda::std::execution::prop{get_memory_resource_t{}, memory};
    const auto environment = cuda::std::execution::env{required, given};
    must(cub::DeviceReduce::Sum((const value_t *)values, (value_t *)result, length, environment),
         "cub::DeviceReduce");
}

static void gpu_to_gpu(const struct peer *, const void *values, size_t length, void *result, size_t)
{
    sum(values, length, result, cuda::execution::determinism::gpu_to_gpu);
}

static void not_guaranteed(const struct peer *, const void *values, size_t length, void *result,
                           size_t)
{
    sum(values, length, result, cuda::execution::determinism::not_guaranteed);
}
#endif

static const struct peer table[] = {
    {.name = "cub DeviceReduce", .run = cub_reduce, .counts = true},
    {.name = "thrust reduce", .run = thrust_reduce, .counts = true},
#if HAS_GUARANTEES
    {.name = "cub gpu-to-gpu", .run = gpu_to_gpu, .counts = true},
    {.name = "cub not guaranteed", .run = not_guaranteed, .counts = true},
#endif
    {.name = NULL},
};

extern "C" {
struct peers peers = {table, cub_version()};
}
