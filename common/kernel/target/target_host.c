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

enum { ALIGNMENT = 256, BEFORE = 0x5b, BEHIND = 'a' /* reading on past the end counts */ };

/* An array, with ALIGNMENT bytes in front of it and some behind it, which nobody may change. */
struct guarded {
    unsigned char *memory;
    size_t bytes, behind;
    struct guarded *next;
};
static struct guarded *all;

void *target_allocate(size_t bytes)
{
    const size_t behind = ALIGNMENT - bytes % ALIGNMENT;
    struct guarded *array = malloc(sizeof *array);
    unsigned char *space = aligned_alloc(ALIGNMENT, ALIGNMENT + bytes + behind);
    if (!array || !space) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    memset(space, BEFORE, ALIGNMENT);
    memset(space + ALIGNMENT, BEHIND, bytes + behind);
    *array = (struct guarded){space + ALIGNMENT, bytes, behind, all};
    all = array;
    return array->memory;
}

static bool are_all(const unsigned char *memory, unsigned char value, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && memory[i] == value)
        i++;
    return i == bytes;
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
    struct guarded **at = &all;
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    struct guarded *array = *at;
    if (!array)
        return;
    *at = array->next;
    free(array->memory - ALIGNMENT);
    free(array);
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
    for (const struct guarded *array = all; array; array = array->next) {
        const bool before = !are_all(array->memory - ALIGNMENT, BEFORE, ALIGNMENT);
        if (!before && are_all(array->memory + array->bytes, BEHIND, array->behind))
            continue;
        snprintf(
            error, size,
            before ? "something was written in front of an array of %zu bytes: an index is below 0"
                   : "something was written behind an array of %zu bytes: an index is too large",
            array->bytes);
        return false;
    }
    return true;
}

uint64_t target_launches(void)
{
    return 0;
}
