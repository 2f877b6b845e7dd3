/* address.c - what the reader is told of an address: the element of a variable, a parameter or
 * an allocation. */
#include <stdio.h>

#include "memory/memory.h"

const struct shared_variable *sim_find_shared(const struct launch *launch, size_t offset)
{
    for (size_t i = 0; i < launch->shared_count; i++)
        if (offset - launch->shared[i].offset < launch->shared[i].size)
            return &launch->shared[i];
    return NULL;
}

static void describe_variable(const struct sim_allocation *variable, uintptr_t address,
                              unsigned int bytes, char *text, size_t size)
{
    char name[96];
    size_t offset = address - variable->base;
    sim_symbol_name(address, name, sizeof name);
    if (variable->bytes > bytes)
        snprintf(text, size, "%s[%zu]", name, offset / bytes);
    else
        snprintf(text, size, "%s", name);
}

static bool describe_shared(const struct block *block, uintptr_t address, char *text, size_t size)
{
    size_t offset = address - (uintptr_t)block->shared;
    const struct shared_variable *v =
        offset < SHARED_SLOT ? sim_find_shared(block->launch, offset) : NULL;
    if (!v)
        return false;
    struct sim_array array = sim_shared_array(block, v);
    sim_name_element(&array, address, text, size);
    return true;
}

char *sim_describe_address(const struct block *block, const struct sim_allocation *allocation,
                           uintptr_t address, unsigned int bytes, char *text, size_t size)
{
    char where[160];
    struct sim_array array;
    if (!allocation && describe_shared(block, address, text, size))
        return text;
    if (!allocation)
        snprintf(text, size, "address 0x%zx", (size_t)address);
    else if (allocation->kind == SIM_DEVICE_VARIABLE)
        describe_variable(allocation, address, bytes, text, size);
    else if (sim_find_parameter(block->launch, allocation, address, &array))
        sim_name_element(&array, address, text, size);
    else
        snprintf(text, size, "element %zu of the %zu-byte allocation made at %s",
                 (address - allocation->base) / bytes, allocation->bytes,
                 sim_locate(allocation->allocated_at, where, sizeof where));
    return text;
}

char *sim_describe_origin(const struct block *block, const struct sim_allocation *allocation,
                          uintptr_t address, char *text, size_t size)
{
    char where[160];
    struct sim_array array;
    text[0] = '\0';
    if (allocation && allocation->kind != SIM_DEVICE_VARIABLE && !allocation->lent &&
        sim_find_parameter(block->launch, allocation, address, &array))
        snprintf(text, size, "%s was allocated at %s", array.name,
                 sim_locate(allocation->allocated_at, where, sizeof where));
    return text;
}
