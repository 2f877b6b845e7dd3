/* run_filter.c - runs a program as a filter: see run_filter.h. */
#define _POSIX_C_SOURCE 200809L
#include "run_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

extern char **environ;

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
