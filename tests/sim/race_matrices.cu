/* race_matrices.cu - matrices, grids and sorting under all checks: right, and with one planted bug. */
#include "race_programs.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, BLOCKS = 6, COUNT = THREADS * BLOCKS };

/* Matrices and grids */

enum { TILE = 8, SIDE = 32 };

__global__ static void transpose(const float *in, float *out, int bug)
{
    __shared__ float tile[TILE][TILE + 1];
    unsigned int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * SIDE + x];
    if (bug != 1)
        __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = (bug == 2 ? 0 : blockIdx.x) * TILE + threadIdx.y;
    out[y * SIDE + x] = tile[threadIdx.x][threadIdx.y];
}

static void transposes(int bug)
{
    transpose<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(
        filled<float>(SIDE * SIDE, 0), unfilled<float>(SIDE * SIDE), bug);
}

__global__ static void multiply(const float *a, const float *b, float *c, int bug)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    unsigned int tx = threadIdx.x, ty = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (unsigned int k = 0; k < SIDE; k += TILE) {
        tile_a[ty][tx] = a[row * SIDE + k + tx];
        tile_b[ty][tx] = b[(k + ty) * SIDE + column];
        if (bug != 1)
            __syncthreads();
        for (unsigned int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        if (bug != 2)
            __syncthreads();
    }
    c[row * SIDE + column] = sum;
}

static void product(int bug)
{
    multiply<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(
        filled<float>(SIDE * SIDE, 0), filled<float>(SIDE * SIDE, 0), unfilled<float>(SIDE * SIDE),
        bug);
}

__global__ static void smooth(const int *in, int *out, int count, int bug)
{
    __shared__ int row[THREADS + 2];
    int t = (int)threadIdx.x, i = (int)(blockIdx.x * THREADS) + t;
    row[t + 1] = in[i];
    if (t == 0)
        row[0] = i > 0 ? in[i - 1] : 0;
    if (t == THREADS - 1 && bug != 2)
        row[THREADS + 1] = i + 1 < count ? in[i + 1] : 0;
    if (bug == 3)
        row[t + 3] = 0;
    if (bug != 1)
        __syncthreads();
    out[i] = row[t] + row[t + 1] + row[t + 2] + (bug == 4 ? in[i + 1] : 0);
}

static void stencil(int bug)
{
    smooth<<<BLOCKS, THREADS>>>(filled<int>(COUNT, 1), unfilled<int>(COUNT), COUNT, bug);
}

__global__ static void smooth_in_place(int *data, int count, int bug)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 0 && i < count - 1)
        data[i + (bug ? 0 : count)] = data[i - 1] + data[i] + data[i + 1];
}

static void in_place(int bug)
{
    smooth_in_place<<<BLOCKS, THREADS>>>(filled<int>(2 * COUNT, 1), COUNT, bug);
}

Test(race_programs, matrices_and_stencils)
{
    CLEAN(transposes);
    BUG(transposes, 1, "tile[");
    CLEAN(product);
    BUG(product, 1, "tile_");
    BUG(product, 2, "tile_");
    CLEAN(stencil);
    BUG(stencil, 1, "row[");
    BUG(stencil, 2, "nothing has written row[129]");
    BUG(stencil, 3, "row[130]");
    BUG(stencil, 4, " elements");
    CLEAN(in_place);
    BUG(in_place, 1, "nothing orders");
}

/* Sorting */

__global__ static void sort_bitonic(int *data, int bug)
{
    __shared__ int row[THREADS];
    unsigned int t = threadIdx.x;
    row[t] = data[t];
    __syncthreads();
    for (unsigned int size = 2; size <= THREADS; size *= 2)
        for (unsigned int stride = size / 2; stride > 0; stride /= 2) {
            unsigned int other = t ^ stride;
            if (other > t && (row[t] > row[other]) == ((t & size) == 0)) {
                int held = row[t];
                row[t] = row[other];
                row[other] = held;
            }
            if (bug == 2 && stride <= 16)
                __syncwarp();
            else if (bug != 1)
                __syncthreads();
        }
    data[t] = row[t];
}

static void sort(int bug)
{
    int host[THREADS];
    for (int i = 0; i < THREADS; i++)
        host[i] = (i * 37 + 11) % THREADS;
    sort_bitonic<<<1, THREADS>>>(uploaded(host, THREADS), bug);
}

__global__ static void odd_even(int *data, int count, int parity)
{
    int i = (int)(2 * (blockIdx.x * blockDim.x + threadIdx.x)) + parity;
    if (i + 1 < count && data[i] > data[i + 1]) {
        int held = data[i];
        data[i] = data[i + 1];
        data[i + 1] = held;
    }
}

static void sort_by_kernels(int bug)
{
    int *data = filled<int>(COUNT, 1);
    for (int round = 0; round < 4; round++)
        odd_even<<<BLOCKS, THREADS>>>(data, COUNT + bug, round & 1);
}

Test(race_programs, sorting_networks)
{
    CLEAN(sort);
    BUG(sort, 1, "row[");
    CLEAN(sort_by_kernels);
    BUG(sort_by_kernels, 1, " elements");
}
