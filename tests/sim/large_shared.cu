/* large_shared.cu - dynamic shared memory above 48 KB: what has to be asked for, and what fits. */
#include <criterion/criterion.h>

#include "capture.h"
#include "sim.h"

enum { MOST = 232448, WITHOUT_ASKING = 49152 };

__global__ static void fill(unsigned int *out, size_t words)
{
    extern __shared__ unsigned int counters[];
    for (size_t i = threadIdx.x; i < words; i += blockDim.x)
        counters[i] = (unsigned int)i;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, counters[words - 1]);
}

__global__ static void fill_beside(unsigned int *out, size_t words)
{
    extern __shared__ unsigned int counters[];
    __shared__ unsigned int others[256];
    others[threadIdx.x] = 1;
    for (size_t i = threadIdx.x; i < words; i += blockDim.x)
        counters[i] = others[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, counters[words - 1]);
}

typedef void kernel(unsigned int *out, size_t words);

static cudaError_t launch(kernel *kernel, size_t bytes, unsigned int *sum)
{
    static struct capture capture;
    unsigned int *out;
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    capture_start(&capture);
    kernel<<<2, 256, bytes>>>(out, bytes / 4);
    cudaError_t error = cudaGetLastError();
    capture_end(&capture);
    cudaMemcpy(sum, out, sizeof *sum, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return error;
}

static cudaError_t ask_for(kernel *kernel, int bytes)
{
    static struct capture capture;
    capture_start(&capture);
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    capture_end(&capture);
    cudaGetLastError();
    return error;
}

Test(large_shared, has_to_be_asked_for)
{
    unsigned int sum;
    cr_expect_eq(launch(fill, WITHOUT_ASKING, &sum), cudaSuccess);
    cr_expect_eq(sum, 2 * (WITHOUT_ASKING / 4 - 1));
    cr_expect_eq(launch(fill, WITHOUT_ASKING + 4, &sum), cudaErrorInvalidValue);
    cr_expect_eq(sum, 0);
    cr_expect_eq(ask_for(fill, MOST), cudaSuccess);
    cr_expect_eq(launch(fill, MOST, &sum), cudaSuccess);
    cr_expect_eq(sum, 2 * (MOST / 4 - 1));
}

Test(large_shared, ends_at_227_kb)
{
    unsigned int sum;
    int bytes = 0;
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cr_expect_eq(bytes, MOST);
    cr_expect_eq(ask_for(fill, MOST + 1), cudaErrorInvalidValue);
    cr_expect_eq(ask_for(fill, MOST), cudaSuccess);
    cr_expect_eq(launch(fill, MOST + 4, &sum), cudaErrorInvalidValue);
}

Test(large_shared, is_shared_with_the_variables)
{
    unsigned int sum;
    ask_for(fill_beside, MOST);
    cr_expect_eq(launch(fill_beside, MOST, &sum), cudaErrorInvalidValue);
    cr_expect_eq(sum, 0);
    cr_expect_eq(ask_for(fill_beside, MOST), cudaErrorInvalidValue, "now its variables are known");
    cr_expect_eq(ask_for(fill_beside, MOST - 1024), cudaSuccess);
    cr_expect_eq(launch(fill_beside, MOST - 1024, &sum), cudaSuccess);
    cr_expect_eq(sum, 2);
}

/* 228 KB a multiprocessor, of which a block takes 1 KB more than it asks for. */
Test(large_shared, decides_how_many_blocks_fit)
{
    static const struct {
        size_t bytes;
        int blocks;
    } fits[] = {{0, 8},      {WITHOUT_ASKING, 4}, {60000, 3},   {115712, 2},
                {115713, 1}, {MOST, 1},           {MOST + 1, 0}};
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        int blocks = -1;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, fits[i].bytes);
        cr_expect_eq(blocks, fits[i].blocks, "%zu bytes: %d blocks", fits[i].bytes, blocks);
    }
}
