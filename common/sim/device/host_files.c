/* host_files.c - what host code in a .cu file hands to the system to fill or to write: simcc redirects these
 * calls here. The system touches that memory as host code would, and no compiler sees it. Nor does one see what
 * a library does. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "engine/engine.h"
#include "sim.h"

/* Pinned memory that an unfinished copy or kernel may still use is reported, and so is a device's. */
static void host_touches(const void *memory, size_t bytes, struct place place, bool writes)
{
    if (sim_lane || bytes == 0 || (uintptr_t)memory - sim_arena_base >= sim_arena_bytes)
        return;
    sim_host_fault((uintptr_t)memory, place.pc, true, writes);
    sim_host_touches(memory, bytes, place, writes);
}

void sim_library_touches(const void *memory, size_t bytes, const void *called_at, int writes)
{
    const struct place place = {(uintptr_t)called_at, (uintptr_t)__builtin_dwarf_cfa()};
    host_touches(memory, bytes, place, writes);
}

ssize_t sim_read(int file, void *to, size_t bytes);
ssize_t sim_read(int file, void *to, size_t bytes)
{
    host_touches(to, bytes, HERE, true);
    return read(file, to, bytes);
}

ssize_t sim_pread(int file, void *to, size_t bytes, off64_t offset);
ssize_t sim_pread(int file, void *to, size_t bytes, off64_t offset)
{
    host_touches(to, bytes, HERE, true);
    return pread64(file, to, bytes, offset);
}
ssize_t sim_pread64(int file, void *to, size_t bytes, off64_t offset)
    __attribute__((alias("sim_pread")));

size_t sim_fread(void *to, size_t bytes, size_t count, FILE *file);
size_t sim_fread(void *to, size_t bytes, size_t count, FILE *file)
{
    host_touches(to, bytes * count, HERE, true);
    return fread(to, bytes, count, file);
}

ssize_t sim_write(int file, const void *from, size_t bytes);
ssize_t sim_write(int file, const void *from, size_t bytes)
{
    host_touches(from, bytes, HERE, false);
    return write(file, from, bytes);
}

ssize_t sim_pwrite(int file, const void *from, size_t bytes, off64_t offset);
ssize_t sim_pwrite(int file, const void *from, size_t bytes, off64_t offset)
{
    host_touches(from, bytes, HERE, false);
    return pwrite64(file, from, bytes, offset);
}
ssize_t sim_pwrite64(int file, const void *from, size_t bytes, off64_t offset)
    __attribute__((alias("sim_pwrite")));

size_t sim_fwrite(const void *from, size_t bytes, size_t count, FILE *file);
size_t sim_fwrite(const void *from, size_t bytes, size_t count, FILE *file)
{
    host_touches(from, bytes * count, HERE, false);
    return fwrite(from, bytes, count, file);
}
