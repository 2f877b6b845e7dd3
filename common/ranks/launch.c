/* launch.c - starts the ranks of a job, confined.
 *
 * Open MPI is told what makes it fast and silent on one machine: ranks that talk through shared memory alone,
 * that sleep when there are more of them than cores, that are bound to none; no look for other machines,
 * graphics and networks. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "filter.h"
#include "mpi_job.h"

enum {
    FILE_BYTES = 64 << 20 /* of a file: NCCL's ranks meet in one */,
    MOST_WORDS = 96,
    ROOM = 4200
};

static const char *const options[] = {
    "OMPI_MCA_btl=self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism=none",
    "OMPI_MCA_btl_vader_segment_size=1048576",
    "OMPI_MCA_opal_signal=",
    "OMPI_MCA_pml=ob1",
    "OMPI_MCA_io=^ompio", /* it makes files beside those that it reads */
    "OMPI_MCA_plm=isolated",
    "OMPI_MCA_mpi_yield_when_idle=1",
    "OMPI_MCA_hwloc_base_binding_policy=none",
    "OMPI_MCA_orte_abort_timeout=1",
    "OMPI_MCA_odls_base_sigkill_timeout=0", /* ranks say what they have to say at once, into files */
    "HWLOC_COMPONENTS=-pci,-gl,-opencl,-cuda,-nvml,-rsmi,-levelzero",
    "LC_ALL=C",
    "HOME=/nonexistent", /* else it is looked up, and a user without a name ends mpirun */
    "SIM_PATIENCE=3",
};
enum { OPTIONS = sizeof options / sizeof *options };

/* Words of a command line, or of an environment. */
struct words {
    const char *word[MOST_WORDS];
    size_t count;
};

static void add(struct words *words, const char *const *more, size_t count)
{
    for (size_t i = 0; i < count && words->count < MOST_WORDS - 1; i++)
        words->word[words->count++] = more[i];
    words->word[words->count] = NULL;
}
#define ADD(words, ...)                                                                            \
    add(words, (const char *const[]){__VA_ARGS__},                                                 \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* What must be kept of the environment, or NAME=VALUE in its place. */
static const char *kept(const char *name, const char *otherwise, char *text, size_t size)
{
    const char *value = getenv(name);
    snprintf(text, size, "%s=%s", name, value && *value ? value : otherwise);
    return text;
}

/* What ranks share is a file in this folder: of bubblewrap's /dev/shm, or of the job's. */
static char **environment_of(const char *temporary, const char *memory, unsigned int devices)
{
    static char path[ROOM], libraries[ROOM], prefix[ROOM], folder[ROOM], number[32];
    static char shared[BACKING_SETTINGS][ROOM];
    struct words words = {.count = 0};
    unsetenv("SIM_DEVICES");
    unsetenv("SIM_PATIENCE");
    add(&words, options, OPTIONS);
    snprintf(folder, sizeof folder, "TMPDIR=%s", temporary);
    snprintf(number, sizeof number, "SIM_DEVICES=%u", devices);
    ADD(&words, number, folder, kept("PATH", "/usr/bin:/bin", path, sizeof path));
    for (int i = 0; i < BACKING_SETTINGS; i++) {
        snprintf(shared[i], sizeof shared[i], "%s=%s", backing_settings[i], memory);
        ADD(&words, shared[i]);
    }
    if (getenv("LD_LIBRARY_PATH"))
        ADD(&words, kept("LD_LIBRARY_PATH", "", libraries, sizeof libraries));
    if (getenv("OPAL_PREFIX"))
        ADD(&words, kept("OPAL_PREFIX", "", prefix, sizeof prefix));
    return confine_settings(words.word);
}

static void become_mpirun(const char *program, const char *folder, unsigned int ranks,
                          unsigned int devices)
{
    char number[16];
    struct words words = {.count = 0};
    const bool confined = strcmp(confine_how(), "bwrap") == 0;
    snprintf(number, sizeof number, "%u", ranks);
    if (confined)
        words.count = confine_words(words.word, program, folder);
    ADD(&words, "mpirun", "--allow-run-as-root", "--oversubscribe", "--timeout", "600", "-n",
        number, confined ? "/proc/self/exe" : program, folder);
    char **environment =
        environment_of(confined ? "/tmp" : folder, confined ? "/dev/shm" : folder, devices);
    confine_limits(FILE_BYTES);
    execvpe(words.word[0], (char *const *)(uintptr_t)words.word, environment);
    perror(words.word[0]);
    _exit(127);
}

pid_t launch_ranks(const char *program, const char *folder, unsigned int ranks,
                   unsigned int devices)
{
    char path[ROOM];
    snprintf(path, sizeof path, "%s/" LAUNCHED_FILE, folder);
    fflush(NULL);
    pid_t process = fork();
    if (process != 0)
        return process;
    int nothing = open("/dev/null", O_RDONLY);
    int message = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(nothing, STDIN_FILENO);
    dup2(message, STDOUT_FILENO);
    dup2(message, STDERR_FILENO);
    for (int other = 3; other < 1024; other++)
        close(other);
    become_mpirun(program, folder, ranks, devices);
    return -1;
}

/* Waits at most so many milliseconds. Returns whether it has ended. */
static bool has_ended(pid_t process, int milliseconds)
{
    enum { TICK = 2 };
    pid_t ended;
    while ((ended = waitpid(process, NULL, WNOHANG)) == 0 && milliseconds > 0) {
        usleep(1000 * TICK);
        milliseconds -= TICK;
    }
    return ended != 0;
}

void launch_end(pid_t process, bool idle)
{
    /* With bubblewrap all of them go at once; without it, mpirun has files to remove. */
    const bool confined = strcmp(confine_how(), "bwrap") == 0;
    if (idle && !confined && has_ended(process, 500))
        return;
    kill(process, SIGTERM); /* mpirun then ends the ranks; so does the end of bubblewrap */
    if (has_ended(process, 1000))
        return;
    kill(-process, SIGKILL);
    waitpid(process, NULL, 0);
}
