/* constants.c - what a program has and nothing changes: its text, its tables of constants. Kernels may
 * read it, for nvcc gives them constants of the host's by value. */
#define _GNU_SOURCE
#include <link.h>

#include "memory/memory.h"

static uintptr_t begin, end;

/* The first module is the program. What it may write begins behind the parts that it may not, and
 * behind those that the loader makes read-only (RELRO). */
static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t low = info->dlpi_addr + part->p_vaddr, high = low + part->p_memsz;
        const bool is_read_only = part->p_type == PT_LOAD && !(part->p_flags & PF_W);
        if (is_read_only && (!begin || low < begin))
            begin = low;
        if ((is_read_only || part->p_type == PT_GNU_RELRO) && high > end)
            end = high;
    }
    return 1;
}

bool sim_is_constant(uintptr_t low, uintptr_t high)
{
    if (end == 0)
        dl_iterate_phdr(look_into, NULL);
    return low >= begin && high <= end;
}
