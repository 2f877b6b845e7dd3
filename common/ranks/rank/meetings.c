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
static struct own {
    char name[MEETING_NAME]; /* by which this rank has come; "" when it has not */
    bool forgotten;          /* all are in: the name is nobody's any more */
} own[MEETINGS];

void meetings_begin(const char *folder, struct control *shared)
{
    char path[PATH_ROOM + 32];
    control = shared;
    snprintf(path, sizeof path, "%s/" MEETINGS_FILE, folder);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        perror(path);
        exit(1);
    }
}

static void lock(void)
{
    uint32_t open = 0;
    while (!atomic_compare_exchange_weak(&control->meetings_locked, &open, 1)) {
        open = 0;
        sched_yield();
    }
}

static void unlock(void)
{
    control->meetings_locked = 0;
}

static void *part(unsigned int i, size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)i * MEETING_BYTES);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The meeting of this name, or a free one, which then has it, and zeros; MEETINGS when there is none. */
static unsigned int meeting_of(const char *name, void **memory, size_t bytes)
{
    unsigned int chosen = MEETINGS, known = MEETINGS;
    for (unsigned int i = MEETINGS; i-- > 0;) {
        if (strcmp(control->meeting[i].name, name) == 0)
            known = i;
        if (!control->meeting[i].name[0] && control->meeting[i].users == 0)
            chosen = i;
    }
    if (known < MEETINGS)
        chosen = known;
    if (chosen == MEETINGS || !(*memory = part(chosen, bytes)))
        return MEETINGS;
    if (known == MEETINGS && madvise(*memory, bytes, MADV_REMOVE) != 0)
        memset(*memory, 0, bytes);
    snprintf(control->meeting[chosen].name, MEETING_NAME, "%s", name);
    return chosen;
}

void *sim_nccl_share(const char *name, size_t bytes)
{
    void *memory = NULL;
    errno = ENFILE;
    if (!control || bytes > MEETING_BYTES)
        return NULL;
    lock();
    const unsigned int i = meeting_of(name, &memory, bytes);
    if (i < MEETINGS) {
        control->meeting[i].users++;
        snprintf(own[i].name, MEETING_NAME, "%s", name);
        own[i].forgotten = false;
    }
    unlock();
    return memory;
}

void sim_nccl_forget(const char *name)
{
    if (!control)
        return;
    lock();
    for (unsigned int i = 0; i < MEETINGS; i++) {
        if (strcmp(own[i].name, name) != 0)
            continue;
        if (strcmp(control->meeting[i].name, name) == 0)
            control->meeting[i].name[0] = '\0';
        if (own[i].forgotten) {
            control->meeting[i].users--;
            own[i].name[0] = '\0';
        }
        own[i].forgotten = true;
    }
    unlock();
}
