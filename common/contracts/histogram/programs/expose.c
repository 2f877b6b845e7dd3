/* expose.c - whether what a student wrote exposes a wrong kernel.
 *
 *     expose KERNEL EXPERIMENT SAID
 *
 * KERNEL      the source of the kernel that this program is linked with
 * EXPERIMENT  the student's file: experiment.h
 * SAID        a file for what the simulated GPU prints
 *
 * histogram() is called in a process of its own, with every check, on the schedule that the
 * experiment names, or on four from SIM_SEED on. The wrong kernel is exposed when a bin differs
 * from an independent count, when a check reports something, or when the program ends before its
 * time. Prints one sentence, and when nothing was exposed another: what has not been tried. Status
 * 0 when it is exposed, 1 when not, 2 when the experiment cannot be read or run. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "letters.h"
#include "experiment.h"
#include "grouped.h"
#include "measure.h"
#include "placed.h"
#include "sim.h"
#include "settings.h"
#include "text_input.h"
#include "verify.h"

enum { SCHEDULES = 4, A_FEW = 64, PATIENCE = 30 /* seconds */, SENTENCE = 1024 };

/* What came of one call. */
struct exposed_call {
    bool ended; /* the process came to its end */
    bool finished;
    char error[256]; /* why not, in CUDA's words */
    uint64_t reports;
    unsigned int bins[MOST_BINS];
    size_t threads, block; /* of the last launch */
};

static void call_once_exposed(const struct experiment *experiment, uint64_t seed,
                              struct exposed_call *call)
{
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        call->bins[bin] = experiment->bins;
    struct input input = input_of_text(&histogram_contract, "", experiment->text,
                                       experiment->length, experiment->offset);
    input.bins = (unsigned char *)call->bins;
    struct placed placed = place(&input);
    place_output(&placed);
    set_schedule(seed);
    set_multiprocessors(experiment->multiprocessors);
    place_run(&placed, input.name);
    call->finished = placed.last.finished;
    snprintf(call->error, sizeof call->error, "%s", placed.last.error);
    call->reports = placed.last.errors;
    memcpy(call->bins, placed.output, place_output_bytes(&placed));
    const struct sim_launch_shape shape = placed.last.shape;
    call->block = (size_t)shape.block[0] * shape.block[1] * shape.block[2];
    call->threads = call->block * shape.grid[0] * shape.grid[1] * shape.grid[2];
    call->ended = true;
}

__attribute__((noreturn)) static void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

/* Makes the call in a process of its own, which may end as it likes, and is ended by a signal when it takes too long.
 * Returns its wait status; *call is memory that both share. */
static int call_in_a_child(const struct experiment *experiment, uint64_t seed, const char *log,
                           struct exposed_call *call)
{
    int status;
    int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        stop(log);
    memset(call, 0, sizeof *call);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        stop("cannot start a process");
    if (pid == 0) {
        dup2(output, STDERR_FILENO);
        dup2(output, STDOUT_FILENO);
        alarm(PATIENCE);
        call_once_exposed(experiment, seed, call);
        fflush(NULL);
        _exit(0);
    }
    close(output);
    waitpid(pid, &status, 0);
    return status;
}

/* Finds the headline of the first report and its place, or the last line that was printed. */
static void find_report(const char *log, char *sentence, size_t size)
{
    char *line = NULL, headline[256] = "", place[512] = "", last[256] = "";
    size_t room = 0;
    FILE *file = fopen(log, "r");
    while (file && !place[0] && getline(&line, &room, file) > 0) {
        snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
        if (!headline[0] && sscanf(line, "========= Error: %255[^\n]", headline) != 1)
            sscanf(line, "========= %255[^\n]", headline);
        else if (strncmp(line, "=========     at ", 17) == 0 && strstr(line, " in "))
            sscanf(strstr(line, " in ") + 4, "%511[^\n]", place);
    }
    free(line);
    if (file)
        fclose(file);
    snprintf(sentence, size, "%s%s%s", place, place[0] ? ": " : "", headline[0] ? headline : last);
}

/* Writes "bin 3 is 5 where 6 was expected" of the first bin that is wrong; false when all are right. */
static bool find_wrong_bin(const struct experiment *experiment, const struct exposed_call *call,
                           char *sentence, size_t size)
{
    unsigned int expected[MOST_BINS], wrong = 0, first = 0;
    verify_count(experiment->text, experiment->length, expected);
    for (unsigned int bin = num_bins(); bin-- > 0;)
        if (call->bins[bin] != expected[bin] + experiment->bins) {
            wrong++;
            first = bin;
        }
    if (wrong > 0)
        snprintf(sentence, size, "bin %u is %s where %s was expected%s", first,
                 grouped(call->bins[first]), grouped(expected[first] + experiment->bins),
                 wrong > 1 ? ", and others are wrong" : "");
    return wrong > 0;
}

