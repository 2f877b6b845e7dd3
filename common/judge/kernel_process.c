/* kernel_process.c - starts the kernel's process, has it do jobs, and says how it ended: see job.h. */
#define _GNU_SOURCE

#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "filter.h"
#include "job.h"
#include "settings.h"
#include "must_have.h"
#include "operations.h"
#include "verdict_log.h"
#include "watchdog.h"

const char *kernel_program(const char *below)
{
    static char path[8192];
    char own[4096];
    const char *folder = getenv("KERNEL_FOLDER");
    if (!folder) {
        ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        own[length > 0 ? length : 0] = '\0';
        *(strrchr(own, '/') ? strrchr(own, '/') : own) = '\0';
        folder = own;
    }
    snprintf(path, sizeof path, "%s/%s%skernel", folder, below, below[0] ? "/" : "");
    if (access(path, X_OK) != 0)
        fail_test("cannot start the kernel's process: %s: %s", path, strerror(errno));
    return path;
}

enum { TICK = 100 /* milliseconds */, MOST_PRINTED = 64 << 20 };
enum {
    PROCESSES = 8,
    REPORTED = 86
}; /* the status with which the simulator ends a program that it cannot let go on */

/* What the kernel's process prints, passed on in measure. */
struct kernel_output {
    int descriptor;       /* of a pipe that does not block; -1 when it is closed */
    bool drops;           /* nothing is passed on */
    char line[512];       /* the line at hand, cut */
    size_t length;        /* of it so far, which may be more than is kept */
    size_t shown, hidden; /* lines */
    size_t bytes;         /* all that came */
};

enum { MOST_LINES = 20, MOST_OF_REPORTS = 1000, MOST_AT_ONCE = 64 };

/* Whether the line is one of a report of the simulator. */
static bool is_report(const struct kernel_output *output)
{
    return strncmp(output->line, "=========", 9) == 0;
}

static void end_line(struct kernel_output *output)
{
    size_t kept = output->length < sizeof output->line ? output->length : sizeof output->line - 1;
    output->line[kept] = '\0';
    size_t most = is_report(output) ? MOST_OF_REPORTS : MOST_LINES;
    if (output->drops || output->shown >= most) {
        output->hidden++;
    } else {
        if (kept < output->length)
            memcpy(output->line + kept - 4, " ...", 4);
        verdict_log_print(output->line);
        output->shown += !is_report(output);
    }
    output->length = 0;
}

static void take_output(struct kernel_output *output, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            end_line(output);
            continue;
        }
        if (output->length < sizeof output->line - 1)
            output->line[output->length] = bytes[i];
        output->length++;
    }
}

/* Passes on to standard error what has come: all reports of the simulator, and the first few of other lines. Returns
 * false once the pipe is closed. */
