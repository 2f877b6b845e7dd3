/* check_costs.cu - what the checks cost: memory, which is bounded, and time, which
 * is printed; and what many lanes cost that are alive at the same time. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <time.h>

#include "sim.h"

enum { SIDE = 512, CELLS = SIDE * SIDE, LENGTH = 1 << 20 };

__global__ static void histogram_of(const unsigned char *text, unsigned int *bins)
{
    __shared__ unsigned int part[32];
    if (threadIdx.x < 32)
        part[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < LENGTH;
         i += gridDim.x * blockDim.x)
        atomicAdd(&part[text[i] % 32], 1);
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

__global__ static void stencil(const float *in, float *out)
{
    int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1)
        out[y * SIDE + x] = in[y * SIDE + x] + in[y * SIDE + x - 1] + in[y * SIDE + x + 1] +
                            in[(y - 1) * SIDE + x] + in[(y + 1) * SIDE + x];
}

__global__ static void multiply(const float *a, const float *b, float *c, int n)
{
    int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int row = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[row * n + i] * b[i * n + column];
    c[row * n + column] = sum;
}

__global__ static void bytes_kernel(const unsigned char *in, unsigned char *out)
{
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < LENGTH;
         i += gridDim.x * blockDim.x)
        out[i] = in[i] ^ 1;
}

static void *zeroed(size_t bytes)
{
    void *memory;
    cr_assert_eq(cudaMalloc(&memory, bytes), cudaSuccess);
    cudaMemset(memory, 0, bytes);
    return memory;
}

static unsigned long long lanes()
{
    struct sim_counters c = sim_counters();
    unsigned long long sum = 0;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++)
        sum += c.global[kind].lanes + c.shared[kind].lanes;
    return sum;
}

static double seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Runs `launch`, prints its speed, and asks for at most 12 bytes for each touched one. */
template <class F> static void expect_cheap(const char *name, F launch)
{
    cudaDeviceReset();
    struct sim_check_costs before = sim_check_costs();
    unsigned long long lanes_before = lanes();
    double start = seconds();
    launch();
    double took = seconds() - start;
    struct sim_check_costs after = sim_check_costs();
    double shadow = (double)(after.shadow_bytes - before.shadow_bytes);
    double touched = (double)(after.touched_bytes - before.touched_bytes);
    printf("all checks, %s: %.1f million lane accesses a second, %.1f bytes for each byte\n", name,
           (double)(lanes() - lanes_before) / took / 1e6, shadow / touched);
    cr_expect_gt(touched, 0);
    cr_expect_leq(shadow, 12 * touched, "%s: %g bytes of shadow for %g bytes", name, shadow,
                  touched);
    cr_expect_eq(sim_error_count(), 0);
}

Test(check_costs, at_most_12_bytes_for_each_byte_that_kernels_touch)
{
    sim_set_checks("all");
    expect_cheap("histogram", [] {
        unsigned char *text = (unsigned char *)zeroed(LENGTH);
        histogram_of<<<64, 256>>>(text, (unsigned int *)zeroed(128));
    });
    expect_cheap("stencil", [] {
        float *in = (float *)zeroed(CELLS * 4), *out;
        cudaMalloc(&out, CELLS * 4);
        stencil<<<dim3(SIDE / 32, SIDE / 8), dim3(32, 8)>>>(in, out);
    });
    expect_cheap("matrix product", [] {
        float *a = (float *)zeroed(CELLS * 4), *b = (float *)zeroed(CELLS * 4);
        multiply<<<dim3(8, 8), dim3(16, 16)>>>(a, b, (float *)zeroed(CELLS * 4), 128);
    });
    expect_cheap("bytes", [] {
        unsigned char *in = (unsigned char *)zeroed(LENGTH), *out;
        cudaMalloc(&out, LENGTH);
        bytes_kernel<<<64, 256>>>(in, out);
    });
}

__global__ static void touch_a_little(int *array)
{
    array[threadIdx.x] = 1;
}

Test(check_costs, nothing_for_what_kernels_do_not_touch)
{
    sim_set_checks("all");
    int *array = (int *)zeroed((size_t)256 << 20);
    touch_a_little<<<1, 1024>>>(array);
    cudaDeviceSynchronize();
    cr_expect_leq(sim_check_costs().shadow_bytes, 1 << 17);
}

/* Every thread keeps something on its stack while all others come. */
__global__ static void meet(unsigned int *sum, unsigned int rounds)
{
    volatile unsigned int kept[4] = {threadIdx.x, blockIdx.x, 0, 0};
    for (unsigned int round = 0; round < rounds; round++) {
        atomicAdd(&sum[round], 1);
        cooperative_groups::this_grid().sync();
        kept[2] += sum[round];
    }
    if (kept[0] == threadIdx.x && kept[1] == blockIdx.x && kept[2] == rounds * 65536)
        atomicAdd(&sum[rounds], 1);
}

Test(check_costs, less_than_200_megabytes_for_64k_threads_at_the_same_time)
{
    unsigned int rounds = 3, host[4];
    unsigned int *sum = (unsigned int *)zeroed(sizeof host);
    void *arguments[] = {&sum, &rounds};
    cr_expect_eq(cudaLaunchCooperativeKernel((void *)meet, 256, 256, arguments, 0, 0), cudaSuccess);
    cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned int round = 0; round <= rounds; round++)
        cr_expect_eq(host[round], 65536);
    cr_expect_lt(sim_peak_bytes(), (size_t)200 << 20);
}
