/* accesses.cu - accesses that nvcc makes fewer, or more, than the source says.
 *
 * accesses.csv holds, for one thread of each kernel, the loads and stores of global memory
 * as the simulated GPU counts them after gcc 12 and clang 14, and those in nvcc's code:
 *
 *   nvcc -O3 -arch=sm_90 -cubin accesses.cu -o accesses.cubin; cuobjdump --dump-sass accesses.cubin
 *   common/sim/simcc accesses.cu -o accesses; SIM_CHECKS=none SIM_PROFILE=counts.csv ./accesses */
#include <cuda_runtime.h>

/* The same element in each round: nvcc loads it once, before the loop. */
__global__ void hoisted(const int *text, const int *weight, int *sums)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += text[threadIdx.x + 32 * i] * weight[0];
    sums[threadIdx.x] = sum;
}

/* The same element twice, and nothing stored in between: one load. */
__global__ void merged(const int *text, int *sums)
{
    int sum = text[threadIdx.x] * 3;
    sum += text[threadIdx.x] >> 1;
    sums[threadIdx.x] = sum;
}

/* A store in between, which might be to the same place: two loads again. */
__global__ void not_merged(const int *text, int *sums)
{
    int first = text[threadIdx.x];
    sums[threadIdx.x] = first;
    sums[threadIdx.x + 32] = text[threadIdx.x] * 3;
}

/* A sum in memory: nvcc keeps it in a register and stores it once. */
__global__ void kept(const int *text, int *__restrict__ sums)
{
    for (int i = 0; i < 8; i++)
        sums[threadIdx.x] += text[threadIdx.x + 32 * i];
}

/* Neighbors in memory, four bytes in a row: nvcc may not widen them, since nobody knows
 * that the first is aligned. */
__global__ void not_widened(const unsigned char *text, int *sums)
{
    const unsigned char *mine = text + 4 * threadIdx.x;
    sums[threadIdx.x] = mine[0] + mine[1] + mine[2] + mine[3];
}

/* A struct of four whose alignment the type tells: one load of four bytes. */
__global__ void widened(const uchar4 *text, int *sums)
{
    const uchar4 mine = text[threadIdx.x];
    sums[threadIdx.x] = mine.x + mine.y + mine.z + mine.w;
}

/* One address for all lanes: one lane adds the sum of the warp. */
__global__ void aggregated(int *sums)
{
    atomicAdd(&sums[0], 1);
}

#ifdef SIMULATED_GPU
int main(void)
{
    int *text, *sums;
    cudaMalloc(&text, 4096);
    cudaMalloc(&sums, 4096);
    cudaMemset(text, 0, 4096);
    cudaMemset(sums, 0, 4096);
    hoisted<<<1, 32>>>(text, text, sums);
    merged<<<1, 32>>>(text, sums);
    not_merged<<<1, 32>>>(text, sums);
    kept<<<1, 32>>>(text, sums);
    not_widened<<<1, 32>>>((unsigned char *)text, sums);
    widened<<<1, 32>>>((uchar4 *)text, sums);
    aggregated<<<1, 32>>>(sums);
    cudaDeviceSynchronize();
}
#endif