static bool kernel_output_drain(struct kernel_output *output)
{
    char bytes[1 << 16];
    for (int i = 0; i < MOST_AT_ONCE && output->descriptor >= 0; i++) {
        ssize_t got = read(output->descriptor, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return true;
        if (got == 0) {
            close(output->descriptor);
            output->descriptor = -1;
        }
        output->bytes += (size_t)got;
        take_output(output, bytes, (size_t)got);
    }
    return output->descriptor >= 0;
}

/* Says how many lines were left out, if any were. */
static void kernel_output_end(struct kernel_output *output)
{
    if (output->length > 0)
        end_line(output);
    if (output->hidden > 0 && !output->drops) {
        snprintf(output->line, sizeof output->line, "(and %zu more line%s that it printed)",
                 output->hidden, output->hidden == 1 ? "" : "s");
        verdict_log_print(output->line);
    }
    output->hidden = 0;
}

struct process {
    char folder[32];      /* in which its program is, below this program's own; "" for that */
    unsigned int devices; /* that it has; 0: one */
    pid_t pid;            /* 0 before it is started */
    int channel;
    struct kernel_output out, errors;
    struct watchdog watch;
    bool is_ready;              /* for jobs: what runs before main has come to its end */
    bool is_spent;              /* a job was cut off in it: the next one has a fresh process */
    const char *what;           /* the input that it works on, or NULL */
    char function[48];          /* that it calls, "reduce()" */
    uint64_t launches, reports; /* of the simulator, as its farewell says */
    int right_end;              /* the exit status that is right, or 0 */
    uint64_t short_before;      /* of memory: what the system had ended for it before the start */
};

static struct process processes[PROCESSES], *kernel = processes; /* that is asked */

/* A test's process ends with Criterion's own, and that with the verdict. Nobody but the system's administrator looks into
 * one: not the kernel's, where nothing else keeps it from that. */
__attribute__((constructor)) static void close_the_door(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
}

static void fail_to_start(const char *what)
{
    fail_test("cannot start the kernel's process: %s: %s", what, strerror(errno));
}

static void become_kernel(int channel, int out, int errors)
{
    char descriptor[16];
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    int kept = fcntl(channel, F_DUPFD, 16);
    for (int other = 3; other < 1024; other++)
        if (other != kept)
            close(other);
    snprintf(descriptor, sizeof descriptor, "%d", kept);
    const char *path = kernel_program(kernel->folder);
    confine_and_execute(path, descriptor);
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    _exit(127);
}

static void end_output(void)
{
    kernel_output_end(&kernel->out);
    kernel_output_end(&kernel->errors);
}

static void end_all_output(void)
{
    struct process *const asked = kernel; /* what runs after this at the end may ask it */
    for (kernel = processes; kernel < processes + PROCESSES; kernel++)
        end_output();
    kernel = asked;
}

static void start(void)
{
    static bool any;
    int channel[2], out[2], errors[2];
    kernel_program(kernel->folder); /* fails here, where it is said */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0 ||
        pipe2(out, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
        fail_to_start("a channel");
    fflush(NULL);
    kernel->short_before = out_of_memory_ends();
    kernel->pid = fork();
    if (kernel->pid < 0)
        fail_to_start("a process");
    if (kernel->pid == 0)
        become_kernel(channel[1], out[1], errors[1]);
    close(channel[1]);
    close(out[1]);
    close(errors[1]);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    kernel->channel = channel[0];
    kernel->out.descriptor = out[0];
    kernel->errors.descriptor = errors[0];
    watchdog_start(&kernel->watch, kernel->pid);
    if (!any)
        atexit(end_all_output);
    any = true;
}

static void drain(void)
{
    kernel_output_drain(&kernel->out);
    kernel_output_drain(&kernel->errors);
}

/* Waits for the end of the process, and returns its status. After a second it ends the process. On a busy machine only
 * the time counts in which the process computed, or had nothing to do. */
static int wait_for_end(void)
{
    int status = 0;
    watchdog_begin(&kernel->watch);
    while (waitpid(kernel->pid, &status, WNOHANG) == 0) {
        if (watchdog_is_due(&kernel->watch) && watchdog_has_had(&kernel->watch, 1))
            watchdog_kill(&kernel->watch);
        drain();
        usleep(10000);
    }
    watchdog_kill(&kernel->watch);
    drain();
    end_output();
    return status;
}

/* A signal is seen as such, or as the status that bubblewrap makes of it. */
static int signal_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    return WIFEXITED(status) && WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
}

/* Fails where the simulated GPU has said that it has no room, and says first whose fault that is. */
static void refuse_limit_on_addresses(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        fail_test(
            "a limit on addresses (ulimit -v %llu) leaves the simulated GPU no room: lift it with "
            "ulimit -v unlimited",
            (unsigned long long)limit.rlim_cur / 1024);
}

/* " on 33 characters", of the input that it works on; "" of none. */
static const char *where(void)
{
    static char on[300];
    snprintf(on, sizeof on, "%s%s", kernel->what ? " on " : "", kernel->what ? kernel->what : "");
    return on;
}

/* The process has ended, or been ended because of `reason`: the test ends with a sentence. */
static void end_test(const char *reason)
{
    int status = wait_for_end(), signal = signal_of(status);
    const char *on = where();
    if (!reason && kernel->right_end && WIFEXITED(status) &&
        WEXITSTATUS(status) == kernel->right_end)
        exit(kernel->right_end);
    verdict_log_add("failed stopped");
    if (reason)
        fail_test("%s%s %s", kernel->function, on, reason);
    if (WIFEXITED(status) && WEXITSTATUS(status) == REPORTED && !signal) {
        verdict_log_add("caught memcheck ?"); /* it had no time to say where */
        fail_test("the report above was made on %s: the program has ended there",
                  *on ? on + strlen(" on ") : "this call");
    }
    if (signal == SIGKILL && out_of_memory_ends() > kernel->short_before)
        fail_test(
            "%s was ended by the system: out of memory%s; other programs may have taken it, or "
            "too many tests at a time (make -j1)",
            kernel->function, on);
    if (!kernel->is_ready || WEXITSTATUS(status) == 1) /* as when there is none for the far end */
        refuse_limit_on_addresses();
    if (!kernel->is_ready)
        fail_test("the program ended before %s was called, with %s %d: a constructor or a "
                  "global object does that",
                  kernel->function, signal ? "signal" : "exit status",
                  signal ? signal : WEXITSTATUS(status));
    if (signal == SIGSYS)
        fail_test("%s was stopped%s: it asked the system for what no kernel needs, such as "
                  "another process",
                  kernel->function, on);
    if (signal)
        fail_test("%s was ended by signal %d (%s)%s", kernel->function, signal, strsignal(signal),
                  on);
    fail_test("%s ended the program with exit status %d%s: it has to return", kernel->function,
              WEXITSTATUS(status), on);
}

/* It asked the system for what it may not, and says which call that was, and where. */
static void end_refused(const struct outcome *outcome)
{
    wait_for_end();
    fail_as("stopped", "%s was stopped%s: it asked the system for what no kernel needs: %s, in %s",
            kernel->function, where(), filter_name(outcome->refused),
            outcome->place[0] ? outcome->place : "?");
}

/* Waits until something can be sent, or is there to be received; passes on what the process prints. */
static void wait_a_little(bool sends)
{
    struct pollfd ready[] = {
        {.fd = kernel->channel, .events = sends ? POLLOUT : POLLIN},
        {.fd = kernel->out.descriptor, .events = POLLIN},
        {.fd = kernel->errors.descriptor, .events = POLLIN},
    };
    if (poll(ready, 3, TICK) <= 0 || watchdog_is_due(&kernel->watch)) {
        const char *reason = watchdog_look(&kernel->watch);
        if (reason)
            end_test(reason);
    }
    if (ready[1].revents || ready[2].revents)
        drain();
    if (kernel->out.bytes + kernel->errors.bytes > MOST_PRINTED) {
        watchdog_kill(&kernel->watch);
        end_test("printed more than 64 MiB");
    }
}

/* Moves bytes to the kernel's process, or from it, and passes on what it prints meanwhile. A process that is gone takes
 * what is sent: a farewell of it may still be read. */
static void move(bool sends, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t moved =
            sends ? send(kernel->channel, (char *)bytes + done, size - done,
                         MSG_NOSIGNAL | MSG_DONTWAIT)
                  : recv(kernel->channel, (char *)bytes + done, size - done, MSG_DONTWAIT);
        if (moved > 0)
            done += (size_t)moved;
        else if (moved < 0 && errno == EAGAIN)
            wait_a_little(sends);
        else if (moved < 0 && errno == EINTR)
            continue;
        else if (sends)
            return;
        else
            end_test(NULL);
    }
}

