/* 73. Pair forces: scatter or gather.
 *
 * A warp takes the list of one atom. Each lane works out the forces of some of its pairs, and adds them up in
 * registers; shuffles add up the lanes. A half list brings the other atom's force, too: an atomic for each pair.
 * With full lists each atom gathers all that it needs, so that no thread writes what is another's. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"     // CHECK(call): a call that fails ends the program with one line
#include "given/add_four.h" // add_four(to, sums): one atomic for four floats, where the card has it
#include "pair_forces.h"

enum { WARP = 32, THREADS_PER_BLOCK = 128, LISTS_PER_BLOCK = THREADS_PER_BLOCK / WARP };
#define ALL_LANES 0xffffffffu

/* What all kernels read. */
struct system {
    const float4 *atoms;
    const unsigned int *types, *first, *neighbors;
    const float2 *c6_c12;
    size_t count;
    unsigned int num_types;
    float box, per_box; // the box and its reciprocal; both are 0 if there are no images
    float square;       // of the cutoff; below 0 if it leaves no pair
};

/* From the nearest image of one coordinate to another. */
__device__ static float apart(const struct system *all, float from, float to)
{
    const float distance = to - from;
    return distance - all->box * rintf(distance * all->per_box);
}

/* The vector d from the nearest image of an atom to another, and in w its square. */
__device__ static float4 vector_between(const struct system *all, float4 from, float4 to)
{
    float4 d;
    d.x = apart(all, from.x, to.x);
    d.y = apart(all, from.y, to.y);
    d.z = apart(all, from.z, to.z);
    d.w = d.x * d.x + d.y * d.y + d.z * d.z;
    return d;
}

/* The force F of a pair on the atom to which d points, and half of the energy V. `charges` is f q_i q_j. */
__device__ static float4 force_of_pair(float4 d, float2 c6_c12, float charges)
{
    float4 force = make_float4(0, 0, 0, 0);
    // TODO(73.1): Set force: x, y and z become those of F, and w half of V. d.w is r^2, c6_c12.x is c6,
    //             c6_c12.y is c12.
    // end of TODO(73.1)
    return force;
}

__device__ static float4 sum_of(float4 one, float4 other)
{
    return make_float4(one.x + other.x, one.y + other.y, one.z + other.z, one.w + other.w);
}

/* Lane 0 gets the sum of all lanes, others get something. All lanes call it together. */
__device__ static float4 sum_of_warp(float4 sum)
{
    // TODO(73.2): A tree of shuffles, of each component.
    // end of TODO(73.2)
    return sum;
}

/* What atom j gets of a pair of half lists, when the other atom gets `force`. */
__device__ static void give_back(float4 *forces, unsigned int j, float4 force)
{
    // TODO(73.3): Add to forces[j], to which other warps add now: the opposite force, and the same energy.
    // end of TODO(73.3)
}

/* What the list of atom i brings to it, for this lane: entries `lane`, lane + 32 and so on. While a lane waits for an
 * atom, the number of the next one is on its way. Entries are counted from the end, and with 32 bits: a number of
 * 64 bits would take registers, and leave room for fewer warps. */
__device__ static float4 take_list(const struct system *all, size_t i, float4 *forces)
{
    const float4 atom = all->atoms[i];
    const float2 *row = all->c6_c12 + (size_t)all->types[i] * all->num_types;
    const unsigned int end = all->first[i + 1], entries = end - all->first[i];
    const unsigned int lane = threadIdx.x % WARP;
    float4 sum = make_float4(0, 0, 0, 0);
    unsigned int left = entries > lane ? entries - lane : 0; // with the lane's next entry
    unsigned int next = left > 0 ? all->neighbors[end - left] : 0;
    while (left > 0) {
        const unsigned int j = next;
        left = left > WARP ? left - WARP : 0;
        if (left > 0)
            next = all->neighbors[end - left];
        const float4 other = all->atoms[j], d = vector_between(all, other, atom);
        if (!(d.w > 0 && d.w <= all->square)) // a NaN is neither
            continue;
        const unsigned int type = all->num_types > 1 ? all->types[j] : 0; // the only one is 0
        const float4 force = force_of_pair(d, row[type], COULOMB * atom.w * other.w);
        sum = sum_of(sum, force);
        if (!LIST_IS_FULL)
            give_back(forces, j, force);
    }
    return sum;
}

/* A warp for each list. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    pair_forces_kernel(struct system all, float4 *forces)
{
    const size_t i = (size_t)blockIdx.x * LISTS_PER_BLOCK + threadIdx.x / WARP;
    if (i >= all.count)
        return;
    const float4 sum = sum_of_warp(take_list(&all, i, forces));
    if (threadIdx.x % WARP == 0) {
        // TODO(73.4): forces[i] becomes the sum if lists are full. If they are half, other warps have
        //             added to forces[i], or will: add to it.
        // end of TODO(73.4)
    }
}

void pair_forces(const float4 *d_atoms, const unsigned int *d_types, size_t atoms,
                 const unsigned int *d_first, const unsigned int *d_neighbors,
                 const float2 *d_c6_c12, unsigned int types, float box, float cutoff,
                 float4 *d_forces)
{
    if (atoms > UINT32_MAX) {
        fprintf(stderr, "pair_forces: %zu atoms; at most 4294967295 are taken\n", atoms);
        exit(1);
    }
    if (atoms == 0)
        return;
    const bool has_images = box > 0 && box < INFINITY;
    struct system all = {d_atoms, d_types, d_first, d_neighbors, d_c6_c12, atoms, types};
    all.box = has_images ? box : 0;
    all.per_box = has_images ? 1 / box : 0;
    all.square = cutoff > 0 ? cutoff * cutoff : -1;
    if (!LIST_IS_FULL) // each atom gets its force from several lists
        CHECK(cudaMemsetAsync(d_forces, 0, atoms * sizeof *d_forces, 0));
    const unsigned int blocks = (unsigned int)((atoms + LISTS_PER_BLOCK - 1) / LISTS_PER_BLOCK);
    pair_forces_kernel<<<blocks, THREADS_PER_BLOCK>>>(all, d_forces);
    CHECK(cudaGetLastError());
}
