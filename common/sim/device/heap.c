/* heap.c - malloc, free, new and delete in a kernel: the device's own heap.
 *
 * Calls in a .cu file are redirected to these (simcc renames the symbols). On the
 * host they are what they were; in a kernel they give device memory, which only
 * kernels may touch, as on a GPU. */
#include <stdlib.h>

#include "checks/checks.h"

#define CALLER (uintptr_t) __builtin_return_address(0)

/* operator new and operator delete of the C++ library. */
void *_Znwm(size_t bytes);
void _ZdlPv(void *memory);

/* A kernel that keeps what it allocated is leaked memory like any other. */
static void *allocate_on_device(size_t bytes, uintptr_t pc)
{
    sim_leak_watch();
    return sim_memory_allocate(bytes, SIM_DEVICE_MEMORY, sim_running->device, pc);
}

static void free_on_device(void *memory, uintptr_t pc)
{
    static const char *const wrong[] = {
        [SIM_FREED_BEFORE] = "it has been freed before",
        [SIM_NOT_AN_ALLOCATION] = "no malloc or new in a kernel has given this address",
    };
    if (sim_lane->after_store) /* what it has just stored may lie in there */
        sim_lane->after_store(sim_lane);
    enum sim_free_result result = memory ? sim_memory_free(memory, pc) : SIM_FREED;
    if (result != SIM_FREED)
        sim_report(CHECK_MEMORY, sim_lane, pc, "Invalid free in a kernel", wrong[result],
                   "free each piece once, with the pointer that malloc or new gave");
}

void *sim_malloc(size_t bytes);
void *sim_malloc(size_t bytes)
{
    return sim_lane ? allocate_on_device(bytes, CALLER) : malloc(bytes);
}

void sim_free(void *memory);
void sim_free(void *memory)
{
    if (sim_lane)
        free_on_device(memory, CALLER);
    else
        free(memory);
}

void *sim_new(size_t bytes);
void *sim_new(size_t bytes)
{
    return sim_lane ? allocate_on_device(bytes, CALLER) : _Znwm(bytes);
}

void *sim_new_array(size_t bytes);
void *sim_new_array(size_t bytes)
{
    return sim_lane ? allocate_on_device(bytes, CALLER) : _Znwm(bytes);
}

void sim_delete(void *memory);
void sim_delete(void *memory)
{
    if (sim_lane)
        free_on_device(memory, CALLER);
    else
        _ZdlPv(memory);
}

void sim_delete_array(void *memory);
void sim_delete_array(void *memory)
{
    sim_delete(memory);
}

void sim_delete_sized(void *memory, size_t bytes);
void sim_delete_sized(void *memory, size_t bytes)
{
    (void)bytes;
    sim_delete(memory);
}
