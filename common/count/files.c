/* files.c - looks at a file before and after it is counted: see count.h. */
#define _GNU_SOURCE
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "grouped.h"
#include "util.h"

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
static const char *look_inside(int descriptor, const struct stat *seen)
{
    char byte;
    const ssize_t got = pread(descriptor, &byte, 1, 0);
    return got < 0                         ? format("cannot be read: %s", strerror(errno))
           : got > 0 && seen->st_size == 0 ? "does not say how long it is: copy it to a file first"
                                           : "";
}

const char *look_at_file(const char *path, struct stat *seen)
{
    *seen = (struct stat){0};
    if (stat(path, seen) != 0)
        return reason(errno);
    if (!S_ISREG(seen->st_mode))
        return kind_of(seen->st_mode);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return format("cannot be opened: %s", strerror(errno));
    const char *why = look_inside(descriptor, seen);
    close(descriptor);
    return why;
}

const char *look_again(const char *path, const struct stat *before)
{
    struct stat current;
    if (stat(path, &current) != 0)
        return errno == ENOENT ? "vanished while it was read" : strerror(errno);
    if (current.st_dev != before->st_dev || current.st_ino != before->st_ino)
        return "was replaced by another file while it was read";
    if (current.st_size != before->st_size)
        return format("%s while it was read, from %s to %s bytes",
                      current.st_size < before->st_size ? "shrank" : "grew",
                      grouped((unsigned long long)before->st_size),
                      grouped((unsigned long long)current.st_size));
    return current.st_mtim.tv_sec != before->st_mtim.tv_sec ||
                   current.st_mtim.tv_nsec != before->st_mtim.tv_nsec
               ? "was written to while it was read"
               : "";
}
