/* variables_of_devices.c - __device__ and __constant__ variables, of which each device has its own.
 *
 * Compiled kernels know one address of a variable. There lie those of the device that was used
 * last; what the others have is kept aside, and changes places with them. So the address of a
 * variable, which cudaGetSymbolAddress gives, means that of the device that is at work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

/* The variables that the rewriter put into the section sim_device. */
extern char __start_sim_device[] __attribute__((weak));
extern char __stop_sim_device[] __attribute__((weak));

/* What it noted of their types. */
extern const struct sim_variable __start_sim_types[] __attribute__((weak));
extern const struct sim_variable __stop_sim_types[] __attribute__((weak));

enum { REMEMBERED = 16 };
static unsigned int present; /* the device whose variables lie in the section */
static char *aside[SIM_MOST_DEVICES];
static char *as_begun; /* what a device has in them before it is used */

static char *copy_of_all(void)
{
    size_t bytes = (size_t)(__stop_sim_device - __start_sim_device);
    char *copy = malloc(bytes);
    if (!copy) {
        fprintf(stderr, "simulated GPU: the host is out of memory\n");
        exit(1);
    }
    return memcpy(copy, __start_sim_device, bytes);
}

void sim_use_variables(unsigned int device)
{
    size_t bytes = (size_t)(__stop_sim_device - __start_sim_device);
    if ((sim_options()->devices == 1 && present == device) || bytes == 0)
        return;
    if (!as_begun)
        as_begun = copy_of_all();
    if (present == device)
        return;
    free(aside[present]);
    aside[present] = copy_of_all();
    memcpy(__start_sim_device, aside[device] ? aside[device] : as_begun, bytes);
    present = device;
}

bool sim_is_variable(uintptr_t address)
{
    return address >= (uintptr_t)__start_sim_device && address < (uintptr_t)__stop_sim_device;
}

uintptr_t sim_place_of_variable(uintptr_t address)
{
    return address - (uintptr_t)__start_sim_device;
}

const struct sim_variable *sim_type_of_variable(uintptr_t address)
{
    for (const struct sim_variable *one = __start_sim_types; one < __stop_sim_types; one++)
        if (address - (uintptr_t)one->place < one->bytes)
            return one;
    return NULL;
}

/* Whether the program still has its symbols: those of this file. */
static bool has_symbols(void)
{
    uintptr_t base;
    size_t bytes;
    return sim_find_symbol((uintptr_t)&present, &base, &bytes);
}

const struct sim_allocation *sim_find_variable(uintptr_t address)
{
    static struct sim_allocation known[SIM_MOST_DEVICES][REMEMBERED];
    static unsigned int last[SIM_MOST_DEVICES];
    struct sim_allocation *found = known[present];
    for (unsigned int i = 0; i < REMEMBERED; i++)
        if (address - found[i].base < found[i].bytes)
            return &found[i];
    uintptr_t base;
    size_t bytes;
    const bool is_known = sim_find_symbol(address, &base, &bytes);
    if (!is_known && has_symbols())
        return NULL; /* a gap between variables */
    struct sim_allocation *variable = &found[last[present]++ % REMEMBERED];
    *variable = (struct sim_allocation){
        .kind = SIM_DEVICE_VARIABLE, .device = present, .base = base, .bytes = bytes};
    if (!is_known) {
        variable->base = (uintptr_t)__start_sim_device;
        variable->bytes = (size_t)(__stop_sim_device - __start_sim_device);
    }
    return variable;
}
