/* shapes.cu - lanes meet again behind control flow of every shape, and what a condition has loaded is not
 * loaded again: as many requests as a card makes. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>

#include "../fidelity/shapes.h"
#include "sim.h"

/* Rounds counted in 16 bits, loops told apart by their heads alone, conditions whose loads are forgotten. */
Test(shapes, are_counted_as_on_a_card)
{
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i % 32;
    sim_set_checks("none");
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, 256 * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (const struct shape &shape : shapes) {
#ifdef __clang__ /* makes one loop with two heads of it, and lanes of two rounds load together */
        if (shape.run == two_continues_of_while)
            continue;
#endif
        sim_reset_counters();
        shape.run<<<1, 32>>>(out, in);
        cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
        const struct sim_counters counters = sim_counters();
        const unsigned long long stores = counters.global[SIM_STORE].requests;
        const unsigned long long loads = counters.global[SIM_LOAD].requests;
        cr_expect_eq(stores, shape.stores, "%s: %llu requests of stores, not %u", shape.name,
                     stores, shape.stores);
        if (shape.loads)
            cr_expect_eq(loads, shape.loads, "%s: %llu requests of loads, not %u", shape.name,
                         loads, shape.loads);
    }
}
