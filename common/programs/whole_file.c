/* whole_file.c - writes a file beside the old one, and runs programs as filters: see whole_file.h. */
#define _GNU_SOURCE
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

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
        return "a file to write has a name, and not an empty one";
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

const char *all_printed(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream)
               ? ""
               : format("standard %s cannot be written: %s", stream == stderr ? "error" : "output",
                        strerror(errno));
}

enum filtered run_filter(const char *program, FILE *from, FILE *to)
{
    char *const words[] = {format("%s", program), format("-"), NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(from), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(to), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(&child, program, &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        return error == ENOENT ? NOT_INSTALLED : FAILED;
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            return FAILED;
    return status == 0 ? DONE : FAILED;
}

bool is_installed(const char *program)
{
    return system(format("command -v %s >/dev/null 2>&1", program)) == 0;
}
