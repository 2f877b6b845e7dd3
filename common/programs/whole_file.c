/* whole_file.c - writes a file beside the old one, and runs programs as filters: see whole_file.h. */
#define _GNU_SOURCE
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

/* Whether a file can be made in the folder of a path, or of what a link leads to: "", or why not. */
static const char *look_at_folder(const char *path)
{
    struct stat seen, link;
    const char *real =
        lstat(path, &link) == 0 && S_ISLNK(link.st_mode) ? realpath(path, NULL) : NULL;
    const char *end = real ? real : path, *slash = strrchr(end, '/');
    const char *folder = !slash         ? "."
                         : slash == end ? "/"
                                        : format("%.*s", (int)(slash - end), end);
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
    const bool is_there = stat(path, &seen) == 0;
    if (*path == '\0')
        return "a file to write has a name, and not an empty one";
    if (!is_there && lstat(path, &seen) == 0)
        return format("%s: is a link that leads to no file", path);
    if (is_there && S_ISDIR(seen.st_mode))
        return format("%s: is a folder, not a file", path);
    if (!is_there || S_ISREG(seen.st_mode))
        return look_at_folder(path);
    return access(path, W_OK) == 0 ? "" : cannot_write(path, errno);
}

/* What is written now, for a signal that ends the program: a handler is told nothing else. NULL: nothing. */
static const char *volatile unfinished;

/* Removes it; then the signal does what it does without a handler, which is set for one signal. */
static void remove_unfinished(int signal)
{
    if (unfinished)
        unlink(unfinished);
    raise(signal);
}

/* From here on a signal that ends the program removes what is written, but one that is ignored. */
static void watch_signals(void)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU};
    struct sigaction now;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const bool is_known = sigaction(ends[i], NULL, &now) == 0;
        if (is_known && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL) {
            now.sa_handler = remove_unfinished;
            now.sa_flags = (int)SA_RESETHAND;
            sigaction(ends[i], &now, NULL);
        }
    }
}

static FILE *begin_beside(struct whole_file *file)
{
    file->written = format("%s.XXXXXX", file->path);
    watch_signals();
    unfinished = file->written; /* before it is there: a signal may come at any time */
    const int descriptor = mkstemp(file->written);
    const mode_t mask = umask(0);
    umask(mask);
    if (descriptor >= 0)
        fchmod(descriptor, 0666 & ~mask);
    else
        unfinished = NULL;
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

const char *whole_file_begin(struct whole_file *file, const char *path)
{
    struct stat seen;
    const char *real = realpath(path, NULL);
    const bool plain = !real || (stat(real, &seen) == 0 && S_ISREG(seen.st_mode));
    *file = (struct whole_file){.name = path, .path = real ? real : path};
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
    const char *why = good ? "" : cannot_write(file->name, error ? error : errno);
    if (!good && file->written)
        remove(file->written);
    unfinished = NULL;
    return why;
}

void whole_file_drop(struct whole_file *file)
{
    fclose(file->stream);
    if (file->written)
        remove(file->written);
    unfinished = NULL;
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
