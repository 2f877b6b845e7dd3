/* shared_memory.c - the __shared__ variables of the running kernel.
 *
 * Every variable lies at the same offset in each block's shared memory, with
 * unused space behind it, so that an overflow is seen. The offsets are multiples
 * of 128 bytes, or of what the variable asks for: the banks of its elements are then those
 * it has on the hardware, but for a rotation, which no counter shows. */
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

enum { GUARD = 128, GUARD_BEFORE = 4096, MOST_ALIGNMENT = 4096 /* of a slot */, POISON = 0xa5 };

static void refuse(struct launch *launch, const char *headline, const char *detail, uintptr_t pc)
{
    sim_report(CHECK_MEMORY, sim_lane, pc, headline, detail,
               "use fewer or smaller ones, or dynamic shared memory with "
               "cudaFuncSetAttribute (nvcc refuses to compile this kernel)");
    sim_stop_launch(launch, cudaErrorLaunchOutOfResources);
}

/* nvcc knows the size of the variables, and cudaFuncSetAttribute or the launch fails; here they are
 * known when a thread comes to them. */
static void refuse_together(struct launch *launch, const char *name, uintptr_t pc)
{
    char headline[80], text[200];
    snprintf(headline, sizeof headline, "Too much shared memory: a block has %zu bytes",
             sim_shared_per_block_optin());
    snprintf(text, sizeof text,
             "with %s %zu bytes of __shared__ variables and %zu of dynamic shared memory", name,
             launch->static_shared, launch->request->shared_bytes);
    sim_report(
        CHECK_MEMORY, sim_lane, pc, headline, text,
        "launch with so much less, or put the variables into the dynamic shared memory, too");
    sim_stop_launch(launch, cudaErrorInvalidValue);
}

/* `pc`: where the kernel declares it. */
static void check_room(struct launch *launch, const char *name, size_t alignment, uintptr_t pc)
{
    char text[160];
    if (launch->static_shared + launch->request->shared_bytes > sim_shared_per_block_optin())
        refuse_together(launch, name, pc);
    if (launch->static_shared > SIM_SHARED_PER_BLOCK || launch->shared_count == SHARED_VARIABLES) {
        snprintf(text, sizeof text, "%s brings the kernel's __shared__ variables to %zu bytes",
                 name, launch->static_shared);
        refuse(launch, "Too much shared memory: a block has 49152 bytes for __shared__ variables",
               text, pc);
    }
    if (alignment > MOST_ALIGNMENT) {
        snprintf(text, sizeof text, "%s asks for a multiple of %zu", name, alignment);
        refuse(launch,
               "Too wide an alignment: __shared__ variables lie at multiples of 4096 at most", text,
               pc);
    }
}

static size_t round_up(size_t bytes, size_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/* Behind all static variables, with GUARD bytes in between. */
static size_t next_offset(const struct launch *launch, size_t alignment)
{
    size_t offset = GUARD_BEFORE; /* an index below 0 is seen, too */
    for (size_t i = 0; i < launch->shared_count; i++)
        if (launch->shared[i].key)
            offset = round_up(launch->shared[i].offset + launch->shared[i].size, GUARD) + GUARD;
    return round_up(offset, alignment > GUARD ? alignment : GUARD);
}

static struct shared_variable *add_variable(struct launch *launch, const void *key,
                                            const char *name, size_t size, size_t element,
                                            const size_t *extents, size_t alignment, uintptr_t pc)
{
    size_t offset = next_offset(launch, alignment);
    launch->static_shared += size;
    check_room(launch, name, alignment, pc);
    struct shared_variable *variable = &launch->shared[launch->shared_count++];
    *variable = (struct shared_variable){key, name, offset, size, element, extents};
    return variable;
}

/* Fills the variable with rubbish when a block meets it for the first time: on a
 * GPU it holds what the block before left there. */
static void *hand_out(struct launch *launch, struct block *block, struct shared_variable *variable)
{
    uint64_t bit = (uint64_t)1 << (variable - launch->shared);
    if (!(block->shared_seen & bit)) {
        block->shared_seen |= bit;
        memset(block->shared + variable->offset, POISON, variable->size);
        if (sim_checks(CHECK_INIT))
            sim_init_fresh_shared(block, variable->offset, variable->size);
    }
    return block->shared + variable->offset;
}

void *sim_shared_variable(const void *key, const char *name, size_t size, size_t element,
                          const size_t *extents, size_t alignment)
{
    struct block *block = sim_lane->warp->block;
    struct launch *launch = block->launch;
    for (size_t i = 0; i < launch->shared_count; i++)
        if (launch->shared[i].key == key)
            return hand_out(launch, block, &launch->shared[i]);
    return hand_out(launch, block,
                    add_variable(launch, key, name, size, element, extents, alignment, HERE.pc));
}

/* Its size is that of the launch, whatever the declaration says. */
void *sim_dynamic_shared(const char *name, size_t element, const size_t *extents)
{
    struct block *block = sim_lane->warp->block;
    struct launch *launch = block->launch;
    size_t bytes = launch->request->shared_bytes;
    for (size_t i = 0; i < launch->shared_count; i++)
        if (!launch->shared[i].key)
            return hand_out(launch, block, &launch->shared[i]);
    check_room(launch, name, 1, HERE.pc);
    struct shared_variable *variable = &launch->shared[launch->shared_count++];
    *variable = (struct shared_variable){NULL, name, SHARED_DYNAMIC, bytes, element, extents};
    return hand_out(launch, block, variable);
}
