/* confine.c - what a process with a student's code may do: little. */
#define _GNU_SOURCE
#include "confine.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"

enum { ENVIRONMENT = 64, FILE_BYTES = 8 << 20 };

extern char **environ;

static const char bubblewrap[] = "/usr/bin/bwrap";

size_t confine_words(const char *words[], const char *program, const char *writable)
{
    static char here[4096];
    if (!getcwd(here, sizeof here))
        snprintf(here, sizeof here, "/");
    const char *const confinement[] = {bubblewrap,
                                       "--ro-bind",
                                       "/",
                                       "/",
                                       "--dev",
                                       "/dev",
                                       "--size",
                                       "268435456",
                                       "--tmpfs",
                                       "/dev/shm",
                                       "--remount-ro",
                                       "/dev",
                                       "--size",
                                       "16777216",
                                       "--tmpfs",
                                       "/tmp",
                                       "--unshare-pid",
                                       "--unshare-net",
                                       "--unshare-ipc",
                                       "--unshare-uts",
                                       "--die-with-parent",
                                       "--new-session",
                                       "--cap-drop",
                                       "ALL",
                                       "--tmpfs",
                                       "/proc",
                                       "--ro-bind",
                                       here,
                                       here,
                                       "--chdir",
                                       here,
                                       "--ro-bind",
                                       program,
                                       "/proc/self/exe",
                                       "--remount-ro",
                                       "/proc",
                                       writable ? "--bind" : NULL,
                                       writable,
                                       writable};
    const size_t count = sizeof confinement / sizeof *confinement - (writable ? 0 : 3);
    memcpy(words, confinement, count * sizeof *words);
    words[count] = NULL;
    return count;
}

static void become_true(void)
{
    const char *words[CONFINE_WORDS];
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    const size_t count = confine_words(words, "/bin/true", NULL);
    words[count] = "/proc/self/exe";
    words[count + 1] = NULL;
    execv(bubblewrap, (char *const *)(uintptr_t)words);
    _exit(127);
}

/* Whether this machine lets us use bubblewrap: in a container, for instance, it may not. */
static bool works(void)
{
    int status;
    if (access(bubblewrap, X_OK) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        become_true();
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

const char *confine_how(void)
{
    const char *chosen = getenv("JUDGE_SANDBOX");
    if (!chosen || !*chosen)
        chosen = works() ? "bwrap" : "filter";
    return chosen;
}

static void limit_process(int resource, rlim_t most)
{
    struct rlimit current;
    if (getrlimit((__rlimit_resource_t)resource, &current) != 0)
        return;
    if (current.rlim_max == RLIM_INFINITY || current.rlim_max > most)
        current.rlim_max = most;
    if (current.rlim_cur == RLIM_INFINITY || current.rlim_cur > current.rlim_max)
        current.rlim_cur = current.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &current);
}

/* Has the system end this process first when memory is short. */
static void offer_to_the_killer(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0 && write(file, "1000", 4) < 0)
        close(file);
}

static bool begins_with_one(const char *text, const char *const *beginnings)
{
    for (; beginnings && *beginnings; beginnings++)
        if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

/* Leaves of the environment what the simulator reads, and what an emulator needs (tests/arm64). */
char **confine_settings(const char *const *more)
{
    static const char *const all[] = {
        "SIM_", "NUM_BINS=", "QEMU_", "ARM64_EMULATOR=", "ASAN_OPTIONS=", NULL};
    static char *kept[ENVIRONMENT + 1];
    size_t count = 0;
    for (char **one = environ; *one && count < ENVIRONMENT; one++)
        if (begins_with_one(*one, all) || begins_with_one(*one, more))
            kept[count++] = *one;
    kept[count] = NULL;
    return kept;
}

/* The student's file, if it lies in the /tmp that is hidden, since reports read its lines; else NULL. Its name stands
 * in a file beside the program, or above it where the program is for one operation. */
static const char *hidden_source(const char *program)
{
    static char source[4096];
    static const char *const places[] = {"kernel.from", "../kernel.from"};
    const char *end = strrchr(program, '/');
    for (size_t i = 0; end && i < 2; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%.*s/%s", (int)(end - program), program, places[i]);
        FILE *from = fopen(name, "r");
        const bool is_read = from && fscanf(from, "%4095[^\n]", source) == 1;
        if (from)
            fclose(from);
        if (is_read)
            return strncmp(source, "/tmp/", 5) == 0 ? source : NULL;
    }
    return NULL;
}

/* The current folder stays the same, since reports name files as seen from there. */
static void execute_confined(const char *program, const char *const arguments[2])
{
    const char *words[CONFINE_WORDS], *source = hidden_source(program);
    size_t count = confine_words(words, program, NULL);
    const char *const more[] = {source ? "--ro-bind" : NULL, source, source};
    if (source) {
        memcpy(words + count, more, sizeof more);
        count += sizeof more / sizeof *more;
    }
    words[count++] = "/proc/self/exe";
    words[count++] = arguments[0];
    words[count++] = arguments[1];
    words[count] = NULL;
    execve(bubblewrap, (char *const *)(uintptr_t)words, confine_settings(NULL));
}

void confine_limits(size_t file_bytes)
{
    limit_process(RLIMIT_FSIZE, file_bytes);
    limit_process(RLIMIT_CORE, 0);
    offer_to_the_killer();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C asks the reaper, which then ends this process, too */
}

void confine_and_execute(const char *program, const char *argument)
{
    const char *how = confine_how();
    const char *const arguments[2] = {argument, strcmp(how, "none") == 0 ? NULL : CONFINE_FILTERED};
    confine_limits(FILE_BYTES);
    if (strcmp(how, "bwrap") == 0)
        execute_confined(program, arguments);
    execve(program, (char *[]){(char *)program, (char *)arguments[0], (char *)arguments[1], NULL},
           confine_settings(NULL));
}

uint64_t out_of_memory_ends(void)
{
    char line[128];
    uint64_t ends = 0;
    FILE *statistics = fopen("/proc/vmstat", "r");
    while (statistics && fgets(line, sizeof line, statistics) &&
           sscanf(line, "oom_kill %" SCNu64, &ends) != 1)
        ;
    if (statistics)
        fclose(statistics);
    return ends;
}
