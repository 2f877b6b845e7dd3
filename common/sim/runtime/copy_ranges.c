/* copy_ranges.c - whether a range of memory may be copied: it must lie in one allocation, on the side
 * where it is expected. */
#include "runtime/runtime.h"

enum { WHERE_BYTES = 512 };

/* The range begins at an address that no allocation holds. */
static cudaError_t refuse_unowned(struct sim_call call, struct sim_range range)
{
    uintptr_t address = (uintptr_t)range.pointer;
    const struct sim_allocation *near = sim_memory_nearest(address);
    char where[WHERE_BYTES];
    if (address - sim_arena_base >= sim_arena_bytes)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, is host memory: device memory is expected here", range.role,
                          range.pointer);
    if (!near)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, belongs to no allocation of the device", range.role,
                          range.pointer);
    sim_locate(near->allocated_at, where, sizeof where);
    return sim_refuse(call, cudaErrorInvalidValue,
                      "the %s, %p, belongs to no allocation; the nearest is the %zu bytes at %p, "
                      "allocated at %s",
                      range.role, range.pointer, near->bytes, (void *)near->base, where);
}

/* The range begins in `a`: is that the right side, and does it end there, too? */
static cudaError_t check_owned(struct sim_call call, struct sim_range range,
                               const struct sim_allocation *a)
{
    char where[WHERE_BYTES], freed[WHERE_BYTES];
    size_t offset = (uintptr_t)range.pointer - a->base;
    bool is_variable = a->kind == SIM_DEVICE_VARIABLE;
    bool is_device = is_variable || a->kind == SIM_DEVICE_MEMORY;
    bool is_misplaced = is_device && range.side == SIM_HOST_SIDE;
    if (!a->freed_at && !is_misplaced && range.bytes <= a->bytes - offset)
        return cudaSuccess;
    sim_locate(a->allocated_at, where, sizeof where); /* reads the debug information */
    if (a->freed_at)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, was allocated at %s and has been freed at %s", range.role,
                          range.pointer, where, sim_locate(a->freed_at, freed, sizeof freed));
    if (is_misplaced)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "the %s, %p, is device memory%s%s: host memory is expected here",
                          range.role, range.pointer, is_variable ? "" : ", allocated at ",
                          is_variable ? "" : where);
    return sim_refuse(call, cudaErrorInvalidValue,
                      "%zu bytes from byte %zu of the %s do not fit: it has %zu bytes%s%s",
                      range.bytes, offset, range.role, a->bytes,
                      is_variable ? "" : ", allocated at ", is_variable ? "" : where);
}

static cudaError_t check_range(struct sim_call call, struct sim_range range)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)range.pointer);
    if (range.bytes == 0)
        return cudaSuccess;
    if (!range.pointer)
        return sim_refuse(call, cudaErrorInvalidValue, "the %s is NULL", range.role);
    if (a)
        return check_owned(call, range, a);
    if (range.side == SIM_DEVICE_SIDE ||
        (uintptr_t)range.pointer - sim_arena_base < sim_arena_bytes)
        return refuse_unowned(call, range);
    return cudaSuccess;
}

/* What does not fit was told by the refusal; to memcheck it is an error like any other. */
cudaError_t sim_check_range(struct sim_call call, struct sim_range range)
{
    cudaError_t error = check_range(call, range);
    if (error && sim_checks(CHECK_MEMORY))
        sim_count_error(true);
    return error;
}
