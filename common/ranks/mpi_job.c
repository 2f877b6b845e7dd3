/* mpi_job.c - many_run.h, done by ranks under mpirun that wait for cases: their files, and what they print. */
#define _GNU_SOURCE
#include "mpi_job.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "settings.h"
#include "verdict_log.h"

enum { START = 60, CASE = 120 }; /* seconds, at most */
enum { TICK = 1000 };            /* microseconds */
enum { PRINTED_LINES = 20 };     /* shown, at most */

const char many_units[] = "ranks", many_function[] = "histogram_file()";
const bool many_reads_files = true;

/* Ranks that get one case after the other. They end with this process, or when they fail. */
struct mpi_job {
    pid_t process;
    char folder[PATH_ROOM - 32]; /* in TMPDIR, which goes with the verdict */
    struct control *control;
    const struct many_case *asked; /* that is worked on */
    double begun;
    uint64_t short_before; /* of memory: what the system had ended for it before the start */
    struct stuck stuck;
    off_t passed_on[2][MOST_UNITS]; /* of what each rank has printed, and of its messages */
    unsigned int shown;             /* lines */
};

/* Open MPI is told what makes it fast and silent on one machine: ranks that talk through shared memory alone, that sleep
 * when there are more of them than cores, that are bound to none; no look for other machines, graphics and networks. */
enum { FILE_BYTES = 64 << 20 };

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

/* Starts mpirun with so many ranks of the program, each of which finds so many devices. They can write to the folder
 * alone, which is the program's argument, and have no network, where bubblewrap works; elsewhere there are limits.
 * Returns the process to wait for; -1: there is none, and errno says why. It ends with this process. */
