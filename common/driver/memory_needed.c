/* memory_needed.c - what SIZE and BINS need of memory, at the least, and what this machine has: see driver.h. */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "util.h"

/* Bytes for one more element, measured on the reference kernels of each kind: that which takes the
 * least, and that of a ladder's which takes the most, whose row is the highest. What takes no more than
 * the text is plain C. A bin is there twice, and is watched. */
static const struct {
    uint64_t usual, least, most;
} kinds[KINDS] = {
    [TEXTS] = {1 << 20, 10, 305},
    [KEYS] = {1 << 16, 64, 85},
    [VALUES] = {1 << 20, 44, 106},
    [MANY] = {1 << 20, 2, 3},
};
enum { A_BIN = 48, IN_C = 2 };

static uint64_t number_in(const char *path, const char *word)
{
    char line[256];
    uint64_t number = UINT64_MAX;
    FILE *file = fopen(path, "r");
    while (file && number == UINT64_MAX && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0 && line[strlen(word)] >= '0' &&
            line[strlen(word)] <= '9')
            number = strtoull(line + strlen(word), NULL, 10);
    if (file)
        fclose(file);
    return number;
}

/* Bytes of memory of this machine, or of the group of processes that this one is in. */
static uint64_t memory_here(void)
{
    const uint64_t of_group = number_in("/sys/fs/cgroup/memory.max", "");
    const uint64_t of_machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return of_group < of_machine ? of_group : of_machine;
}

/* What the command's kernels of a kind need. */
static double needed(const struct command *command, enum kind kind)
{
    uint64_t length = kinds[kind].usual, bins = 0;
    uint64_t each = command->chapter ? kinds[kind].least : kinds[kind].most;
    if (kind == TEXTS && command->chapter && is_in_c(about(command, kind)))
        each = IN_C;
    if (*setting("SIZE"))
        read_length(setting("SIZE"), &length);
    if (kind == KEYS && *setting("BINS"))
        read_number(setting("BINS"), &bins);
    return (double)length * (double)each + (double)bins * A_BIN;
}

void check_memory(const struct command *command)
{
    static const char running[] = "run profile replay debug trace test bench all";
    const double gibi = 1 << 30, here = (double)memory_here();
    const char *goal = command->goal ? command->goal : "run";
    for (enum kind kind = TEXTS; !command->gpu && is_in(goal, running) && kind < KINDS; kind++) {
        const double bytes = about(command, kind) ? needed(command, kind) : 0;
        const char *name = kind == KEYS && *setting("BINS") ? "BINS" : "SIZE";
        if (*setting(name) && bytes > here)
            refuse("%s=%s: needs %.1f GiB of memory or more, and this machine has %.1f", name,
                   setting(name), bytes / gibi, here / gibi);
    }
}
