/* kernels_api.cu - what the CUDA runtime does with kernels and their variables:
 * limits, errors, launches by address, occupancy, symbols. */
#include <assert.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

__global__ static void store_index(unsigned int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

__global__ static void do_nothing()
{
}

/* The error of a launch, which is also the last error, once. */
static void expect_launch_error(cudaError_t expected)
{
    cr_expect_eq(cudaPeekAtLastError(), expected, "%s", cudaGetErrorName(cudaPeekAtLastError()));
    cr_expect_eq(cudaGetLastError(), expected);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}

Test(kernels_api, refuses_shapes_that_hardware_refuses)
{
    do_nothing<<<1, 1025>>>();
    expect_launch_error(cudaErrorInvalidConfiguration);
    do_nothing<<<0, 32>>>();
    expect_launch_error(cudaErrorInvalidConfiguration);
    do_nothing<<<1, 0>>>();
    expect_launch_error(cudaErrorInvalidConfiguration);
    do_nothing<<<dim3(1, 65536), 32>>>();
    expect_launch_error(cudaErrorInvalidConfiguration);
    do_nothing<<<1, dim3(1, 1, 65)>>>();
    expect_launch_error(cudaErrorInvalidConfiguration);
    do_nothing<<<1, dim3(32, 32, 2)>>>();
    expect_launch_error(cudaErrorInvalidConfiguration);
    do_nothing<<<1, dim3(32, 32)>>>();
    expect_launch_error(cudaSuccess);
}

enum { SMALL_BLOCK = 128 };

__global__ static void __launch_bounds__(SMALL_BLOCK, 4) bounded()
{
}

template <int THREADS> __global__ __launch_bounds__(THREADS) void bounded_by(int *out)
{
    if (threadIdx.x + threadIdx.y == 0)
        *out = THREADS;
}

Test(kernels_api, refuses_more_threads_than_the_launch_bounds)
{
    cudaFuncAttributes attributes;
    int *out;
    cudaMalloc(&out, sizeof *out);
    bounded<<<1, SMALL_BLOCK>>>();
    expect_launch_error(cudaSuccess);
    bounded<<<1, SMALL_BLOCK + 1>>>();
    expect_launch_error(cudaErrorInvalidValue);
    bounded_by<64><<<1, 64>>>(out);
    expect_launch_error(cudaSuccess);
    bounded_by<64><<<1, dim3(8, 9)>>>(out);
    expect_launch_error(cudaErrorInvalidValue);
    cudaFuncGetAttributes(&attributes, bounded);
    cr_expect_eq(attributes.maxThreadsPerBlock, SMALL_BLOCK);
    cudaFuncGetAttributes(&attributes, do_nothing);
    cr_expect_eq(attributes.maxThreadsPerBlock, 1024);
    cudaFree(out);
}

__global__ static void use_dynamic(int *out)
{
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}

Test(kernels_api, gives_more_than_48_KB_of_shared_memory_when_asked)
{
    int *out, last = -1;
    const int bytes = 100 * 1024;
    cudaMalloc(&out, 64 * sizeof *out);
    use_dynamic<<<1, 64, bytes>>>(out);
    expect_launch_error(cudaErrorInvalidValue);
    cr_expect_eq(
        cudaFuncSetAttribute(use_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        cudaSuccess);
    use_dynamic<<<1, 64, bytes>>>(out);
    expect_launch_error(cudaSuccess);
    cudaMemcpy(&last, out, sizeof last, cudaMemcpyDeviceToHost);
    cr_expect_eq(last, 63);
    use_dynamic<<<1, 64, bytes + 1>>>(out);
    expect_launch_error(cudaErrorInvalidValue);
    struct capture capture;
    capture_start(&capture);
    cudaError_t error = cudaFuncSetAttribute(
        use_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1);
    const char *text = capture_end(&capture);
    cr_expect_eq(error, cudaErrorInvalidValue);
    EXPECT_PRINTED(text, "a block has at most 232448");
}

__global__ static void add_parameters(double a, char b, const long long *c, short d, double *sum)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *sum = a + b + (double)*c + d;
}

template <typename T> __global__ static void scale(T *values, T factor)
{
    values[threadIdx.x] *= factor;
}

Test(kernels_api, starts_kernels_by_address)
{
    double *sum, result = 0, a = 0.5;
    char b = 'A';
    long long *c, host_c = 1ll << 33;
    short d = -7;
    cudaMalloc(&sum, sizeof *sum);
    cudaMalloc(&c, sizeof *c);
    cudaMemcpy(c, &host_c, sizeof host_c, cudaMemcpyHostToDevice);
    void *arguments[] = {&a, &b, &c, &d, &sum};
    cr_expect_eq(cudaLaunchKernel((const void *)add_parameters, dim3(3), dim3(64), arguments, 0, 0),
                 cudaSuccess);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cr_expect_eq(result, 0.5 + 'A' + (double)(1ll << 33) - 7);
}

Test(kernels_api, starts_instances_of_templates_by_address)
{
    float *values, host[4] = {1, 2, 3, 4}, factor = 2.5f;
    cudaMalloc(&values, sizeof host);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    void *arguments[] = {&values, &factor};
    cr_expect_eq(cudaLaunchKernel((void *)scale<float>, 1, 4, arguments, 0, 0), cudaSuccess);
    cr_expect_eq(cudaLaunchKernel(scale<float>, 1, 4, arguments), cudaSuccess);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(4);
    cr_expect_eq(cudaLaunchKernelEx(&config, scale<float>, values, 2.0), cudaSuccess);
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    cr_expect_eq(host[3], 4 * 2.5f * 2.5f * 2);
}

Test(kernels_api, describes_kernels)
{
    struct cudaFuncAttributes attributes;
    cr_expect_eq(cudaFuncGetAttributes(&attributes, do_nothing), cudaSuccess);
    cr_expect_eq(attributes.maxThreadsPerBlock, 1024);
    cr_expect_eq(attributes.maxDynamicSharedSizeBytes, 48 * 1024);
    const char *name = nullptr;
    cr_expect_eq(cudaFuncGetName(&name, do_nothing), cudaSuccess);
    cr_expect(strstr(name, "do_nothing") != nullptr);
}

static int active_blocks(int threads, size_t dynamic_shared)
{
    int blocks = -1;
    cr_expect_eq(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, threads, dynamic_shared),
        cudaSuccess);
    return blocks;
}

