/* target_host.c - chapter 1 is plain C: histogram() works in the program's own memory. */
#define _DEFAULT_SOURCE /* mmap without a file */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool target_is_device(void)
{
    return false;
}

void *target_allocate(size_t bytes)
{
    const size_t alignment = 256;
    void *memory = aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    memset(memory, 'a', (bytes / alignment + 1) * alignment); /* reading on past the end counts */
    return memory;
}

/* Never given back: it ends with the program. */
void *target_reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE); /* fewer page faults; without it only slower */
    return memory;
}

void target_free(void *memory)
{
    free(memory);
}

void target_fill(void *memory, int value, size_t bytes)
{
    memset(memory, value, bytes);
}

void target_write(void *memory, const void *from, size_t bytes)
{
    memcpy(memory, from, bytes);
}

void target_read(void *to, const void *memory, size_t bytes)
{
    memcpy(to, memory, bytes);
}

size_t target_memory_left(void)
{
    return 0;
}

struct held target_held(void)
{
    return (struct held){{[HELD_FILES] = held_files()}};
}

bool target_finish(char *error, size_t size)
{
    (void)error;
    (void)size;
    return true;
}

uint64_t target_launches(void)
{
    return 0;
}

void target_may_end_with(int status)
{
    (void)status;
}

void target_choose(const char *kernel)
{
    (void)kernel;
}
