/* process.c - starts programs, waits for them and ends them, repeats what they printed: see process.h. */
#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

enum { MOST_WORDS = 32 };

pid_t process_start(char *const arguments[], const char *log, int output)
{
    int errors = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (errors < 0)
        fail(3, "%s: %s", log, strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        fail(3, "cannot start a process: %s", strerror(errno));
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

int process_make(const char *const words[], const char *log)
{
    static const char *const foreign[] = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
                                          "BINS"};
    char *arguments[MOST_WORDS + 3] = {"/usr/bin/env", "make"};
    for (size_t i = 0; i < LENGTH(foreign); i++)
        unsetenv(foreign[i]);
    for (size_t i = 0; words[i] && i < MOST_WORDS; i++)
        arguments[i + 2] = (char *)words[i];
    make_folders(log);
    return process_run(arguments, log);
}

/* Whether a line is one that sums up. */
static bool sums_up(const char *line)
{
    unsigned int passed, failed;
    int end = 0;
    if (sscanf(line, "%u passed, %u failed%n", &passed, &failed, &end) == 2 && !line[end])
        return true;
    if (begins_with(line, "* "))
        return true;
    line += strspn(line, "=");
    return begins_with(line, " ERROR SUMMARY") || begins_with(line, " not shown");
}

unsigned int process_repeat(const char *log, FILE *out)
{
    unsigned int lines = 0;
    for (struct lines in = lines_of(log); next_line(&in);)
        if (!sums_up(in.line)) {
            fprintf(out, "%s\n", in.line);
            lines++;
        }
    return lines;
}

enum { MOST_GOALS = 8, PATIENCE = 300, A_MOMENT = 10000 /* microseconds */ };

/* Of what one make tells another, the settings are kept: they follow "--". The rest is of jobs that
 * the new make has no part in. */
static void keep_settings(void)
{
    const char *flags = getenv("MAKEFLAGS");
    const char *settings = !flags                          ? NULL
                           : strncmp(flags, "-- ", 3) == 0 ? flags
                                                           : strstr(flags, " -- ");
    char *kept = settings ? strdup(settings + strspn(settings, " ")) : NULL;
    if (kept)
        setenv("MAKEFLAGS", kept, 1);
    else
        unsetenv("MAKEFLAGS");
    free(kept);
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
}

__attribute__((noreturn)) static void become_make(const char *make, char *const goals[])
{
    char *arguments[MOST_GOALS + 2] = {(char *)make};
    sigset_t none;
    sigemptyset(&none);
    for (int signal_number = 1; signal_number < 32; signal_number++)
        signal(signal_number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    for (size_t i = 0; i < MOST_GOALS && goals[i]; i++)
        arguments[i + 1] = goals[i];
    keep_settings();
    execvp(make, arguments);
    fprintf(stderr, "watch: %s: %s\n", make, strerror(errno));
    _exit(127);
}

pid_t background_start(const char *make, char *const goals[])
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "watch: cannot start %s: %s\n", make, strerror(errno));
        return 0;
    }
    if (pid == 0) {
        setpgid(0, 0);
        become_make(make, goals);
    }
    setpgid(pid, pid); /* whoever of both is first */
    return pid;
}

/* What a job leaves behind when it is ended comes to us, as the nearest that waits. */
bool background_has_ended(pid_t job, int *status)
{
    int ended;
    bool found = false;
    for (pid_t pid; (pid = waitpid(-1, &ended, WNOHANG)) > 0;)
        if (pid == job) {
            *status = status_of(ended);
            found = true;
        }
    return found;
}

void background_end(pid_t job)
{
    kill(-job, SIGTERM);
    kill(-job, SIGCONT);
    for (int moment = 0; kill(-job, 0) == 0; moment++) {
        if (moment == PATIENCE)
            kill(-job, SIGKILL);
        if (moment == 2 * PATIENCE)
            return;
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        usleep(A_MOMENT);
    }
}
