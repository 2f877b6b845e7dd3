/* launch.c - starts the ranks of a job, confined.
 *
 * Open MPI is told what makes it fast and silent on one machine: ranks that talk through shared memory alone,
 * that sleep when there are more of them than cores, that are bound to none; no look for other machines,
 * graphics and networks. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "mpi_job.h"

enum { FILE_BYTES = 64 << 20, ROOM = 4200 };

static const char *const settings[][2] = {
    {"OMPI_MCA_btl", "self,vader"},
    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
    {"OMPI_MCA_btl_vader_segment_size", "1048576"},
    {"OMPI_MCA_opal_signal", ""},
    {"OMPI_MCA_pml", "ob1"},
    {"OMPI_MCA_io", "^ompio"}, /* it makes files beside those that it reads */
    {"OMPI_MCA_plm", "isolated"},
    {"OMPI_MCA_mpi_yield_when_idle", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"OMPI_MCA_orte_abort_timeout", "1"},
    {"OMPI_MCA_odls_base_sigkill_timeout",
     "0"}, /* ranks say what they have to say at once, into files */
    {"HWLOC_COMPONENTS", "-pci,-gl,-opencl,-cuda,-nvml,-rsmi,-levelzero"},
    {"LC_ALL", "C"},
    {"HOME", "/nonexistent"}, /* else it is looked up, and a user without a name ends mpirun */
    {"SIM_PATIENCE", "3"},
};

/* What ranks share is a file in the folder `memory`: of bubblewrap's /dev/shm, or of the job's. */
static char **environment_of(const char *temporary, const char *memory, const char *devices)
{
    static const char *const kept[] = {
        "OMPI_MCA_", "HWLOC_COMPONENTS=", "LC_ALL=",      "HOME=", "TMPDIR=",
        "PATH=",     "LD_LIBRARY_PATH=",  "OPAL_PREFIX=", NULL};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 1);
    for (int i = 0; i < BACKING_SETTINGS; i++)
        setenv(backing_settings[i], memory, 1);
    setenv("PATH", "/usr/bin:/bin", 0);
    setenv("TMPDIR", temporary, 1);
    setenv("SIM_DEVICES", devices, 1);
    return confine_settings(kept);
}

static void become_mpirun(const char *program, const char *folder, unsigned int ranks,
                          unsigned int devices)
{
    char number[16], devices_each[16];
    const char *words[CONFINE_WORDS];
    const bool confined = strcmp(confine_how(), "bwrap") == 0;
    snprintf(number, sizeof number, "%u", ranks);
    snprintf(devices_each, sizeof devices_each, "%u", devices);
    const char *const own[] = {"mpirun",
                               "--allow-run-as-root",
                               "--oversubscribe",
                               "--timeout",
                               "600",
                               "-n",
                               number,
                               confined ? "/proc/self/exe" : program,
                               folder,
                               NULL};
    memcpy(words + (confined ? confine_words(words, program, folder) : 0), own, sizeof own);
    char **environment =
        environment_of(confined ? "/tmp" : folder, confined ? "/dev/shm" : folder, devices_each);
    confine_limits(FILE_BYTES);
    execvpe(words[0], (char *const *)(uintptr_t)words, environment);
    perror(words[0]);
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
