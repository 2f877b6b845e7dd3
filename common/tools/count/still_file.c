/* still_file.c - looks at a file before and after it is counted: see count.h. */
#define _POSIX_C_SOURCE 200809L
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "grouped.h"

/* What it is when it is no regular file. */
static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "is a folder, not a file"
           : S_ISFIFO(mode) ? "is a pipe, whose length nobody knows: write it to a file first"
           : S_ISSOCK(mode) ? "is a socket, not a file"
                            : "is a device, not a file";
}

static const char *reason(int error)
{
    return error == ENOENT    ? "no such file"
           : error == ENOTDIR ? "no such file: a part of its path is no folder"
                              : strerror(error);
}

/* Files of the kernel, as in /proc, say that they are empty and are not. */
static void look_inside(int descriptor, const struct stat *seen, char *why, size_t size)
{
    char byte;
    const ssize_t got = pread(descriptor, &byte, 1, 0);
    if (got < 0)
        snprintf(why, size, "cannot be read: %s", strerror(errno));
    else if (got > 0 && seen->st_size == 0)
        snprintf(why, size, "does not say how long it is: copy it to a file first");
}

void look_at_file(const char *path, struct stat *seen, char *why, size_t size)
{
    *why = '\0';
    *seen = (struct stat){0};
    if (stat(path, seen) != 0) {
        snprintf(why, size, "%s", reason(errno));
        return;
    }
    if (!S_ISREG(seen->st_mode)) {
        snprintf(why, size, "%s", kind_of(seen->st_mode));
        return;
    }
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        snprintf(why, size, "cannot be opened: %s", strerror(errno));
        return;
    }
    look_inside(descriptor, seen, why, size);
    close(descriptor);
}

void look_again(const char *path, const struct stat *before, char *why, size_t size)
{
    struct stat now;
    *why = '\0';
    if (stat(path, &now) != 0)
        snprintf(why, size, errno == ENOENT ? "vanished while it was read" : "%s", strerror(errno));
    else if (now.st_dev != before->st_dev || now.st_ino != before->st_ino)
        snprintf(why, size, "was replaced by another file while it was read");
    else if (now.st_size != before->st_size)
        snprintf(why, size, "%s while it was read, from %s to %s bytes",
                 now.st_size < before->st_size ? "shrank" : "grew",
                 grouped((unsigned long long)before->st_size),
                 grouped((unsigned long long)now.st_size));
    else if (now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
             now.st_mtim.tv_nsec != before->st_mtim.tv_nsec)
        snprintf(why, size, "was written to while it was read");
}
