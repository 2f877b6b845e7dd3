/* files.c - looks at a file before and after it is counted, and writes one beside the old: see count.h. */
#define _GNU_SOURCE
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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
    struct stat now;
    if (stat(path, &now) != 0)
        return errno == ENOENT ? "vanished while it was read" : strerror(errno);
    if (now.st_dev != before->st_dev || now.st_ino != before->st_ino)
        return "was replaced by another file while it was read";
    if (now.st_size != before->st_size)
        return format("%s while it was read, from %s to %s bytes",
                      now.st_size < before->st_size ? "shrank" : "grew",
                      grouped((unsigned long long)before->st_size),
                      grouped((unsigned long long)now.st_size));
    return now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
                   now.st_mtim.tv_nsec != before->st_mtim.tv_nsec
               ? "was written to while it was read"
               : "";
}

/* Whether a file can be made in the folder of a path: "", or why not. */
static const char *look_at_folder(const char *path)
{
    struct stat seen;
    const char *slash = strrchr(path, '/');
    const char *folder = !slash          ? "."
                         : slash == path ? "/"
                                         : format("%.*s", (int)(slash - path), path);
    if (stat(folder, &seen) != 0 || !S_ISDIR(seen.st_mode))
        return format("%s: there is no folder %s", path, folder);
    return access(folder, W_OK | X_OK) == 0
               ? ""
               : format("%s: cannot be written: the folder %s: %s", path, folder, strerror(errno));
}

static const char *cannot_write(const char *path, int error)
{
    return format("%s: cannot be written: %s", path, strerror(error));
}

const char *whole_file_possible(const char *path)
{
    struct stat seen;
    const char *real = realpath(path, NULL);
    const bool is_there = stat(path, &seen) == 0;
    if (*path == '\0')
        return "--output and --plot want the name of a file, and not an empty one";
    if (is_there && S_ISDIR(seen.st_mode))
        return format("%s: is a folder, not a file", path);
    if (!is_there || S_ISREG(seen.st_mode))
        return look_at_folder(real ? real : path);
    return access(path, W_OK) == 0 ? "" : cannot_write(path, errno);
}

static FILE *begin_beside(struct whole_file *file)
{
    file->written = format("%s.XXXXXX", file->path);
    const int descriptor = mkstemp(file->written);
    const mode_t mask = umask(0);
    umask(mask);
    if (descriptor >= 0)
        fchmod(descriptor, 0666 & ~mask);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

const char *whole_file_begin(struct whole_file *file, const char *path)
{
    struct stat seen;
    const char *real = realpath(path, NULL);
    const bool plain = !real || (stat(real, &seen) == 0 && S_ISREG(seen.st_mode));
    *file = (struct whole_file){.path = real ? real : path};
    file->stream = plain ? begin_beside(file) : fopen(real, "w");
    return file->stream ? "" : cannot_write(path, errno);
}

const char *whole_file_end(struct whole_file *file)
{
    errno = 0;
    bool good = fflush(file->stream) == 0 && !ferror(file->stream);
    good = good && (!file->written || fsync(fileno(file->stream)) == 0);
    const int error = errno;
    good = fclose(file->stream) == 0 && good;
    if (good && file->written)
        good = rename(file->written, file->path) == 0;
    const char *why = good ? "" : cannot_write(file->path, error ? error : errno);
    if (!good && file->written)
        remove(file->written);
    return why;
}

void whole_file_drop(struct whole_file *file)
{
    fclose(file->stream);
    if (file->written)
        remove(file->written);
}
