/* capacity.c - how much memory the device has: what this machine can give.
 *
 * A program that sizes itself by it touches all that it gets, and each word that is touched has
 * its shadow. So what is told is less than what may be allocated, for memory that nobody touches
 * costs nothing. */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory/memory.h"

enum { RACE_SHADOW = 8, MOST_PERCENT = 90 }; /* bytes of shadow for each byte; of what is free */

/* The number in the first line of a file, or behind a word of it; SIZE_MAX when there is none. */
static size_t read_number(const char *path, const char *line_format)
{
    char line[256];
    unsigned long long number;
    size_t found = SIZE_MAX;
    FILE *file = fopen(path, "r");
    while (file && found == SIZE_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, line_format, &number) == 1)
            found = (size_t)number;
    if (file)
        fclose(file);
    return found;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* What the machine, and the container that this may run in, have for this process. */
static size_t free_bytes(void)
{
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t kilobytes = read_number("/proc/meminfo", "MemAvailable: %llu");
    if (kilobytes < machine / 1024)
        machine = kilobytes * 1024;
    machine = smaller(machine, read_number("/sys/fs/cgroup/memory.max", "%llu"));
    machine = smaller(machine, read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", "%llu"));
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        machine = smaller(machine, (size_t)limit.rlim_cur);
    return machine;
}

size_t sim_memory_for_programs(void)
{
    static size_t free_at_start;
    if (!free_at_start)
        free_at_start = free_bytes() / 100 * MOST_PERCENT;
    size_t bytes = free_at_start;
    if (sim_checks(CHECK_INIT))
        bytes -= bytes / 9; /* a bit for each byte */
    if (sim_checks(CHECK_RACE))
        bytes /= 1 + RACE_SHADOW;
    return smaller(bytes / sim_options()->devices, sim_memory_total());
}
