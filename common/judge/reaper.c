/* reaper.c - the processes that a process has started; and sees to it that a run leaves none behind, and no file:
 * see reaper.h. */
#define _GNU_SOURCE
#include "reaper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 4096, PATH = 4096 };
/* Milliseconds: until the work is asked to end that a Ctrl-C should have ended, until it is ended,
 * and how long its processes are looked for then. */
enum { UNASKED = 1000, ASKED = 2000, LOOKED_FOR = 5000 };

struct run {
    char folder[PATH]; /* "": there is none */
    int lock;          /* held as long as the first process or the reaper is there */
    pid_t watched, first, child;
    int signals, watch; /* descriptors that tell of signals, and of the end of `watched` */
    sigset_t before;
    int status; /* of the work */
    bool over;
};

/* Each thread of a process has children of its own. */
static size_t of_thread(pid_t of, const char *thread, pid_t *found, size_t count, size_t most)
{
    char path[300];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)of, thread);
    FILE *children = fopen(path, "re");
    while (children && count < most && fscanf(children, "%d", &child) == 1) {
        found[count++] = child;
        count = descendants(child, found, count, most);
    }
    if (children)
        fclose(children);
    return count;
}

size_t descendants(pid_t of, pid_t *found, size_t count, size_t most)
{
    char path[64];
    const struct dirent *thread;
    snprintf(path, sizeof path, "/proc/%d/task", (int)of);
    DIR *threads = opendir(path);
    while (threads && (thread = readdir(threads)))
        if (thread->d_name[0] != '.')
            count = of_thread(of, thread->d_name, found, count, most);
    if (threads)
        closedir(threads);
    return count;
}

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)file, (void)where;
    if (kind == FTW_DNR)
        chmod(path, 0700);
    remove(path);
    return 0;
}

static int open_up(const char *path, const struct stat *file, int kind, struct FTW *where)
{
    (void)file, (void)where;
    if (kind == FTW_D || kind == FTW_DNR)
        chmod(path, 0700);
    return 0;
}

void remove_folder(const char *folder)
{
    if (rmdir(folder) == 0)
        return;
    nftw(folder, open_up, 16, FTW_PHYS | FTW_MOUNT);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* A descriptor that holds the folder for this run, or -1 when somebody else does. */
static int hold(const char *folder)
{
    struct stat held, there;
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &held) == 0 &&
        held.st_uid == getuid() && stat(folder, &there) == 0 && there.st_ino == held.st_ino)
        return lock;
    if (lock >= 0)
        close(lock);
    return -1;
}

/* Of runs all of whose processes were ended at once. */
static void remove_left(const char *parent)
{
    char pattern[PATH];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/ladder-??????", parent);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int lock = hold(found.gl_pathv[i]);
        if (lock < 0)
            continue;
        remove_folder(found.gl_pathv[i]);
        close(lock);
    }
    globfree(&found);
}

/* A run within a run has its folder in the other's, with a short name: names of sockets are. */
static void make_folder(struct run *run)
{
    const char *parent = getenv("TMPDIR"), *outer = getenv("LADDER_RUN");
    const bool within = parent && outer && strcmp(parent, outer) == 0;
    if (!parent || !*parent)
        parent = "/tmp";
    if (!within)
        remove_left(parent);
    for (int tries = 0; tries < 8; tries++) {
        int length = snprintf(run->folder, sizeof run->folder, "%s/%sXXXXXX", parent,
                              within ? "" : "ladder-");
        if (length < 0 || (size_t)length >= sizeof run->folder || !mkdtemp(run->folder))
            break;
        run->lock = hold(run->folder);
        if (run->lock >= 0)
            return;
    }
    run->folder[0] = '\0'; /* what is wrong with TMPDIR, others say who need it */
}

/* Ends what there is, again and again: one may have started another in between. */
static void end_all(void)
{
    static pid_t found[PROCESSES];
    const long begun = milliseconds();
    while (milliseconds() - begun < LOOKED_FOR) {
        size_t count = descendants(getpid(), found, 0, PROCESSES);
        for (size_t i = 0; i < count; i++)
            kill(found[i], SIGKILL);
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (ended < 0 && errno == ECHILD)
            return;
        usleep(1000);
    }
}

