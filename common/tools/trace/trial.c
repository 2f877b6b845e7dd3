/* trial.c - runs histogram() in a child of this process, so that nothing that it does matters. */
#define _GNU_SOURCE
#include "trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "limit.h"
#include "target.h"
#include "verify.h"

enum { SECONDS = 3, PATIENCE = 12, ACCESSES = 1 << 20 };

/* What the child leaves behind. */
struct left {
    bool finished; /* histogram() has returned */
    bool fine;     /* and the kernels ran to their ends */
    char error[256], check[24], place[2][256];
    unsigned int places;
    uint64_t errors;
    unsigned int counted[NUM_BINS];
    struct sim_launch_shape shape;
};

static void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        return memory;
    fprintf(stderr, "no memory to record a trace: %s\n", strerror(errno));
    exit(1);
}

struct recording *trial_recording(void)
{
    return shared_memory(sizeof(struct recording));
}

void trial_forget(struct recording *recording)
{
    munmap(recording, sizeof *recording);
}

static void note_report(const char *check, uintptr_t pc, void *context)
{
    struct left *left = context;
    if (strcmp(check, "racecheck") == 0 && strcmp(left->check, check) != 0) {
        left->check[0] = '\0'; /* it says more than what else comes of it */
        left->places = 0;
    }
    if (left->places == 2 || (left->check[0] && strcmp(left->check, check) != 0))
        return;
    snprintf(left->check, sizeof left->check, "%s", check);
    sim_locate(pc, left->place[left->places++], sizeof left->place[0]);
}

static void prepare(const struct trial *trial, struct left *left)
{
    sim_set_seed(trial->seed);
    limit_accesses(ACCESSES, trial->length);
    sim_observe_reports(note_report, left);
    if (trial->blocks > 0)
        sim_try(
            &(struct sim_trial){.kernel = trial->kernel, .blocks = trial->blocks, .aloud = true});
}

/* Everything that the child does. */
static void run(const struct trial *trial, struct left *left, struct recording *recording)
{
    prepare(trial, left);
    unsigned char *space = target_allocate(trial->misalignment + trial->length);
    unsigned char *text = space + trial->misalignment;
    unsigned int *bins = target_allocate(NUM_BINS * sizeof *bins);
    target_fill(space, 'a', trial->misalignment);
    target_write(text, trial->text, trial->length);
    target_fill(bins, 0, NUM_BINS * sizeof *bins);
    sim_reset_counters();
    if (recording)
        recording_start(recording, (uintptr_t)text, trial->length, (uintptr_t)bins);
    left->fine = true;
    for (unsigned int call = 0; call < trial->calls && left->fine; call++) {
        call_histogram(text, trial->length, bins);
        left->fine = target_finish(left->error, sizeof left->error);
    }
    left->finished = true;
    left->errors = sim_error_count();
    left->shape = sim_last_launch();
    if (left->fine)
        target_read(left->counted, bins, sizeof left->counted);
}

/* What it prints goes to a file without a name. */
static void child(const struct trial *trial, struct left *left, struct recording *recording,
                  int output)
{
    const struct rlimit no_core = {0, 0}, file = {1 << 20, 1 << 20}, work = {SECONDS, SECONDS + 1};
    setrlimit(RLIMIT_CPU, &work);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &file);
    signal(SIGXFSZ, SIG_IGN);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    run(trial, left, recording);
    fflush(stdout);
    fflush(stderr);
    _exit(0);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double waited; /* for trials that had to be ended */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct trial_time trial_time(void)
{
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (struct trial_time){waited + seconds(own.ru_utime) + seconds(children.ru_utime) +
                                   seconds(children.ru_stime),
                               now()};
}

bool trial_time_is_up(struct trial_time begun, double most)
{
    enum { BUSY = 20 };
    const struct trial_time time = trial_time();
    return time.worked - begun.worked > most || time.passed - begun.passed > BUSY * most;
}

