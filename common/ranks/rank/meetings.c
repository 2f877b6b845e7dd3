/* meetings.c - memory that ranks share, for NCCL: see rank.h. */
#define _GNU_SOURCE
#include "rank.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/nccl/collectives.h"

static struct control *control;
static int file;

void meetings_begin(const char *folder, struct control *shared)
{
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/" CONTROL_FILE, folder);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    control = shared;
}

/* The part of the file that has this name, of many drawn letters; for a name that is new, the first free one. */
static unsigned int part_of_rank(const char *name)
{
    uint64_t number = 1;
    unsigned int part = 0;
    for (; *name; name++)
        number = number * 1099511628211u + (unsigned char)*name;
    for (; part < MEETINGS; part++) {
        uint64_t held = 0;
        /* Two ranks may want the same part; who comes second finds what the first has put there. */
        if (atomic_compare_exchange_strong(&control->meeting[part], &held, number) ||
            held == number)
            break;
    }
    return part;
}

void *sim_nccl_share(const char *name, size_t bytes)
{
    const unsigned int part = control && bytes <= MEETING_BYTES ? part_of_rank(name) : MEETINGS;
    errno = ENFILE;
    if (part == MEETINGS)
        return NULL;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                        (off_t)(MEETINGS_AT + (size_t)part * MEETING_BYTES));
    return memory == MAP_FAILED ? NULL : memory;
}

/* No part is used again: a name is drawn once. */
void sim_nccl_forget(const char *name)
{
    (void)name;
}