static void clear(const struct run *run)
{
    end_all();
    if (run->folder[0])
        remove_folder(run->folder);
}

/* Waits so many milliseconds, or for any time with -1. Returns the signal that came, SIGTERM when
 * the watched process has ended, or 0. */
static int next_signal(struct run *run, int time)
{
    struct pollfd ready[] = {{.fd = run->signals, .events = POLLIN},
                             {.fd = run->watch, .events = POLLIN}};
    struct signalfd_siginfo come;
    if (poll(ready, 2, time) <= 0)
        return 0;
    if (ready[0].revents && read(run->signals, &come, sizeof come) == sizeof come)
        return (int)come.ssi_signo;
    if (!ready[1].revents)
        return 0;
    close(run->watch);
    run->watch = -1;
    return SIGTERM;
}

static void take_ended(struct run *run)
{
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
        if (ended == run->child) {
            run->status = status;
            run->over = true;
        }
}

static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What this process has from now on: it takes in what others lose, is told of signals by a
 * descriptor, and of its parent's end by SIGTERM. */
static void take_in(struct run *run, pid_t parent, pid_t watched)
{
    sigset_t signal_set;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigemptyset(&signal_set);
    for (const int *one = (const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, 0}; *one; one++)
        sigaddset(&signal_set, *one);
    run->signals = signalfd(-1, &signal_set, SFD_CLOEXEC);
    run->watch = watched ? (int)syscall(SYS_pidfd_open, watched, 0) : -1;
    if (getppid() != parent || (watched && run->watch < 0 && errno == ESRCH))
        raise(SIGTERM); /* it has ended already */
}

/* The reaper: waits for the end of the work, or brings it about. */
__attribute__((noreturn)) static void reap(struct run *run)
{
    long asks_at = 0, ends_at = 0; /* 0: not */
    setsid();
    take_in(run, run->first, run->watched);
    while (!run->over) {
        const long now = milliseconds(), next = asks_at ? asks_at : ends_at;
        const int signal = next_signal(run, !next ? -1 : next > now ? (int)(next - now) : 0);
        if (signal == SIGCHLD)
            take_ended(run);
        else if (signal && !ends_at) {
            asks_at = milliseconds() + (signal == SIGINT ? UNASKED : 0);
            ends_at = asks_at + ASKED;
        }
        if (asks_at && milliseconds() >= asks_at) {
            kill(run->child, SIGTERM);
            asks_at = 0;
        }
        if (ends_at && milliseconds() >= ends_at)
            break;
    }
    clear(run);
    _exit(run->over ? exit_status(run->status) : 128 + SIGKILL);
}

/* The first process: hands signals on to the reaper, and stands in for it. */
__attribute__((noreturn)) static void stand_by(struct run *run, pid_t reaper, pid_t parent)
{
    run->child = reaper;
    take_in(run, parent, 0);
    while (!run->over) {
        const int signal = next_signal(run, -1);
        if (signal == SIGCHLD)
            take_ended(run);
        else if (signal)
            kill(reaper, signal);
    }
    if (WIFSIGNALED(run->status))
        clear(run);
    _exit(exit_status(run->status));
}

static void begin_work(struct run *run)
{
    if (run->lock >= 0)
        close(run->lock);
    if (run->folder[0]) {
        setenv("TMPDIR", run->folder, 1);
        setenv("LADDER_RUN", run->folder, 1);
    }
    sigprocmask(SIG_SETMASK, &run->before, NULL);
}

void reaper_begin(pid_t watched)
{
    static struct run run = {.lock = -1, .signals = -1, .watch = -1};
    sigset_t all;
    const pid_t parent = getppid();
    run.watched = watched;
    run.first = getpid();
    fflush(NULL);
    make_folder(&run);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &run.before);
    const pid_t reaper = fork();
    if (reaper > 0)
        stand_by(&run, reaper, parent);
    if (reaper == 0) {
        run.child = fork();
        if (run.child > 0)
            reap(&run);
        if (run.child < 0) {
            perror("cannot start a process");
            clear(&run);
            _exit(3);
        }
    }
    begin_work(&run); /* in this process itself when there can be no other */
}
