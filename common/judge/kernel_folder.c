/* kernel_folder.c - where the programs lie that a suite judges: see kernel_folder.h. */
#define _GNU_SOURCE
#include "kernel_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verdict_log.h"

const char *kernel_program(const char *below)
{
    static char path[8192];
    char own[4096];
    const char *folder = getenv("KERNEL_FOLDER");
    if (!folder) {
        ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        own[length > 0 ? length : 0] = '\0';
        *(strrchr(own, '/') ? strrchr(own, '/') : own) = '\0';
        folder = own;
    }
    snprintf(path, sizeof path, "%s/%s%skernel", folder, below, below[0] ? "/" : "");
    if (access(path, X_OK) != 0)
        fail_test("cannot start the kernel's process: %s: %s", path, strerror(errno));
    return path;
}
