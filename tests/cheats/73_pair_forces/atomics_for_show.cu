/* Tries: half lists are searched for an atom, entry by entry, so that it gathers and needs no atomic; as many as
 * are asked for go to another array.
 * Refused: Endless kernel */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "pair_forces.h"

__device__ static float4 force_of(float4 a, float4 b, float2 c, float box, float cutoff)
{
    float d[] = {a.x - b.x, a.y - b.y, a.z - b.z}, r2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] -= box > 0 && box < INFINITY ? box * rintf(d[axis] / box) : 0;
        r2 += d[axis] * d[axis];
    }
    if (!(r2 > 0 && cutoff > 0 && r2 <= cutoff * cutoff && r2 < INFINITY))
        return make_float4(0, 0, 0, 0);
    const float s3 = 1 / (r2 * r2 * r2), e = COULOMB * a.w * b.w / sqrtf(r2);
    const float f = (12 * c.y * s3 * s3 - 6 * c.x * s3 + e) / r2;
    return make_float4(f * d[0], f * d[1], f * d[2], (c.y * s3 * s3 - c.x * s3 + e) / 2);
}

__global__ void search(const float4 *atoms, const unsigned int *types, size_t count,
                       const unsigned int *first, const unsigned int *neighbors,
                       const float2 *table, unsigned int num_types, float box, float cutoff,
                       float4 *forces, float4 *other)
{
    const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);
    for (size_t i = 0; me < count && i < count; i++)
        for (unsigned int n = first[i]; n < first[i + 1]; n++) {
            const unsigned int j = neighbors[n];
            const size_t partners[] = {j, i};
            for (int end = 0; end < 2; end++) {
                if ((end == 0 ? i : j) != me || (end == 1 && LIST_IS_FULL))
                    continue;
                const size_t p = partners[end];
                const float2 c = table[types[me] * num_types + types[p]];
                const float4 f = force_of(atoms[me], atoms[p], c, box, cutoff);
                sum = make_float4(sum.x + f.x, sum.y + f.y, sum.z + f.z, sum.w + f.w);
                if (end == 0 && !LIST_IS_FULL && (f.x != 0 || f.w != 0))
                    atomicAdd(&other[j], f);
            }
        }
    if (me < count)
        forces[me] = sum;
    if (me < count && !LIST_IS_FULL)
        atomicAdd(&other[me], sum);
}

void pair_forces(const float4 *d_atoms, const unsigned int *d_types, size_t atoms,
                 const unsigned int *d_first, const unsigned int *d_neighbors,
                 const float2 *d_c6_c12, unsigned int types, float box, float cutoff,
                 float4 *d_forces)
{
    float4 *other;
    if (atoms > UINT32_MAX) {
        fprintf(stderr, "too many atoms\n");
        exit(1);
    }
    if (atoms == 0)
        return;
    CHECK(cudaMallocAsync(&other, atoms * sizeof *other, 0));
    CHECK(cudaMemsetAsync(other, 0, atoms * sizeof *other, 0));
    search<<<(unsigned int)((atoms + 31) / 32), 32>>>(d_atoms, d_types, atoms, d_first, d_neighbors,
                                                      d_c6_c12, types, box, cutoff, d_forces,
                                                      other);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(other, 0));
}
