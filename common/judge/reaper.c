/* reaper.c - sees to it that a verdict leaves nothing behind: see reaper.h. */
#define _GNU_SOURCE
#include "reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096 };

static int open_up(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)file, (void)where;
    if (kind == FTW_D || kind == FTW_DNR)
        chmod(path, 0700);
    return 0;
}

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)file, (void)kind, (void)where;
    remove(path);
    return 0;
}

void remove_folder(const char *folder)
{
    if (rmdir(folder) == 0)
        return;
    nftw(folder, open_up, 16, FTW_PHYS | FTW_MOUNT);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* Holds the folder as long as this process is there, or returns -1 when somebody else does. */
static int hold(const char *folder)
{
    struct stat held;
    const int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &held) == 0 &&
        held.st_uid == getuid())
        return lock;
    if (lock >= 0)
        close(lock);
    return -1;
}

/* Removes the folder of a verdict that is over. */
static void remove_if_left(const char *folder)
{
    const int lock = hold(folder);
    if (lock < 0)
        return;
    remove_folder(folder);
    close(lock);
}

/* Removes the socket of a program of Criterion's that is over. */
static void unlink_if_left(const char *path)
{
    int number;
    if (sscanf(path, "/tmp/criterion_%d.sock", &number) == 1 && kill(number, 0) != 0 &&
        errno == ESRCH)
        unlink(path);
}

static void for_each_file(const char *pattern, void (*act)(const char *path))
{
    glob_t found;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        act(found.gl_pathv[i]);
    globfree(&found);
}

/* Removes what verdicts that were ended by SIGKILL have left. */
static void remove_left(const char *parent)
{
    char pattern[PATH];
    snprintf(pattern, sizeof pattern, "%s/ladder-??????", parent);
    for_each_file(pattern, remove_if_left);
    for_each_file("/tmp/criterion_*.sock", unlink_if_left);
}

/* Makes the folder, or leaves "" in its place: what needs TMPDIR says what is wrong with it. */
static void make_folder(char folder[PATH])
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    remove_left(parent);
    const int length = snprintf(folder, PATH, "%s/ladder-XXXXXX", parent);
    if (length < 0 || length >= PATH || !mkdtemp(folder) || hold(folder) < 0)
        folder[0] = '\0';
    else
        setenv("TMPDIR", folder, 1);
}

/* Criterion meets its tests at a socket in /tmp, which stays there when it is killed. */
static void remove_socket(pid_t ended)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/criterion_%d.sock", (int)ended);
    unlink(path);
}

/* Ends the children, and their children, who become this process's: again and again, until there is none. */
static void end_children(void)
{
    enum { TRIES = 5000 }; /* milliseconds */
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (int tries = 0; tries < TRIES; tries++) {
        FILE *children = fopen(path, "re");
        while (children && fscanf(children, "%d", &child) == 1)
            kill(child, SIGKILL);
        if (children)
            fclose(children);
        for (pid_t ended; (ended = waitpid(-1, NULL, WNOHANG)) > 0;)
            remove_socket(ended);
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
            return;
        usleep(1000);
    }
}

/* Waits for the end of the work, or for a signal that asks for it. Returns the status to end with. */
static int wait_for(pid_t work, const sigset_t *signals)
{
    int status;
    for (;;) {
        const int signal = sigwaitinfo(signals, NULL);
        if (signal > 0 && signal != SIGCHLD)
            return 128 + signal;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0; remove_socket(ended))
            if (ended == work)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

void reaper_begin(void)
{
    static char folder[PATH];
    sigset_t signals, before;
    const pid_t parent = getppid();
    make_folder(folder);
    sigemptyset(&signals);
    for (const int *one = (const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, 0}; *one; one++)
        sigaddset(&signals, *one);
    sigprocmask(SIG_BLOCK, &signals, &before);
    fflush(NULL);
    const pid_t work = fork();
    if (work > 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            raise(SIGTERM); /* it has ended already */
        const int status = wait_for(work, &signals);
        end_children();
        if (folder[0])
            remove_folder(folder);
        _exit(status);
    }
    if (work == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
