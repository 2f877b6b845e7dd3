/* kernel_folder.c - where the programs lie that a suite judges: see kernel_folder.h. */
#define _GNU_SOURCE
#include "kernel_folder.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each test is a new process of the suite's program, without its arguments. */
#define SETTING "KERNEL_FOLDER"

static void set_folder(const char *name)
{
    char *folder = realpath(name, NULL);
    setenv(SETTING, folder ? folder : name, 1);
    free(folder);
}

void kernel_folder_take(int *count, char **arguments)
{
    for (; *count >= 3; *count -= 2) {
        if (strcmp(arguments[1], "--kernel") == 0)
            set_folder(arguments[2]);
        else if (strcmp(arguments[1], "--bins") == 0)
            setenv("NUM_BINS", arguments[2], 1);
        else
            return;
        memmove(arguments + 1, arguments + 3, (size_t)(*count - 2) * sizeof *arguments);
    }
}

const char *kernel_program(const char *below)
{
    static char path[8192];
    char own[4096];
    const char *folder = getenv(SETTING);
    if (!folder) {
        ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        own[length > 0 ? length : 0] = '\0';
        *(strrchr(own, '/') ? strrchr(own, '/') : own) = '\0';
        folder = own;
    }
    snprintf(path, sizeof path, "%s/%s%skernel", folder, below, below[0] ? "/" : "");
    if (access(path, X_OK) != 0)
        cr_assert_fail("cannot start the kernel's process: %s: %s", path, strerror(errno));
    return path;
}