/* Whether this schedule exposes the kernel; then `sentence` says by what. */
static bool exposes(const struct experiment *experiment, uint64_t seed, const char *log,
                    struct exposed_call *call, char *sentence)
{
    char report[SENTENCE] = "";
    int status = call_in_a_child(experiment, seed, log, call);
    find_report(log, report, sizeof report);
    if (!call->ended && WIFSIGNALED(status) && !report[0])
        snprintf(sentence, SENTENCE, "it does not come to its end: signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!call->finished)
        snprintf(sentence, SENTENCE, "it stops: %s", report[0] ? report : call->error);
    else if (call->reports > 0)
        snprintf(sentence, SENTENCE, "%s", report);
    else if (!find_wrong_bin(experiment, call, sentence, SENTENCE))
        return false;
    return true;
}

static bool has_uncounted(const struct experiment *experiment)
{
    unsigned int bins[MOST_BINS];
    size_t counted = 0;
    verify_count(experiment->text, experiment->length, bins);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        counted += bins[bin];
    return counted < experiment->length;
}

static unsigned int bins_met(const struct experiment *experiment)
{
    unsigned int bins[MOST_BINS], met = 0;
    verify_count(experiment->text, experiment->length, bins);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        met += bins[bin] > 0;
    return met;
}

static void add_to_list(char *list, const char *format, const char *number)
{
    size_t length = strlen(list);
    if (length > 0)
        length += (size_t)snprintf(list + length, SENTENCE - length, "; ");
    snprintf(list + length, SENTENCE - length, format, number);
}

/* Whether the number of blocks is made of that of the multiprocessors. */
static bool asks_for_multiprocessors(const char *kernel)
{
    char *line = NULL;
    size_t room = 0;
    bool asks = false;
    FILE *source = fopen(kernel, "r");
    while (source && !asks && getline(&line, &room, source) > 0)
        asks = strcasestr(line, "MultiProcessorCount");
    free(line);
    if (source)
        fclose(source);
    return asks;
}

/* Prints what this experiment leaves out. */
static void print_nudge(const char *kernel, const struct experiment *experiment,
                        const struct exposed_call *call)
{
    char list[SENTENCE] = "";
    if (call->block > 0 && experiment->length <= call->block)
        add_to_list(list, "more characters than a block has threads, %s", grouped(call->block));
    else if (call->threads > 0 && experiment->length <= call->threads)
        add_to_list(list, "more characters than the grid has threads, %s", grouped(call->threads));
    if (experiment->length > 0 && !has_uncounted(experiment) && num_bins() < 256)
        add_to_list(list, "%s", "characters that are not counted");
    if (bins_met(experiment) < num_bins())
        add_to_list(list, "%s", "characters of every bin");
    if (experiment->length < 2 || experiment->length > A_FEW)
        add_to_list(list, "%s",
                    experiment->length < 2 ? "more than one character" : "a few characters");
    if (experiment->offset == 0)
        add_to_list(list, "%s", "an offset");
    if (experiment->bins == 0)
        add_to_list(list, "%s", "bins that hold something before");
    if (asks_for_multiprocessors(kernel) && experiment->multiprocessors != 1)
        add_to_list(list, "%s", "fewer multiprocessors");
    if (list[0])
        printf("not tried here: %s\n", list);
}

static int judge_experiment(const struct experiment *experiment, const char *kernel,
                            const char *log)
{
    char sentence[SENTENCE] = "";
    struct exposed_call *call =
        mmap(NULL, sizeof *call, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (call == MAP_FAILED)
        stop("no memory for what comes of it");
    const uint64_t first = experiment->seed ? experiment->seed : schedule_now();
    const uint64_t schedules =
        experiment->seed || !runs_on_device(&histogram_contract) ? 1 : SCHEDULES;
    for (uint64_t schedule = 0; schedule < schedules; schedule++)
        if (exposes(experiment, first + schedule, log, call, sentence)) {
            printf("exposed: %s\n", sentence);
            return 0;
        }
    printf("not exposed: %s counts %s character%s right", kernel, grouped(experiment->length),
           experiment->length == 1 ? "" : "s");
    if (schedules > 1)
        printf(" on %d schedules", SCHEDULES);
    printf(runs_on_device(&histogram_contract) ? ", and no check reports anything\n" : "\n");
    print_nudge(kernel, experiment, call);
    return 1;
}

int main(int count, char **arguments)
{
    struct experiment experiment;
    if (count != 4) {
        fprintf(stderr, "usage: expose KERNEL EXPERIMENT SAID\n");
        return 2;
    }
    const char *wrong = experiment_read(&experiment, arguments[2]);
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        return 2;
    }
    return judge_experiment(&experiment, arguments[1], arguments[3]);
}
