/* meetings.c - memory that ranks share, for NCCL: see meetings.h. */
#define _GNU_SOURCE
#include "meetings.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct control *control;
static struct own {
    int file;
    char name[MEETING_NAME]; /* by which this rank has opened it; "" when it has not */
    bool forgotten;          /* all are in: the name is nobody's any more */
} own[MEETINGS];

void meetings_begin(const char *folder, struct control *shared)
{
    char path[PATH_ROOM + 32];
    control = shared;
    for (unsigned int i = 0; i < MEETINGS; i++) {
        snprintf(path, sizeof path, "%s/" MEETING_FILE, folder, i);
        own[i].file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (own[i].file < 0) {
            perror(path);
            exit(1);
        }
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

/* The meeting of this name, or a free one, which then has it; MEETINGS when there is none. */
static unsigned int meeting_of(const char *name)
{
    unsigned int chosen = MEETINGS;
    for (unsigned int i = MEETINGS; i-- > 0;) {
        if (strcmp(control->meeting[i].name, name) == 0)
            return i;
        if (!control->meeting[i].name[0] && control->meeting[i].users == 0)
            chosen = i;
    }
    if (chosen < MEETINGS && ftruncate(own[chosen].file, 0) == 0)
        snprintf(control->meeting[chosen].name, MEETING_NAME, "%s", name);
    return chosen;
}

/* Open MPI has names of its own, before the student's code runs. */
static bool is_others(const char *name, char path[PATH_ROOM])
{
    snprintf(path, PATH_ROOM, "/dev/shm/%s", name + (name[0] == '/'));
    return !control || strncmp(name, "/simulated-nccl-", 16) != 0;
}

int shm_open(const char *name, int how, mode_t mode)
{
    char path[PATH_ROOM];
    if (is_others(name, path))
        return open(path, how | O_CLOEXEC | O_NOFOLLOW, mode);
    lock();
    const unsigned int i = meeting_of(name);
    if (i < MEETINGS) {
        control->meeting[i].users++;
        snprintf(own[i].name, MEETING_NAME, "%s", name);
        own[i].forgotten = false;
    }
    unlock();
    if (i < MEETINGS)
        return fcntl(own[i].file, F_DUPFD_CLOEXEC, 0);
    errno = ENFILE;
    return -1;
}

/* A rank says so twice: when all are in, and when it has left. */
int shm_unlink(const char *name)
{
    char path[PATH_ROOM];
    if (is_others(name, path))
        return unlink(path);
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
    return 0;
}
