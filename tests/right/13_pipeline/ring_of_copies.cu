// Style: the ring lies in shared memory, and asynchronous copies fill it: a thread waits for its oldest copy
// only, counts that word, and sends for the next. Eight threads a row in the fold.
#include <cuda_pipeline.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "binning.h"
#include "cuda_check.h"
#include "histogram.h"

namespace {
constexpr int kThreads = 512, kRing = 4;
constexpr size_t kBytes = (256 * 32 + 256) * 4 + kRing * kThreads * 16;

class Table {
public:
    __device__ explicit Table(unsigned *rows) : column_(rows + threadIdx.x % 32) {}
    __device__ void add(unsigned char c) const { atomicAdd(column_ + c * 32u, 1u); }
    __device__ void add(uint4 w) const
    {
        const unsigned v[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int k = 0; k < 16; ++k) add(static_cast<unsigned char>(v[k / 4] >> k % 4 * 8));
    }

private:
    unsigned *column_;
};

__global__ void __launch_bounds__(kThreads, 1) ring(const unsigned char *text, size_t length, unsigned *bins)
{
    extern __shared__ uint4 memory[];
    uint4 *const slots = memory + threadIdx.x; // of this thread: every kThreads-th
    unsigned *const rows = reinterpret_cast<unsigned *>(memory + kRing * kThreads);
    unsigned *const sums = rows + 256 * 32;
    for (int k = threadIdx.x; k < 256 * 32; k += kThreads) rows[k] = 0;
    __syncthreads();
    const Table table(rows);
    const size_t me = size_t(blockIdx.x) * kThreads + threadIdx.x, step = size_t(gridDim.x) * kThreads;
    size_t head = (16 - reinterpret_cast<uintptr_t>(text) % 16) % 16;
    head = head < length ? head : length;
    const auto *in = reinterpret_cast<const uint4 *>(text + head);
    const size_t n = (length - head) / 16;

    for (int k = 0; k < kRing; ++k) {
        if (me + k * step < n) __pipeline_memcpy_async(slots + k * kThreads, in + me + k * step, 16);
        __pipeline_commit();
    }
    for (size_t i = me, k = 0; i < n; i += step, k = (k + 1) % kRing) {
        __pipeline_wait_prior(kRing - 1);
        const uint4 now = slots[k * kThreads];
        if (i + kRing * step < n)
            __pipeline_memcpy_async(slots + k * kThreads, in + i + kRing * step, 16);
        __pipeline_commit();
        table.add(now);
    }

    if (me < head) table.add(text[me]);
    if (head + 16 * n + me < length) table.add(text[head + 16 * n + me]);
    __syncthreads();
    // Eight threads a row: 64 rows at a time, 16 bytes a thread.
    for (int part = 0; part < 4; ++part) {
        const int row = part * 64 + threadIdx.x / 8;
        const uint4 q = reinterpret_cast<const uint4 *>(rows)[row * 8 + threadIdx.x % 8];
        unsigned sum = q.x + q.y + q.z + q.w;
        for (int d = 1; d < 8; d *= 2) sum += __shfl_xor_sync(~0u, sum, d);
        if (threadIdx.x % 8 == 0) sums[row] = sum;
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < NUM_BINS; bin += kThreads) {
        unsigned sum = 0;
        for (int row = 0; row < 256; ++row)
            if (bin_of(static_cast<unsigned char>(row)) == bin) sum += sums[row];
        atomicAdd(bins + bin, sum);
    }
}
} // namespace

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > 0xffffffffull) { std::fprintf(stderr, "too long\n"); std::exit(1); }
    if (!length) return;
    int processors = 0;
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)kBytes));
    ring<<<processors, kThreads, kBytes>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