static void receive_reports(size_t size)
{
    char *lines = malloc(size + 1), *next;
    if (!lines)
        fail_to_start("memory");
    move(false, lines, size);
    lines[size] = '\0';
    for (char *line = lines; (next = strchr(line, '\n')); line = next + 1) {
        *next = '\0';
        verdict_log_add("caught %s", line);
    }
    free(lines);
}

/* The process of a job's operation and number of devices, each of which has its own; what comes from one stays there. */
static void choose(const struct job *job)
{
    const char *folder = operation_folder(job->call.operation);
    for (kernel = processes; kernel < processes + PROCESSES; kernel++) {
        if (kernel->pid != 0 &&
            (strcmp(kernel->folder, folder) != 0 || kernel->devices != job->devices))
            continue;
        snprintf(kernel->folder, sizeof kernel->folder, "%s", folder);
        kernel->devices = job->devices;
        return;
    }
    fail_test("more than %d kernels at the same time", PROCESSES);
}

/* What is not so long that it was made up. */
static bool is_plausible(const struct job *job, const struct outcome *outcome)
{
    enum { MOST_ANSWERED = 1 << 28 };
    return outcome->nonce == job->nonce &&
           (job->watch == ASK_CONTRACT
                ? outcome->output_bytes <= MOST_ANSWERED
                : outcome->output_bytes == 0 || outcome->output_bytes == job->output_bytes);
}

