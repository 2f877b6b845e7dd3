/* trial.c - calls the function in a child of this process, so that nothing that it does matters. */
#define _GNU_SOURCE
#include "trace.h"

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

#include "contract.h"
#include "target.h"
#include "util.h"

enum { SECONDS = 3, PATIENCE = 12, MOST_HELD = 1 << 26 };

/* What the child leaves behind. */
struct left {
    bool finished; /* the function has returned */
    bool fine;     /* and the kernels ran to their ends */
    char error[256], check[24], place[2][256];
    unsigned int places;
    uint64_t errors;
    struct sim_launch_shape shape;
    unsigned char held[MOST_HELD]; /* the outputs */
};

struct input input_copy(const struct input *input)
{
    struct shape of_input, of_output;
    struct input copy = *input;
    traced_shapes(&of_input, &of_output);
    const size_t units = input->length * of_input.bytes, before = input->num_bins * of_output.bytes;
    copy.elements = grow(NULL, 0, units + 1, 1);
    copy.bins = input->bins ? grow(NULL, 0, before + 1, 1) : NULL;
    memcpy(copy.elements, input->elements, units);
    if (copy.bins)
        memcpy(copy.bins, input->bins, before);
    return copy;
}

void outcome_free(struct trial_outcome *outcome)
{
    free(outcome->held);
    outcome->held = NULL;
}

static size_t size_of_outputs(const struct input *input)
{
    struct shape of_input, of_output;
    traced_shapes(&of_input, &of_output);
    return input->num_bins * of_output.bytes;
}

static void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        fail(1, "no memory to record a trace: %s", strerror(errno));
    return memory;
}

struct recording *trial_recording(void)
{
    return shared_memory(sizeof(struct recording));
}

void trial_forget(struct recording *recording)
{
    munmap(recording, sizeof *recording);
}

static void keep_report(const char *check, uintptr_t pc, void *context)
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

/* How many accesses a call may make before it counts as endless. Where all lanes of a warp take
 * turns at one bin, each of them tries in vain until its turn comes. */
static void limit_accesses(const struct input *input)
{
    enum { AT_LEAST = 1 << 20, A_UNIT = 16, AN_OUTPUT = 64, IN_VAIN = 256, MOST_IN_TURN = 1 << 16 };
    const uint64_t in_turn = input->length < MOST_IN_TURN ? input->length : MOST_IN_TURN;
    const char *unit = format("%s of the %s", traced_contract()->words.unit,
                              traced_counts_text() ? "text" : "input");
    sim_set_budget_for(AT_LEAST + A_UNIT * (uint64_t)input->length +
                           AN_OUTPUT * (uint64_t)input->num_bins + IN_VAIN * in_turn,
                       input->length, unit);
}

static void prepare(const struct trial *trial, struct left *left)
{
    sim_set_seed(trial->seed);
    limit_accesses(&trial->input);
    sim_observe_reports(keep_report, left);
    if (trial->blocks > 0)
        sim_try(
            &(struct sim_trial){.kernel = trial->kernel, .blocks = trial->blocks, .aloud = true});
}

static bool call(const struct trial *trial, const struct traced_memory *memory, struct left *left)
{
    traced_call(&trial->input, memory);
    return target_finish(left->error, sizeof left->error);
}

/* Everything that the child does. */
static void run_and_record(const struct trial *trial, struct left *left,
                           struct recording *recording)
{
    struct traced_memory memory = {.on_host = false};
    const size_t bytes = size_of_outputs(&trial->input);
    prepare(trial, left);
    traced_place(&trial->input, &memory);
    if (recording)
        recording_start(recording, &trial->input, &memory);
    left->fine = true;
    for (unsigned int i = 0; i < trial->input.calls && left->fine; i++)
        left->fine = call(trial, &memory, left);
    left->finished = true;
    left->errors = sim_error_count();
    left->shape = sim_last_launch();
    if (left->fine && memory.on_host)
        memcpy(left->held, memory.outputs, bytes);
    else if (left->fine)
        target_read(left->held, memory.outputs, bytes);
}

/* What it prints goes to a file without a name. */
static void child(const struct trial *trial, struct left *left, struct recording *recording,
                  int output)
{
    enum { MOST_FILE = 1 << 23 };
    const struct rlimit no_core = {0, 0}, file = {MOST_FILE, MOST_FILE},
                        work = {SECONDS, SECONDS + 1};
    setrlimit(RLIMIT_CPU, &work);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &file);
    signal(SIGXFSZ, SIG_IGN);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    run_and_record(trial, left, recording);
    fflush(stdout);
    fflush(stderr);
    _exit(0);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double waited; /* for trials that had to be ended */