static double worked_by(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Waits for it as long as it may take: what computes has its limit, and on a busy machine waits for
 * a core; so it is ended only when it has not computed for so long, or in all. Returns its status;
 * sets *late when that was too long. */
static int wait_for(pid_t pid, bool *late)
{
    enum { MOST = 10 };
    const double begun = now();
    double end = begun + PATIENCE, worked = 0;
    struct timespec nap = {0, 100 * 1000};
    int status = 0;
    *late = false;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 5 * 1000 * 1000)
            nap.tv_nsec += nap.tv_nsec / 2;
        if (now() < end || *late)
            continue;
        const double before = worked;
        worked = worked_by(pid);
        if (worked > before && now() < begun + MOST * PATIENCE)
            end = now() + PATIENCE;
        else
            *late = kill(pid, SIGKILL) == 0;
    }
    waited += *late ? SECONDS : 0;
    *late |= WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    return status;
}

static void read_words(int output, char *words)
{
    ssize_t length = pread(output, words, WORDS - 1, 0);
    words[length > 0 ? length : 0] = '\0';
}

/* Puts a line before what was printed, the end of which may go. */
static void begin_words(struct outcome *outcome, const char *line)
{
    const size_t length = strlen(line) + 1;
    memmove(outcome->words + length, outcome->words, WORDS - length);
    memcpy(outcome->words, line, length - 1);
    outcome->words[length - 1] = '\n';
    outcome->words[WORDS - 1] = '\0';
}

static void judge_bins(const struct trial *trial, struct outcome *outcome)
{
    char input[64], explanation[1024];
    snprintf(input, sizeof input, "the text of %zu character%s", trial->length,
             trial->length == 1 ? "" : "s");
    struct verify_result result = {
        .input = input, .text = trial->text, .length = trial->length, .counted = outcome->counted};
    if (!outcome->miscounted)
        return;
    outcome->kind = WRONG_BINS;
    if (trial->calls == 1 && !verify_is_right(&result, explanation, sizeof explanation))
        begin_words(outcome, explanation);
    else
        begin_words(outcome, "wrong after two calls on one text: histogram() must add to the "
                             "bins, not set them");
}

static void judge(const struct trial *trial, const struct left *left, int status, bool late,
                  struct outcome *outcome)
{
    char line[400];
    if (left->check[0] || left->errors > 0) {
        outcome->kind = REPORTED;
    } else if (late) {
        outcome->kind = ENDLESS;
        begin_words(outcome, "histogram() did not return in time");
    } else if (WIFSIGNALED(status)) {
        outcome->kind = CRASHED;
        snprintf(line, sizeof line, "histogram() was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
        begin_words(outcome, line);
    } else if (!left->finished) {
        outcome->kind = REFUSED;
        snprintf(line, sizeof line, "histogram() ended the program with status %d",
                 WEXITSTATUS(status));
        begin_words(outcome, line);
    } else if (!left->fine) {
        outcome->kind = REFUSED;
        snprintf(line, sizeof line, "stopped: %s", left->error);
        begin_words(outcome, line);
    } else {
        judge_bins(trial, outcome);
    }
}

void trial_run(const struct trial *trial, struct outcome *outcome, struct recording *recording)
{
    static struct left *left;
    bool late;
    left = left ? left : shared_memory(sizeof *left);
    memset(left, 0, sizeof *left);
    *outcome = (struct outcome){.kind = RIGHT};
    int output = memfd_create("output", MFD_CLOEXEC);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        child(trial, left, recording, output);
    if (pid < 0 || output < 0) {
        fprintf(stderr, "cannot run histogram() in a process of its own: %s\n", strerror(errno));
        exit(1);
    }
    int status = wait_for(pid, &late);
    read_words(output, outcome->words);
    close(output);
    memcpy(outcome->check, left->check, sizeof outcome->check);
    const int lesser = strcmp(left->place[0], left->place[1]) > 0;
    memcpy(outcome->place[0], left->place[lesser], sizeof outcome->place[0]);
    memcpy(outcome->place[1], left->place[!lesser], sizeof outcome->place[1]);
    memcpy(outcome->counted, left->counted, sizeof outcome->counted);
    outcome->shape = left->shape;
    verify_count(trial->text, trial->length, outcome->expected);
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        outcome->expected[bin] *= trial->calls;
    outcome->miscounted = left->finished && left->fine &&
                          memcmp(outcome->counted, outcome->expected, sizeof outcome->counted) != 0;
    judge(trial, left, status, late, outcome);
}
