/* address.c - what the reader is told of an address: the variable, the element, or the
 * memory beside which it lies. */
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
    if (v->element && v->size > v->element)
        snprintf(text, size, "%s[%zu]", v->name, (offset - v->offset) / v->element);
    else
        snprintf(text, size, "%s", v->name);
    return true;
}

char *sim_describe_address(const struct block *block, const struct sim_allocation *allocation,
                           uintptr_t address, unsigned int bytes, char *text, size_t size)
{
    char where[160];
    if (!allocation && describe_shared(block, address, text, size))
        return text;
    if (!allocation) {
        snprintf(text, size, "address 0x%zx", (size_t)address);
    } else if (allocation->kind == SIM_DEVICE_VARIABLE) {
        describe_variable(allocation, address, bytes, text, size);
    } else {
        snprintf(text, size, "element %zu of the %zu-byte allocation made at %s",
                 (address - allocation->base) / bytes, allocation->bytes,
                 sim_locate(allocation->allocated_at, where, sizeof where));
    }
    return text;
}

/* The shared variable that is nearest to an offset, or NULL. */
static const struct shared_variable *nearest_shared(const struct launch *launch, size_t offset)
{
    const struct shared_variable *best = NULL;
    size_t distance = SIZE_MAX;
    for (size_t i = 0; i < launch->shared_count; i++) {
        const struct shared_variable *v = &launch->shared[i];
        size_t d = offset < v->offset ? v->offset - offset : offset - v->offset;
        d = offset >= v->offset && d >= v->size ? d - v->size : d;
        if (d < distance) {
            distance = d;
            best = v;
        }
    }
    return best;
}

static void describe_near_shared(const struct warp *warp, size_t offset, char *text, size_t size)
{
    const struct shared_variable *v = nearest_shared(warp->block->launch, offset);
    if (!v) {
        snprintf(text, size, "shared memory that no variable of this kernel holds");
        return;
    }
    long long element = (long long)v->element, bytes = (long long)offset - (long long)v->offset;
    long long index = bytes < 0 ? -((element - 1 - bytes) / element) : bytes / element;
    if (v->size < v->element)
        snprintf(text, size, "%s has no elements; this is %s[%lld], in shared memory", v->name,
                 v->name, index);
    else
        snprintf(text, size, "%s has elements 0 to %zu; this is %s[%lld], in shared memory",
                 v->name, v->size / v->element - 1, v->name, index);
}

static void describe_near_allocation(const struct sim_allocation *near, uintptr_t a, char *text,
                                     size_t size)
{
    char where[160];
    uintptr_t end = near->base + near->bytes;
    const char *how = "after the end of";
    size_t distance = a - end;
    if (a < near->base) {
        how = "before";
        distance = near->base - a;
    } else if (a < end) { /* the access begins inside and ends outside */
        how = "before the end of";
        distance = end - a;
    }
    snprintf(text, size, "address 0x%zx is %zu bytes %s the %zu-byte allocation made at %s",
             (size_t)a, distance, how, near->bytes,
             sim_locate(near->allocated_at, where, sizeof where));
}

void sim_describe_outside(const struct warp *warp, uintptr_t a, char *text, size_t size)
{
    size_t offset = a - (uintptr_t)warp->block->shared;
    const struct sim_allocation *near = sim_memory_nearest(a), *at = sim_memory_find(a);
    char where[160];
    if (offset < SHARED_SLOT)
        describe_near_shared(warp, offset, text, size);
    else if (at && at->freed_at)
        snprintf(text, size, "address 0x%zx was freed at %s", (size_t)a,
                 sim_locate(at->freed_at, where, sizeof where));
    else if (sim_is_lane_stack(a))
        snprintf(text, size, "address 0x%zx is a local variable of another thread", (size_t)a);
    else if (a < 4096)
        snprintf(text, size, "address 0x%zx: a null pointer", (size_t)a);
    else if (near && a - sim_arena_base < sim_arena_bytes)
        describe_near_allocation(near, a, text, size);
    else
        snprintf(text, size, "address 0x%zx is host memory: a kernel cannot use it", (size_t)a);
}

/* By far the most frequent causes, by where the address lies. */
const char *sim_advice_outside(uintptr_t a)
{
    if (a - sim_arena_base < sim_arena_bytes || sim_is_shared(a))
        return "compare the index with the number of elements before the access";
    if (a < 4096)
        return "check the pointer that was passed to the kernel";
    return "allocate it with cudaMalloc, copy with cudaMemcpy, and pass the device pointer";
}