struct trial_time trial_time(void)
{
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (struct trial_time){waited + seconds_of(own.ru_utime) + seconds_of(children.ru_utime) +
                                   seconds_of(children.ru_stime),
                               seconds_now()};
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

/* Waits for the child as long as it may take. A child that computes has a limit of its own, and on a busy machine
 * it waits for a core. So it is ended only when it has hardly computed for so long, or has taken too long in all.
 * Returns its status; sets *late when that was too long. */
static int wait_for_end(pid_t pid, bool *late)
{
    enum { MOST = 10 };
    const double hardly = 0.05, begun = seconds_now();
    double end = begun + PATIENCE, worked = 0;
    struct timespec nap = {0, 100 * 1000};
    int status = 0;
    *late = false;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 5 * 1000 * 1000)
            nap.tv_nsec += nap.tv_nsec / 2;
        if (seconds_now() < end || *late)
            continue;
        const double before = worked;
        worked = worked_by(pid);
        if (worked > before + hardly && seconds_now() < begun + MOST * PATIENCE)
            end = seconds_now() + PATIENCE;
        else
            *late = kill(pid, SIGKILL) == 0;
    }
    waited += *late ? SECONDS : 0;
    *late |= WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    return status;
}

/* Puts a line before what was printed, the end of which may go. */
static void begin_words(struct trial_outcome *outcome, const char *line)
{
    char *words = format("%s\n%s", line, outcome->words);
    snprintf(outcome->words, WORDS, "%s", words);
    free(words);
}

static void judge_outputs(const struct trial *trial, struct trial_outcome *outcome)
{
    char explanation[1024] = "";
    bool *is_wrong = grow(NULL, 0, trial->input.num_bins + 1, sizeof *is_wrong);
    struct oracle *expected = traced_expect(&trial->input);
    outcome->miscounted = traced_wrong(expected, &trial->input, outcome->held, is_wrong,
                                       explanation, sizeof explanation) > 0;
    contract_forget(expected);
    free(is_wrong);
    if (outcome->miscounted && outcome->kind == RIGHT) {
        outcome->kind = WRONG_BINS;
        begin_words(outcome, explanation);
    }
}

static void judge(const struct left *left, int status, bool late, struct trial_outcome *outcome)
{
    const char *function = traced_function(), *line;
    outcome->kind = left->check[0] || left->errors > 0 ? REPORTED
                    : late                             ? ENDLESS
                    : WIFSIGNALED(status)              ? CRASHED
                    : !left->finished || !left->fine   ? STOPPED
                                                       : RIGHT;
    if (outcome->kind == ENDLESS)
        line = format("%s did not return in time", function);
    else if (outcome->kind == CRASHED)
        line = format("%s was ended by signal %d (%s)", function, WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    else if (outcome->kind == STOPPED && left->finished)
        line = format("stopped: %s", left->error);
    else if (outcome->kind == STOPPED)
        line = format("%s ended the program with status %d", function, WEXITSTATUS(status));
    else
        return;
    begin_words(outcome, line);
}

static void take(const struct trial *trial, const struct left *left, struct trial_outcome *outcome)
{
    const size_t bytes = size_of_outputs(&trial->input);
    const int lesser = strcmp(left->place[0], left->place[1]) > 0;
    memcpy(outcome->check, left->check, sizeof outcome->check);
    memcpy(outcome->place[0], left->place[lesser], sizeof outcome->place[0]);
    memcpy(outcome->place[1], left->place[!lesser], sizeof outcome->place[1]);
    outcome->shape = left->shape;
    outcome->held = grow(NULL, 0, bytes + 1, 1);
    memcpy(outcome->held, left->held, bytes);
}

void trial_run(const struct trial *trial, struct trial_outcome *outcome,
               struct recording *recording)
{
    bool late;
    struct left *left = shared_memory(sizeof *left);
    *outcome = (struct trial_outcome){.kind = RIGHT};
    if (size_of_outputs(&trial->input) > MOST_HELD)
        fail(1, "%zu %s are too many for a trace", trial->input.num_bins, traced_outputs());
    int output = memfd_create("output", MFD_CLOEXEC);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        child(trial, left, recording, output);
    if (pid < 0 || output < 0)
        fail(1, "cannot run %s in a process of its own: %s", traced_function(), strerror(errno));
    int status = wait_for_end(pid, &late);
    const ssize_t length = pread(output, outcome->words, WORDS - 1, 0);
    outcome->words[length > 0 ? length : 0] = '\0';
    close(output);
    take(trial, left, outcome);
    judge(left, status, late, outcome);
    if (left->finished && left->fine)
        judge_outputs(trial, outcome);
    munmap(left, sizeof *left);
}
