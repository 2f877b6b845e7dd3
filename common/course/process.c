/* process.c - starts programs, waits for them and ends them, repeats what they printed: see process.h. */
#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

enum { MOST_WORDS = 32 };

pid_t process_start(char *const arguments[], const char *log, int output)
{
    const int errors =
        log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDERR_FILENO;
    if (errors < 0)
        fail(3, "%s: %s", log, strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        fail(3, "cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        dup2(errors, STDERR_FILENO);
        if (output >= 0 || log)
            dup2(output < 0 ? errors : output, STDOUT_FILENO);
        execv(arguments[0], arguments);
        fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
        _exit(127);
    }
    if (log)
        close(errors);
    return pid;
}

/* The exit status, or 128 and the signal. */
static int status_of(int ended)
{
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

int process_wait(pid_t *pid)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(*pid ? *pid : -1, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        fail(3, "cannot wait for a process: %s", strerror(errno));
    *pid = ended;
    return status_of(status);
}

int process_run(char *const arguments[], const char *log)
{
    pid_t pid = process_start(arguments, log, -1);
    return process_wait(&pid);
}

/* A new make is nobody's child: it counts its jobs itself. */
static void leave_make(bool with_settings)
{
    const char *settings = strstr(format(" %s", chosen("MAKEFLAGS")), " -- ");
    if (settings && with_settings)
        setenv("MAKEFLAGS", settings + 1, 1);
    else
        unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
    if (!with_settings)
        unsetenv("BINS");
}

int process_make(const char *const words[], const char *log)
{
    char *arguments[MOST_WORDS + 3] = {"/usr/bin/env", "make"};
    leave_make(!log);
    for (size_t i = 0; words[i] && i < MOST_WORDS; i++)
        arguments[i + 2] = (char *)words[i];
    if (log)
        make_folders(log);
    return process_run(arguments, log);
}

/* Whether a line is one that sums up. */
static bool sums_up(const char *line)
{
    line += strspn(line, "=");
    return begins_with(line, " ERROR SUMMARY") || begins_with(line, " not shown");
}

unsigned int process_repeat(struct lines in, FILE *out)
{
    unsigned int lines = 0;
    while (next_line(&in))
        if (!sums_up(in.line)) {
            fprintf(out, "%s\n", in.line);
            lines++;
        }
    return lines;
}