static pid_t launch_ranks(const char *program, const char *folder, unsigned int ranks,
                          unsigned int devices)
{
    char path[PATH_ROOM];
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

/* Passes on what a rank has written since the last time: its lines if `shows`, and of the simulator's reports those of
 * the first rank that has some. Messages are counted in `seen`, which keeps the first one. */
static bool pass_on(struct mpi_job *job, unsigned int rank, bool is_message, bool shows,
                    bool shows_reports, struct many_seen *seen)
{
    off_t *passed_on = &job->passed_on[is_message][rank];
    char path[PATH_ROOM], line[512];
    bool has_reports = false;
    snprintf(path, sizeof path, "%s/%s.%u", job->folder, is_message ? MESSAGE_FILE : PRINTED_FILE,
             rank);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    fseeko(file, *passed_on, SEEK_SET);
    while (fgets(line, sizeof line, file)) {
        const bool is_report = strncmp(line, "=========", 9) == 0;
        line[strcspn(line, "\n")] = '\0';
        has_reports |= is_report;
        if (is_message && !is_report && seen->message_lines++ == 0)
            snprintf(seen->message, sizeof seen->message, "%.255s", line);
        if (is_report ? shows_reports : shows && job->shown++ < PRINTED_LINES)
            verdict_log_print(line);
    }
    *passed_on = ftello(file);
    fclose(file);
    return has_reports;
}

/* The same of all ranks, beginning with one of them. */
static void pass_all_on(struct mpi_job *job, unsigned int first, bool shows, struct many_seen *seen)
{
    bool had_reports = false;
    for (unsigned int i = 0; i < job->control->ranks; i++) {
        const unsigned int rank = (first + i) % job->control->ranks;
        pass_on(job, rank, false, shows, false, seen);
        had_reports |= pass_on(job, rank, true, shows, !had_reports, seen);
    }
}

/* All reports of the simulator become entries of the verdict's log, for the ranks have none. */
static void tell_caught(const struct control *control)
{
    char caught[CAUGHT];
    for (unsigned int rank = 0; rank < control->ranks; rank++) {
        memcpy(caught, control->told[rank].caught, sizeof caught);
        caught[CAUGHT - 1] = '\0';
        for (char *line = strtok(caught, "\n"); line; line = strtok(NULL, "\n"))
            verdict_log_add("caught %s", line);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Writes a file of so many bytes; without any, zeros that take no room. Fails the test when it cannot. */
static void write_file_of_ranks(const char *path, const void *bytes, uint64_t length)
{
    FILE *file = fopen(path, "we");
    const bool written = file && (bytes ? fwrite(bytes, 1, length, file) == length
                                        : ftruncate(fileno(file), (off_t)length) == 0);
    if (!file || fclose(file) != 0 || !written)
        fail_test("cannot write %s, which ranks are to count: %s", path, strerror(errno));
}

/* Starts so many ranks, of which `per_node` share a node; 0: all. */
static struct mpi_job *start_job(unsigned int ranks, unsigned int per_node)
{
    struct mpi_job *job = calloc(1, sizeof *job);
    const char *temporary = getenv("TMPDIR");
    char path[PATH_ROOM];
    cr_assert(job, "no memory for ranks");
    const int length = snprintf(job->folder, sizeof job->folder, "%s/ranks-XXXXXX",
                                temporary && *temporary ? temporary : "/tmp");
    if (length >= (int)sizeof job->folder || !mkdtemp(job->folder))
        fail_test("cannot make the folder %s for the files that ranks count: %s", job->folder,
                  length >= (int)sizeof job->folder ? "its name is long: set TMPDIR=/tmp"
                                                    : strerror(errno));
    snprintf(path, sizeof path, "%s/" CONTROL_FILE, job->folder);
    write_file_of_ranks(path, NULL, MEETINGS_AT + (uint64_t)MEETINGS * MEETING_BYTES);
    job->control = control_of(job->folder);
    if (!job->control)
        fail_test("cannot map a file of %s: %s", job->folder, strerror(errno));
    job->control->ranks = ranks;
    job->control->per_node = per_node;
    job->control->filtered = strcmp(confine_how(), "none") != 0;
    job->short_before = out_of_memory_ends();
    job->process = launch_ranks(kernel_program(""), job->folder, ranks,
                                per_node && per_node < ranks ? per_node : ranks);
    if (job->process < 0)
        fail_test("cannot start the ranks: %s", strerror(errno));
    return job;
}

/* Gives the job a case. */
static void ask_job(struct mpi_job *job, const struct many_case *asked)
{
    char *path = job->control->path;
    job->control->given = *asked;
    snprintf(path, PATH_ROOM, "%s/%s.%u", job->folder,
             asked->bad == NO_FILE    ? "missing"
             : asked->bad == A_FOLDER ? "folder"
                                      : "text",
             job->control->asked);
    if (asked->bad == A_FOLDER && mkdir(path, 0700) != 0)
        fail_test("cannot make the folder %s: %s", path, strerror(errno));
    if (asked->bad != A_FOLDER && asked->bad != NO_FILE)
        write_file_of_ranks(path, asked->text, asked->length);
    job->asked = asked;
    job->begun = seconds_now();
    job->stuck = (struct stuck){0};
    job->control->asked++;
    syscall(SYS_futex, &job->control->asked, FUTEX_WAKE, MOST_UNITS);
}

static const char *take_answers(struct mpi_job *job, struct many_seen *seen)
{
    static char reason[512];
    *seen = (struct many_seen){.result = 0};
    snprintf(seen->path, sizeof seen->path, "%s", job->control->path);
    remove(seen->path);
    for (unsigned int rank = 0; rank < job->control->ranks; rank++)
        if (!control_add(&job->control->told[rank], rank, seen)) {
            snprintf(reason, sizeof reason,
                     "on %s: rank %u tells of more than %d parts of the file that it has read, or "
                     "of parts that make no sense",
                     job->asked->what, rank, MOST_READS);
            return reason;
        }
    pass_all_on(job, 0, job->asked->bad == GOOD_FILE, seen);
    if (seen->reports > 0)
        tell_caught(job->control);
    return NULL;
}

static bool all_have_answered(const struct control *control)
{
    for (unsigned int rank = 0; rank < control->ranks; rank++)
        if (control->rank[rank].answered < control->asked)
            return false;
    return true;
}

/* Why the job has to be ended, or NULL. */
static const char *what_holds(struct mpi_job *job)
{
    const double now = seconds_now();
    if (!ranks_have_started(job->control))
        return now - job->begun > START ? "could not be called: the ranks did not start" : NULL;
    if (now - job->begun > START + CASE)
        return "did not return within two minutes";
    return stuck_look(&job->stuck, job->control, now);
}

/* The job is over, because of `held` or by itself. */
static const char *fail_ranks(struct mpi_job *job, const char *held, int status)
{
    static char reason[16384];
    const struct control *control = job->control;
    struct many_seen seen = {.result = 0};
    pass_all_on(job, control->ended.by > 0 ? control->ended.by - 1 : 0, true, &seen);
    tell_caught(control);
    if (held)
        snprintf(reason, sizeof reason, "%s on %s on %u rank%s %s", many_function, job->asked->what,
                 control->ranks, control->ranks == 1 ? "" : "s", held);
    else
        ending_describe(control, job->folder, job->asked->what, seen.message, status,
                        out_of_memory_ends() > job->short_before, reason, sizeof reason);
    return reason;
}

/* The case is answered: fills in `seen`, and returns NULL; or says why not: then the job is over. */
static const char *await(struct mpi_job *job, struct many_seen *seen)
{
    int status = 0;
    while (!all_have_answered(job->control)) {
        if (waitpid(job->process, &status, WNOHANG) == job->process)
            return fail_ranks(job, NULL, status);
        const char *held = what_holds(job);
        if (held) {
            kill(job->process, SIGKILL);
            waitpid(job->process, NULL, 0);
            return fail_ranks(job, held, 0);
        }
        usleep(TICK);
    }
    return take_answers(job, seen);
}

/* The job that runs cases of so many ranks and nodes; it starts with the first of them. */
static struct mpi_job *job_of_job(const struct many_case *asked)
{
    static struct mpi_job *jobs[MOST_UNITS + 1][MOST_UNITS + 1];
    const unsigned int per_node = asked->per_node < asked->units ? asked->per_node : 0;
    cr_assert(asked->units >= 1 && asked->units <= MOST_UNITS, "%u ranks", asked->units);
    struct mpi_job **job = &jobs[asked->units][per_node];
    if (!*job)
        *job = start_job(asked->units, per_node);
    return *job;
}

void many_run(const struct many_case *asked, struct many_seen *seen)
{
    struct mpi_job *job = job_of_job(asked);
    ask_job(job, asked);
    const char *reason = await(job, seen);
    if (!reason)
        return;
    verdict_log_add(asked->bad == GOOD_FILE ? "failed stopped" : "failed refusal");
    fail_test("%s", reason);
}

/* To start ranks takes a while, so all jobs start at once. */
void many_run_all(const struct many_case *asked, size_t count, many_judge *judge, void *context)
{
    struct many_seen seen;
    for (size_t i = 0; i < count; i++)
        job_of_job(&asked[i]);
    for (size_t i = 0; i < count; i++) {
        many_run(&asked[i], &seen);
        judge(&asked[i], &seen, context);
        many_seen_free(&seen);
    }
}
