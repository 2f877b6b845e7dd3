/* plain_pair_forces.cu - pair_forces() as one would write it first: a thread for each list. With half lists it adds each
 * force to the other atom by four atomics, and its own sum at the end; with full lists it stores its own sum. */
#include <cuda_runtime.h>

#include "errors.h"
#include "pair_forces.h"

enum { PLAIN_THREADS = 256 };

__device__ static float nearest_image(float d, float box)
{
    return box > 0 && isfinite(box) ? d - box * rintf(d / box) : d;
}

/* The force of j on i, and the energy of the pair. */
__device__ static float4 force_of(float4 i, float4 j, float2 c6_c12, float box, float cutoff)
{
    const float x = nearest_image(i.x - j.x, box), y = nearest_image(i.y - j.y, box);
    const float z = nearest_image(i.z - j.z, box), square = x * x + y * y + z * z;
    if (!(square > 0 && sqrtf(square) <= cutoff) || isinf(square))
        return make_float4(0, 0, 0, 0);
    const float inverse = 1 / square, sixth = inverse * inverse * inverse;
    const float coulomb = COULOMB * i.w * j.w * sqrtf(inverse);
    const float six = c6_c12.x * sixth, twelve = c6_c12.y * sixth * sixth;
    const float factor = (12 * twelve - 6 * six + coulomb) * inverse;
    return make_float4(factor * x, factor * y, factor * z, twelve - six + coulomb);
}

__device__ static void add_to(float4 *force, float x, float y, float z, float w)
{
    atomicAdd(&force->x, x); // each protects a component from other threads
    atomicAdd(&force->y, y);
    atomicAdd(&force->z, z);
    atomicAdd(&force->w, w);
}

__global__ void add_plain(const float4 *atoms, const unsigned int *type, size_t count,
                          const unsigned int *first, const unsigned int *neighbors,
                          const float2 *c6_c12, unsigned int types, float box, float cutoff,
                          float4 *forces)
{
    const size_t i = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x;
    if (i >= count)
        return;
    float4 sum = make_float4(0, 0, 0, 0);
    for (unsigned int e = first[i]; e < first[i + 1]; e++) {
        const unsigned int j = neighbors[e];
        const float4 f =
            force_of(atoms[i], atoms[j], c6_c12[type[i] * types + type[j]], box, cutoff);
        sum = make_float4(sum.x + f.x, sum.y + f.y, sum.z + f.z, sum.w + f.w / 2);
        if (!LIST_IS_FULL)
            add_to(&forces[j], -f.x, -f.y, -f.z, f.w / 2);
    }
    if (LIST_IS_FULL)
        forces[i] = sum;
    else
        add_to(&forces[i], sum.x, sum.y, sum.z, sum.w);
}

void pair_forces(const float4 *d_atoms, const unsigned int *d_types, size_t atoms,
                 const unsigned int *d_first, const unsigned int *d_neighbors,
                 const float2 *d_c6_c12, unsigned int types, float box, float cutoff,
                 float4 *d_forces)
{
    if (atoms == 0)
        return;
    must(cudaMemsetAsync(d_forces, 0, atoms * sizeof *d_forces, 0), "cudaMemsetAsync");
    add_plain<<<(unsigned int)((atoms + PLAIN_THREADS - 1) / PLAIN_THREADS), PLAIN_THREADS>>>(
        d_atoms, d_types, atoms, d_first, d_neighbors, d_c6_c12, types, box, cutoff, d_forces);
    must(cudaGetLastError(), "launch of the plain kernel");
}
