/* occupancy.c - what is known of kernels, and how many of their blocks fit. */
#include <stdio.h>

#include "engine/engine.h"

struct sim_kernel_attributes *sim_kernel_attributes(const void *kernel)
{
    static struct known {
        uint64_t key;
        struct sim_kernel_attributes attributes;
    } * known;
    static struct sim_table kernels = {.entry_bytes = sizeof *known};
    known = sim_table_add(&kernels, (uintptr_t)kernel + 1); /* it may be NULL */
    if (!known) {
        fprintf(stderr, "simulated GPU: the host is out of memory\n");
        exit(1);
    }
    size_t *maximum = known->attributes.dynamic_shared_maximum;
    if (maximum[0] == 0)
        for (int device = 0; device < SIM_MOST_DEVICES; device++)
            maximum[device] = SIM_SHARED_PER_BLOCK;
    return &known->attributes;
}

int sim_blocks_per_multiprocessor(const void *kernel, unsigned int threads, size_t dynamic_shared)
{
    size_t shared = sim_kernel_attributes(kernel)->static_shared + dynamic_shared;
    if (threads == 0 || threads > SIM_THREADS_PER_BLOCK || shared > sim_shared_per_block_optin())
        return 0;
    return (int)sim_blocks_on_card(sim_options()->card, threads, shared);
}
