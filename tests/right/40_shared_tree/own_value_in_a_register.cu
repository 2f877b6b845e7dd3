/* A thread keeps what it has combined in a register, and reads only its partner. The first step combines
 * while it loads, the blocks go on with a stride of the grid, and shared memory is dynamic. The two
 * launches have other numbers of threads. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

__global__ void tree(const value_t *in, unsigned int n, value_t *out)
{
    extern __shared__ value_t leaving[];
    value_t mine = neutral();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        mine = combine(in[i], mine);
    unsigned int s = blockDim.x / 2;
    while (s != 0) {
        if (threadIdx.x >= s && threadIdx.x < 2 * s)
            leaving[threadIdx.x] = mine;
        __syncthreads();
        if (threadIdx.x < s)
            mine = combine(mine, leaving[threadIdx.x + s]);
        s >>= 1;
    }
    if (!threadIdx.x)
        out[blockIdx.x] = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length >> 32) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    const unsigned int blocks = length < 4096 ? 1 : 128;
    value_t *partial;
    CHECK(cudaMalloc((void **)&partial, blocks * sizeof *partial));
    tree<<<blocks, 512, 512 * sizeof(value_t)>>>(d_values, (unsigned int)length, partial);
    CHECK(cudaGetLastError());
    tree<<<1, 128, 128 * sizeof(value_t)>>>(partial, blocks, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial));
}
