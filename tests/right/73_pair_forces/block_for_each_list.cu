/* A block of 64 threads for each list: each warp adds up its part, and thread 0 adds the two parts from shared
 * memory. The atom lies there, too.
 * Operations: half full */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "given/add_four.h"
#include "pair_forces.h"

enum { THREADS = 64, COMPONENTS = 4 };

__device__ static float near(float d, float box)
{
    return box > 0 && !isinf(box) ? fmaf(-box, rintf(d / box), d) : d;
}

__global__ void block_for_list(const float4 *atoms, const unsigned int *types,
                               const unsigned int *first, const unsigned int *neighbors,
                               const float2 *c6_c12, unsigned int num_types, float box,
                               float cutoff, float *forces)
{
    __shared__ float part[COMPONENTS];
    __shared__ float4 atom;
    const unsigned int i = blockIdx.x, t = threadIdx.x;
    if (t == 0)
        atom = atoms[i];
    __syncthreads(); // no thread may read the atom before it is there
    float sum[COMPONENTS] = {0, 0, 0, 0};
    for (unsigned int n = first[i] + t; n < first[i + 1]; n += THREADS) {
        const unsigned int j = neighbors[n];
        const float4 other = atoms[j];
        const float x = near(atom.x - other.x, box), y = near(atom.y - other.y, box);
        const float z = near(atom.z - other.z, box), r = sqrtf(x * x + y * y + z * z);
        if (!(r > 0 && r <= cutoff && r < INFINITY))
            continue;
        const float2 c = c6_c12[types[j] * num_types + types[i]];
        const float s = 1 / (r * r), s3 = s * s * s, e = COULOMB * (atom.w * other.w) / r;
        const float f = s * (e + 6 * s3 * (2 * c.y * s3 - c.x));
        const float4 force = {f * x, f * y, f * z, 0.5f * (s3 * (c.y * s3 - c.x) + e)};
        sum[0] += force.x;
        sum[1] += force.y;
        sum[2] += force.z;
        sum[3] += force.w;
        if (OPERATION_IS(half))
            add_four((float4 *)forces + j, make_float4(-force.x, -force.y, -force.z, force.w));
    }
    for (int component = 0; component < COMPONENTS; component++)
        for (int away = 1; away < 32; away *= 2)
            sum[component] += __shfl_xor_sync(0xffffffff, sum[component], away);
    if (t == 32)
        for (int component = 0; component < COMPONENTS; component++)
            part[component] = sum[component];
    __syncthreads(); // thread 0 reads what thread 32 has written
    if (t == 0) {
        const float4 all = {sum[0] + part[0], sum[1] + part[1], sum[2] + part[2],
                            sum[3] + part[3]};
        if (OPERATION_IS(half))
            add_four((float4 *)forces + i, all);
        else
            ((float4 *)forces)[i] = all;
    }
}

void pair_forces(const float4 *d_atoms, const unsigned int *d_types, size_t atoms,
                 const unsigned int *d_first, const unsigned int *d_neighbors,
                 const float2 *d_c6_c12, unsigned int types, float box, float cutoff,
                 float4 *d_forces)
{
    if (atoms > UINT32_MAX) {
        fprintf(stderr, "at most 4294967295 atoms, not %zu\n", atoms);
        exit(1);
    }
    if (OPERATION_IS(half) && atoms > 0)
        CHECK(cudaMemset(d_forces, 0, atoms * sizeof *d_forces));
    if (atoms > 0)
        block_for_list<<<(unsigned int)atoms, THREADS>>>(d_atoms, d_types, d_first, d_neighbors,
                                                         d_c6_c12, types, box, cutoff,
                                                         (float *)d_forces);
    CHECK(cudaGetLastError());
}
