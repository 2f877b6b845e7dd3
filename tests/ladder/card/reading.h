/* reading.h - a kernel that reads, and does nothing else: what other times are compared with. */
#ifndef READING_H
#define READING_H

#include <cuda_runtime.h>
#include <stddef.h>

__global__ static void read_kernel(const uint4 *words, size_t number, unsigned int *unused)
{
    unsigned int sum = 0;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < number; i += 4 * stride) {
        const uint4 a = __ldcs(words + i), b = __ldcs(words + i + stride),
                    c = __ldcs(words + i + 2 * stride), d = __ldcs(words + i + 3 * stride);
        sum += a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^
               d.z ^ d.w;
    }
    for (; i < number; i += stride) {
        const uint4 a = __ldcs(words + i);
        sum += a.x ^ a.y ^ a.z ^ a.w;
    }
    if (sum == 0x12345678)
        *unused = sum;
}

#endif
