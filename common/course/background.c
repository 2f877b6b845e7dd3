/* background.c - starts makes and ends them: see process.h. */
#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
            *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
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
