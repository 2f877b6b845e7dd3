/* C++: the ticket is a cuda::atomic_ref of acquire-release order, which needs no fence beside it, and
 * cooperative groups fold the warps. */
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

namespace cg = cooperative_groups;

constexpr unsigned int threads = 128;

__device__ value_t found[132 * 8];
__device__ unsigned int count;

template <typename Tile> __device__ value_t fold(const Tile &tile, value_t mine)
{
    for (unsigned int step = tile.size() / 2; step > 0; step /= 2)
        mine = combine(mine, tile.shfl_down(mine, step));
    return mine;
}

__device__ value_t fold_block(value_t mine)
{
    __shared__ value_t warps[threads / 32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    mine = fold(warp, mine);
    if (warp.thread_rank() == 0)
        warps[threadIdx.x / 32] = mine;
    block.sync();
    auto few = cg::tiled_partition<threads / 32>(block);
    mine = fold(few, warps[few.thread_rank()]);
    block.sync();
    return mine;
}

__global__ void fold_all(const value_t *values, size_t length, value_t *result)
{
    __shared__ bool last;
    value_t mine = neutral();
    for (size_t i = threadIdx.x + blockIdx.x * (size_t)threads; i < length;
         i += (size_t)gridDim.x * threads)
        mine = combine(mine, values[i]);
    mine = fold_block(mine);
    if (threadIdx.x == 0) {
        found[blockIdx.x] = mine;
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> ticket(count);
        last = ticket.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
        if (last)
            count = 0;
    }
    __syncthreads();
    if (!last)
        return;
    mine = neutral();
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += threads)
        mine = combine(mine, found[b]);
    mine = fold_block(mine);
    if (threadIdx.x == 0)
        *result = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    int multiprocessors = 0;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const size_t most = (size_t)multiprocessors * 8;
    size_t blocks = (length + threads - 1) / threads;
    blocks = blocks < 1 ? 1 : blocks > most ? most : blocks;
    fold_all<<<(unsigned int)blocks, threads>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
