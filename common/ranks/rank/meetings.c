/* meetings.c - memory that ranks share, for NCCL: see rank.h. */
#define _GNU_SOURCE
#include "rank.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/nccl/collectives.h"

static struct control *control;
static int file;

void meetings_begin(const char *folder, struct control *shared)
{
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/" MEETINGS_FILE, folder);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    control = shared;
}

/* The part of the file that has this name; it is the first free one for a name that is new. The lock keeps two ranks
 * from taking a part each for the same name. */
static unsigned int part_of_rank(const char *name)
{
    uint32_t open = 0;
    unsigned int part = 0;
    while (!atomic_compare_exchange_weak(&control->meetings_locked, &open, 1)) {
        open = 0;
        sched_yield();
    }
    while (part < MEETINGS && control->meeting[part][0] && strcmp(control->meeting[part], name))
        part++;
    if (part < MEETINGS)
        snprintf(control->meeting[part], MEETING_NAME, "%s", name);
    control->meetings_locked = 0;
    return part;
}

void *sim_nccl_share(const char *name, size_t bytes)
{
    const unsigned int part = control && bytes <= MEETING_BYTES ? part_of_rank(name) : MEETINGS;
    errno = ENFILE;
    if (part == MEETINGS)
        return NULL;
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)part * MEETING_BYTES);
    return memory == MAP_FAILED ? NULL : memory;
}

/* No part is used again: a name is drawn once. */
void sim_nccl_forget(const char *name)
{
    (void)name;
}
