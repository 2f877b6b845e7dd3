/* libraries.cu - the libraries that a user would take instead: CUB and Thrust. */
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include "errors.h"
#include "rivals.h"

#define QUOTE(number) #number
#define QUOTED(number) QUOTE(number)
const char libraries_version[] =
    "cub " QUOTED(CUB_MAJOR_VERSION) "." QUOTED(CUB_MINOR_VERSION) "." QUOTED(CUB_SUBMINOR_VERSION);

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

/* One call of CUB; without memory it says in `bytes` how much it needs. */
static cudaError_t call_cub(void *memory, size_t &bytes, const value_t *d_values, size_t length,
                            value_t *d_result)
{
#if OPERATION_IS(dot)
    const auto result = thrust::make_transform_output_iterator(d_result, pair_of());
    return cub::DeviceReduce::TransformReduce(memory, bytes, d_values, result, length,
                                              cuda::std::plus<float>(), product_of(), 0.0f);
#elif OPERATION_IS(max)
    return cub::DeviceReduce::Max(memory, bytes, d_values, d_result, length);
#else
    return cub::DeviceReduce::Sum(memory, bytes, d_values, d_result, length);
#endif
}

void cub_reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    static void *memory;
    static size_t held;
    size_t needed = 0;
    must(call_cub(NULL, needed, d_values, length, d_result), "cub::DeviceReduce");
    if (needed > held) {
        must(cudaFree(memory), "cudaFree");
        must(cudaMalloc(&memory, needed), "cudaMalloc of CUB's scratch memory");
        held = needed;
    }
    must(call_cub(memory, needed, d_values, length, d_result), "cub::DeviceReduce");
}

void thrust_reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    const value_t *end = d_values + length;
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