/* There are no clusters: one block is a cluster, and more than one are refused. */
Test(kernels_api, knows_how_many_clusters_of_one_block_fit)
{
    int clusters = -1;
    cudaLaunchAttribute of_cluster = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 256;
    cr_expect_eq(cudaOccupancyMaxActiveClusters(&clusters, do_nothing, &config), cudaSuccess);
    cr_expect_eq(clusters, 8 * 132);
    of_cluster.id = cudaLaunchAttributeClusterDimension;
    of_cluster.val.clusterDim = {2, 1, 1};
    config.attrs = &of_cluster;
    config.numAttrs = 1;
    cr_expect_eq(cudaOccupancyMaxActiveClusters(&clusters, do_nothing, &config),
                 cudaErrorNotSupported);
    cr_expect_eq(cudaOccupancyMaxActiveClusters(&clusters, do_nothing, nullptr),
                 cudaErrorInvalidValue);
    cr_expect_eq(
        cudaFuncSetAttribute(do_nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
        cudaErrorInvalidValue);
}

Test(kernels_api, knows_how_many_blocks_fit)
{
    cr_expect_eq(active_blocks(1024, 0), 2);
    cr_expect_eq(active_blocks(256, 0), 8);
    cr_expect_eq(active_blocks(33, 0), 32);
    cr_expect_eq(active_blocks(32, 0), 32);
    cr_expect_eq(active_blocks(128, 48 * 1024), 4); /* 228 KB / (48 + 1) KB */
    cr_expect_eq(active_blocks(128, 227 * 1024), 1);
    int grid = 0, block = 0;
    cr_expect_eq(cudaOccupancyMaxPotentialBlockSize(&grid, &block, do_nothing), cudaSuccess);
    cr_expect_eq(block, 1024);
    cr_expect_eq(grid, 2 * 132);
    cr_expect_eq(cudaOccupancyMaxPotentialBlockSize(&grid, &block, do_nothing, 0, 300),
                 cudaSuccess);
    cr_expect_eq(block, 256);
    cr_expect_eq(grid, 8 * 132);
}

/* All that follows from the number of multiprocessors. */
static void expect_multiprocessors(int expected)
{
    int count = 0, grid = 0, block = 0;
    struct cudaDeviceProp properties;
    cr_expect_eq(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    cr_expect_eq(count, expected);
    cr_expect_eq(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    cr_expect_eq(properties.multiProcessorCount, expected);
    cr_expect_eq(cudaOccupancyMaxPotentialBlockSize(&grid, &block, do_nothing), cudaSuccess);
    cr_expect_eq(grid, 2 * expected);
    const dim3 most = 2 * expected, too_many = 2 * expected + 1;
    cr_expect_eq(cudaLaunchCooperativeKernel(do_nothing, most, 1024, nullptr), cudaSuccess);
    cr_expect_eq(cudaLaunchCooperativeKernel(do_nothing, too_many, 1024, nullptr),
                 cudaErrorCooperativeLaunchTooLarge);
}

Test(kernels_api, has_as_many_multiprocessors_as_are_asked_for)
{
    expect_multiprocessors(132);
    sim_set_multiprocessors(3);
    expect_multiprocessors(3);
}

Test(kernels_api, has_the_l2_cache_that_is_asked_for)
{
    int bytes = 0;
    cr_assert_eq(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0), cudaSuccess);
    cr_expect_eq(bytes, 60 << 20);
    sim_set_l2_bytes(100000);
    cr_assert_eq(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0), cudaSuccess);
    cr_expect_eq(bytes, 100000);
    cudaDeviceProp properties;
    cr_assert_eq(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    cr_expect_eq(properties.l2CacheSize, 100000);
}

Test(kernels_api, takes_the_number_of_multiprocessors_from_the_environment)
{
    setenv("SIM_MULTIPROCESSORS", "7", 1);
    expect_multiprocessors(7);
}

/* Must end the program with status 2. */
static void ask_in_the_environment(const char *multiprocessors)
{
    setenv("SIM_MULTIPROCESSORS", multiprocessors, 1);
    sim_seed();
    cr_assert_fail("SIM_MULTIPROCESSORS=%s was not refused", multiprocessors);
}

Test(kernels_api, refuses_0_multiprocessors, .exit_code = 2)
{
    ask_in_the_environment("0");
}

Test(kernels_api, refuses_133_multiprocessors, .exit_code = 2)
{
    ask_in_the_environment("133");
}

Test(kernels_api, refuses_multiprocessors_that_are_no_number, .exit_code = 2)
{
    ask_in_the_environment("many");
}

Test(kernels_api, refuses_to_be_set_to_0_multiprocessors, .exit_code = 2)
{
    sim_set_multiprocessors(0);
    cr_assert_fail("0 multiprocessors were not refused");
}

__device__ int counter = 5;
__device__ float table[3];
__constant__ int coefficients[4];
static __constant__ double factor;

__global__ static void use_variables(double *out)
{
    counter += coefficients[2];
    table[1] = 2.5f;
    *out = factor * coefficients[3];
}

Test(kernels_api, reaches_variables_of_the_device)
{
    const int host[4] = {1, 2, 30, 4};
    const double host_factor = 0.25;
    double *out, product = 0;
    float seen[3] = {9, 9, 9};
    int count = 0, *address = nullptr;
    size_t bytes = 0;
    cudaMalloc(&out, sizeof *out);
    cr_expect_eq(cudaMemcpyToSymbol(coefficients, host, sizeof host), cudaSuccess);
    cr_expect_eq(cudaMemcpyToSymbol(factor, &host_factor, sizeof host_factor), cudaSuccess);
    cr_expect_eq(cudaMemcpyToSymbol(coefficients, &host[1], sizeof(int), 3 * sizeof(int),
                                    cudaMemcpyHostToDevice),
                 cudaSuccess);
    use_variables<<<1, 1>>>(out);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(&product, out, sizeof product, cudaMemcpyDeviceToHost);
    cr_expect_eq(product, 0.25 * 2);
    cr_expect_eq(cudaMemcpyFromSymbol(&count, counter, sizeof count), cudaSuccess);
    cr_expect_eq(count, 35);
    cr_expect_eq(cudaMemcpyFromSymbol(seen, table, sizeof seen), cudaSuccess);
    cr_expect(seen[0] == 0 && seen[1] == 2.5f && seen[2] == 0);
    cr_expect_eq(cudaGetSymbolSize(&bytes, table), cudaSuccess);
    cr_expect_eq(bytes, sizeof table);
    cr_expect_eq(cudaGetSymbolAddress((void **)&address, counter), cudaSuccess);
    cr_expect_eq(cudaMemcpy(&count, address, sizeof count, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(count, 35);
}

Test(kernels_api, refuses_copies_beyond_a_variable)
{
    int host[8] = {0};
    struct capture capture;
    capture_start(&capture);
    cudaError_t error = cudaMemcpyToSymbol(coefficients, host, sizeof host);
    const char *text = capture_end(&capture);
    cr_expect_eq(error, cudaErrorInvalidValue);
    EXPECT_PRINTED(text, "kernels_api.cu:");
    EXPECT_PRINTED(text, "32 bytes from byte 0 of the destination do not fit: it has 16 bytes");
    cr_expect_eq(sim_error_count(), 1);
    sim_reset_errors();
}

__global__ static void write_far_away(int *memory)
{
    memory[1 << 20] = 1;
}

Test(kernels_api, keeps_the_error_of_a_stopped_kernel_until_a_reset)
{
    int *memory, *other;
    struct capture capture;
    cudaMalloc(&memory, 4);
    capture_start(&capture);
    write_far_away<<<1, 1>>>(memory);
    capture_end(&capture);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    cr_expect_eq(cudaGetLastError(), cudaErrorIllegalAddress);
    cr_expect_eq(cudaGetLastError(), cudaErrorIllegalAddress);
    cr_expect_eq(cudaMalloc(&other, 4), cudaErrorIllegalAddress);
    cr_expect_eq(cudaFree(memory), cudaErrorIllegalAddress);
    store_index<<<1, 1>>>(nullptr);
    cr_expect_eq(cudaGetLastError(), cudaErrorIllegalAddress);
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
    unsigned int *fresh, last = 0;
    cr_expect_eq(cudaMalloc(&fresh, 64 * sizeof *fresh), cudaSuccess);
    store_index<<<2, 32>>>(fresh);
    cr_expect_eq(cudaMemcpy(&last, fresh + 63, sizeof last, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(last, 31);
}

__global__ static void assert_below(unsigned int limit)
{
    assert(threadIdx.x < limit);
}

Test(kernels_api, stops_a_kernel_whose_assertion_fails)
{
    struct capture capture;
    assert_below<<<2, 32>>>(32);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    capture_start(&capture);
    assert_below<<<1, 32>>>(31);
    const char *text = capture_end(&capture);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorAssert);
    EXPECT_PRINTED(text, "kernels_api.cu:");
    EXPECT_PRINTED(text,
                   "block: [0,0,0], thread: [31,0,0] Assertion `threadIdx.x < limit` failed.");
}

__global__ static void add_managed(int *managed, int *pinned)
{
    managed[threadIdx.x] += (int)threadIdx.x;
    if (threadIdx.x == 0)
        *pinned = 77;
}

Test(kernels_api, shares_managed_and_pinned_memory_with_kernels)
{
    int *managed, *pinned;
    cudaMallocManaged(&managed, 32 * sizeof *managed);
    cudaMallocHost(&pinned, sizeof *pinned);
    for (int i = 0; i < 32; i++)
        managed[i] = 100;
    cr_expect_eq(cudaMemPrefetchAsync(managed, 32 * sizeof *managed, 0), cudaSuccess);
    add_managed<<<1, 32>>>(managed, pinned);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(managed[31], 131);
    cr_expect_eq(*pinned, 77);
}
