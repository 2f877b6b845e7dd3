/* A thread for each list, as the formula is written down, in doubles but for what is added. It returns where a
 * pair brings nothing.
 * Operations: half full */
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#include "cuda_check.h"
#include "given/add_four.h"
#include "pair_forces.h"

struct Atom {
    double x[3], q;
    unsigned int type;
};

__device__ static Atom atom_at(const float4 *atoms, const unsigned int *types, unsigned int i)
{
    const float4 a = atoms[i];
    return {{a.x, a.y, a.z}, a.w, types[i]};
}

__device__ static double image(double d, double box)
{
    return box > 0 && box < HUGE_VAL ? d - box * floor(d / box + 0.5) : d;
}

/* Whether the pair counts; then the force and half of the energy. */
__device__ static bool pair(const Atom &a, const Atom &b, const float2 *table, unsigned int types,
                            double box, double cutoff, float4 *force)
{
    double d[3], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = image(a.x[axis] - b.x[axis], box);
        square += d[axis] * d[axis];
    }
    const double r = sqrt(square);
    if (!(r > 0) || !(r <= cutoff) || isinf(r))
        return false;
    const float2 c = table[a.type * types + b.type];
    const double attraction = c.x / pow(r, 6), repulsion = c.y / pow(r, 12);
    const double charges = (double)COULOMB * a.q * b.q / r;
    const double by_r = (12 * repulsion - 6 * attraction + charges) / square;
    *force = make_float4((float)(by_r * d[0]), (float)(by_r * d[1]), (float)(by_r * d[2]),
                         (float)((repulsion - attraction + charges) / 2));
    return true;
}

__global__ void all_lists(const float4 *atoms, const unsigned int *types, size_t count,
                          const unsigned int *first, const unsigned int *neighbors,
                          const float2 *table, unsigned int num_types, float box, float cutoff,
                          float4 *forces)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const Atom mine = atom_at(atoms, types, (unsigned int)i);
    float4 sum = {0, 0, 0, 0}, force = {0, 0, 0, 0};
    for (unsigned int n = first[i]; n != first[i + 1]; n++) {
        const unsigned int j = neighbors[n];
        if (!pair(mine, atom_at(atoms, types, j), table, num_types, box, cutoff, &force))
            continue;
        sum.x += force.x;
        sum.y += force.y;
        sum.z += force.z;
        sum.w += force.w;
#if OPERATION_IS(half)
        add_four(forces + j, {-force.x, -force.y, -force.z, force.w});
#endif
    }
#if OPERATION_IS(half)
    add_four(forces + i, sum);
#else
    forces[i] = sum;
#endif
}

void pair_forces(const float4 *d_atoms, const unsigned int *d_types, size_t atoms,
                 const unsigned int *d_first, const unsigned int *d_neighbors,
                 const float2 *d_c6_c12, unsigned int types, float box, float cutoff,
                 float4 *d_forces)
{
    if (atoms >> 32) {
        std::fprintf(stderr, "too many atoms: %zu\n", atoms);
        std::exit(1);
    }
    if (atoms > 0) {
        CHECK(cudaMemsetAsync(d_forces, 0, atoms * sizeof(float4)));
        all_lists<<<(unsigned int)((atoms + 63) / 64), 64>>>(d_atoms, d_types, atoms, d_first,
                                                              d_neighbors, d_c6_c12, types, box,
                                                              cutoff, d_forces);
        CHECK(cudaGetLastError());
    }
}
