/* heap.c - malloc, free, new and delete in a kernel: the device's own heap.
 *
 * Calls in a .cu file are redirected to these (simcc renames the symbols). On the
 * host they are what they were; in a kernel they give device memory, which only
 * kernels may touch, as on a GPU. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "checks/checks.h"
#include "sim.h"

#define CALLER (uintptr_t) __builtin_return_address(0)

/* operator new and operator delete of the C++ library. */
void *_Znwm(size_t bytes);
void _ZdlPv(void *memory);

/* Pieces that host code has: what it got less what it gave back. What a library gives it, or takes from it,
 * is not among them. */
static _Atomic long long pieces;

size_t sim_live_host_memory(void)
{
    const long long current = pieces;
    return current > 0 ? (size_t)current : 0;
}

static void *got(void *memory)
{
    pieces += memory != NULL;
    return memory;
}

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
    sim_lane_has_stored(sim_lane); /* what it has just stored may lie in there */
    enum sim_free_result result = memory ? sim_memory_free(memory, pc) : SIM_FREED;
    if (result != SIM_FREED)
        sim_report(CHECK_MEMORY, sim_lane, pc, "Invalid free in a kernel", wrong[result],
                   "free each piece once, with the pointer that malloc or new gave");
}

void *sim_malloc(size_t bytes);
void *sim_malloc(size_t bytes)
{
    return sim_lane ? allocate_on_device(bytes, CALLER) : got(malloc(bytes));
}

/* These three host code alone may call. */
void *sim_calloc(size_t count, size_t bytes);
void *sim_calloc(size_t count, size_t bytes)
{
    return got(calloc(count, bytes));
}

void *sim_realloc(void *memory, size_t bytes);
void *sim_realloc(void *memory, size_t bytes)
{
    const bool had = memory != NULL;
    void *moved = got(realloc(memory, bytes));
    pieces -= had && (moved || bytes == 0); /* where it fails, the old piece stays */
    return moved;
}

char *sim_strdup(const char *text);
char *sim_strdup(const char *text)
{
    return got(strdup(text));
}

static void give_back(void *memory, void (*function)(void *memory))
{
    pieces -= memory != NULL;
    function(memory);
}

void sim_free(void *memory);
void sim_free(void *memory)
{
    if (sim_lane)
        free_on_device(memory, CALLER);
    else
        give_back(memory, free);
}

void *sim_new(size_t bytes);
void *sim_new(size_t bytes)
{
    return sim_lane ? allocate_on_device(bytes, CALLER) : got(_Znwm(bytes));
}

void *sim_new_array(size_t bytes);
void *sim_new_array(size_t bytes)
{
    return sim_lane ? allocate_on_device(bytes, CALLER) : got(_Znwm(bytes));
}

void sim_delete(void *memory);
void sim_delete(void *memory)
{
    if (sim_lane)
        free_on_device(memory, CALLER);
    else
        give_back(memory, _ZdlPv);
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
