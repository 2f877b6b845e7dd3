/* dev_shm.c - tries /dev/shm: see dev_shm.h. */
#define _GNU_SOURCE
#include "dev_shm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ENOUGH = 1 << 20 /* bytes */ };

const char *dev_shm_lacks(void)
{
    char name[64];
    snprintf(name, sizeof name, "/histogram-ladder-%d", (int)getpid());
    int memory = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (memory < 0)
        return strerror(errno);
    const int error = posix_fallocate(memory, 0, ENOUGH);
    shm_unlink(name);
    close(memory);
    return error != 0 ? strerror(error) : NULL;
}