static void end_texts(struct outcome *outcome)
{
    outcome->error[ERROR_BYTES - 1] = outcome->place[PLACE_BYTES - 1] = '\0';
    outcome->last_load[PLACE_BYTES - 1] = '\0';
    outcome->stopped[sizeof outcome->stopped - 1] = '\0';
    outcome->cost.reader[sizeof outcome->cost.reader - 1] = '\0';
    outcome->shape.kernel[sizeof outcome->shape.kernel - 1] = '\0';
}

static void await_ready(void)
{
    char word[sizeof READY] = "";
    if (kernel->is_ready)
        return;
    watchdog_begin(&kernel->watch);
    move(false, word, sizeof word);
    kernel->is_ready = true;
}

/* Whether not all blocks of the job's launches have come to their end. What was cut off may have left variables of
 * the kernel's, such as a count of blocks, as no call leaves them. */
static bool was_cut_off(const struct job *job, const struct outcome *outcome)
{
    if (job->watch == ASK_MODEL || job->watch == ASK_CONTRACT)
        return false;
    return !outcome->finished || outcome->stopped[0] || (job->is_trial && job->trial.last > 0);
}

/* Ends a process in which a job was cut off, so that the next job starts another one. */
static void end_spent_process(void)
{
    watchdog_kill(&kernel->watch);
    while (waitpid(kernel->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    drain();
    end_output();
    close(kernel->channel);
    close(kernel->out.descriptor);
    close(kernel->errors.descriptor);
    kernel->pid = 0;
    kernel->is_ready = kernel->is_spent = false;
}

static struct outcome ask(struct job *job, const char *what, const void *input, const void *output)
{
    struct outcome outcome;
    if (verdict_is_known())
        cr_skip_test("a test before this one has failed");
    choose(job);
    snprintf(kernel->function, sizeof kernel->function, "%s", job->function);
    if (getrandom(&job->nonce, sizeof job->nonce, 0) != sizeof job->nonce)
        fail_to_start("a random number");
    if (kernel->is_spent)
        end_spent_process();
    if (kernel->pid == 0)
        start();
    await_ready();
    kernel->what = what;
    kernel->right_end = (int)job->right_end;
    kernel->out.drops = kernel->errors.drops = job->right_end != 0;
    watchdog_begin(&kernel->watch);
    move(true, job, sizeof *job);
    move(true, (void *)(uintptr_t)input, job->input_bytes);
    move(true, (void *)(uintptr_t)output, job->output_bytes);
    move(false, &outcome, sizeof outcome);
    drain();
    end_texts(&outcome);
    kernel->is_spent = was_cut_off(job, &outcome);
    return outcome;
}

/* The process is about to end, or has not done what it was asked. */
static void expect_answered(const struct job *job, const struct outcome *outcome)
{
    if (outcome->farewell == REFUSED) {
        receive_reports(outcome->report_bytes);
        end_refused(outcome);
    }
    if (outcome->farewell == EXITS) {
        receive_reports(outcome->report_bytes);
        kernel->launches = outcome->launches;
        kernel->reports = outcome->errors;
        end_test(NULL);
    }
    if (!is_plausible(job, outcome))
        end_test("answered what nobody had asked: it meddles with the judge");
}

struct outcome job_run(struct job *job, const char *what, const void *input, void *output)
{
    const struct outcome outcome = ask(job, what, input, output);
    expect_answered(job, &outcome);
    move(false, output, outcome.output_bytes);
    receive_reports(outcome.report_bytes);
    kernel->what = NULL;
    return outcome;
}

struct outcome job_ask_contract(struct job *job, const char *what, const void *input, void **output)
{
    job->watch = ASK_CONTRACT;
    const struct outcome outcome = ask(job, what, input, NULL);
    expect_answered(job, &outcome);
    *output = must_have(malloc(outcome.output_bytes + 1), "for an answer");
    move(false, *output, outcome.output_bytes);
    receive_reports(outcome.report_bytes);
    kernel->what = NULL;
    return outcome;
}

bool job_was_run(void)
{
    return kernel->launches > 0 || kernel->reports > 0;
}
