/* The first launch has a block for each 2,048 values, two for each thread, so that its grid grows with
 * the array, and only the block of the second launch loops. A tree in shared memory, in two dimensions.
 * The partial results stay from call to call, in memory that is made once. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { WIDTH = 64, HEIGHT = 16, THREADS = WIDTH * HEIGHT };
#define MOST_BLOCKS (UINT32_MAX / (2 * THREADS) + 1)

__device__ static void tree(value_t value, value_t *to)
{
    __shared__ value_t node[HEIGHT][WIDTH];
    const unsigned int row = threadIdx.y, column = threadIdx.x;
    node[row][column] = value;
    for (unsigned int half = HEIGHT / 2; half > 0; half /= 2) {
        __syncthreads();
        if (row < half)
            node[row][column] = combine(node[row][column], node[row + half][column]);
    }
    for (unsigned int half = WIDTH / 2; half > 0; half /= 2) {
        __syncthreads();
        if (row == 0 && column < half)
            node[0][column] = combine(node[0][column], node[0][column + half]);
    }
    if (row == 0 && column == 0)
        *to = node[0][0];
}

__global__ void pairs(const value_t *values, size_t length, value_t *partial)
{
    const size_t i = (size_t)blockIdx.x * 2 * THREADS + threadIdx.y * WIDTH + threadIdx.x;
    value_t value = i < length ? values[i] : neutral();
    if (i + THREADS < length)
        value = combine(values[i + THREADS], value);
    tree(value, &partial[blockIdx.x]);
}

__global__ void rest(const value_t *partial, size_t blocks, value_t *result)
{
    value_t value = neutral();
    for (size_t b = threadIdx.y * WIDTH + threadIdx.x; b < blocks; b += THREADS)
        value = combine(partial[b], value);
    tree(value, result);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    static value_t *partial;
    if (length >> 32 != 0) {
        fprintf(stderr, "reduce: %zu values do not fit into 32 bits\n", length);
        exit(1);
    }
    if (partial == NULL)
        CHECK(cudaMalloc(&partial, MOST_BLOCKS * sizeof *partial));
    const size_t blocks = length == 0 ? 1 : (length + 2 * THREADS - 1) / (2 * THREADS);
    pairs<<<(unsigned int)blocks, dim3(WIDTH, HEIGHT)>>>(d_values, length, partial);
    rest<<<1, dim3(WIDTH, HEIGHT)>>>(partial, blocks, d_result);
    CHECK(cudaGetLastError());
}
