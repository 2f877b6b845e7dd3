/* child.c - starts programs, waits for them, repeats what they said: see child.h. */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(3);
}

/* Standard error goes to a new file; standard output to a descriptor, or with -1 there as well. */
pid_t child_start_to(char *const arguments[], const char *file, int output)
{
    int errors = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (errors < 0)
        stop(file);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        stop("cannot start a process");
    if (pid == 0) {
        dup2(errors, STDERR_FILENO);
        dup2(output < 0 ? errors : output, STDOUT_FILENO);
        execv(arguments[0], arguments);
        fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
        _exit(127);
    }
    close(errors);
    return pid;
}

pid_t child_start(char *const arguments[], const char *file, enum child_output which)
{
    return child_start_to(arguments, file, which == CHILD_EVERYTHING ? -1 : STDOUT_FILENO);
}

int child_wait(pid_t *pid)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(*pid ? *pid : -1, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        stop("cannot wait for a process");
    *pid = ended;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether a line is one that sums up. */
static bool sums_up(const char *line)
{
    unsigned int passed, failed;
    int end = 0;
    if (sscanf(line, "%u passed, %u failed%n", &passed, &failed, &end) == 2 && line[end] == '\n')
        return true;
    if (strncmp(line, "* ", 2) == 0)
        return true;
    line += strspn(line, "=");
    return strncmp(line, " ERROR SUMMARY", 14) == 0 || strncmp(line, " not shown", 10) == 0;
}

unsigned int child_repeat(const char *file, FILE *out)
{
    char *line = NULL;
    size_t room = 0;
    unsigned int lines = 0;
    FILE *said = fopen(file, "r");
    while (said && getline(&line, &room, said) > 0)
        if (!sums_up(line)) {
            fputs(line, out);
            lines++;
        }
    free(line);
    if (said)
        fclose(said);
    return lines;
}
