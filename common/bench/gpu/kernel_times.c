/* kernel_times.c - times the chapters on the GPU, next to what they are measured against.
 *
 *     bench OUT.csv SECONDS INPUTS SIZES LIBRARY.so...
 *
 * INPUTS is a list like english,uniform of kinds of text (kinds.h) or files, SIZES one
 * like 64K,1M; "all" is the length of a file. A LIBRARY.so holds one chapter's
 * histogram(), and its name is that of its folder; or it holds the baselines of baselines.h. For
 * every input and size the read roofline, an empty launch, the baselines and all chapters
 * run on the same text in this one process. A row whose runs would take longer than
 * SECONDS is left out, with a word. Prints a table, and appends rows to OUT.csv.
 *
 * What is timed is the whole call that a user makes: zeroing the bins, then
 * histogram() with all that it allocates, zeroes and merges; for CUB its call
 * without the allocation of its scratch memory, which a user does once; for
 * Thrust copy, sort and reduce_by_key. It is timed on the GPU alone, queued back to back, and
 * as a single call: queue.h says how. Before that the bins are poisoned, computed once and
 * compared with a count on the CPU; after it those that the last timed run has left are compared.
 * Each run reads another copy of the text, of which there are enough to defeat the L2 cache. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "rotation.h"
#include "grouped.h"
#include "verify.h"
#include "histogram.h"
#include "errors.h"
#include "kinds.h"
#include "baselines.h"
#include "queue.h"
#include "times_table.h"

enum { POISON = 0x5c, MOST_CONTESTANTS = 64 };

typedef void work(const unsigned char *text, size_t length, unsigned int *bins);

struct contestant {
    const char *name;
    work *run;
    bool is_chapter;      /* needs zeroed bins */
    bool counts;          /* leaves the histogram in the bins */
    size_t longest;       /* text in bytes; 0: any */
    void (*forget)(void); /* gives back what it keeps between calls, or NULL */
};

static void run_empty(const unsigned char *text, size_t length, unsigned int *bins)
{
    (void)text, (void)length, (void)bins;
    empty_launch();
}

/* A text and what a CPU counts in it. */
struct task {
    struct text text;
    unsigned int expected[NUM_BINS];
};

/* All that one run needs: who counts, in which copy, into which bins. */
struct entry {
    const struct contestant *who;
    struct rotation *rotation;
    unsigned int *d_bins;
};

/* A gpu_run of an entry. */
static void run_once(void *what)
{
    const struct entry *entry = what;
    if (entry->who->is_chapter)
        must(cudaMemsetAsync(entry->d_bins, 0, NUM_BINS * sizeof *entry->d_bins, 0),
             "cudaMemsetAsync");
    entry->who->run(rotation_next(entry->rotation), entry->rotation->length, entry->d_bins);
}

/* Whether the bins hold what the last run had to count. */
static bool is_right(const struct entry *entry, const struct task *task)
{
    unsigned int bins[NUM_BINS];
    char why[1024];
    if (!entry->who->counts)
        return true;
    must(cudaMemcpy(bins, entry->d_bins, sizeof bins, cudaMemcpyDeviceToHost), entry->who->name);
    if (memcmp(bins, task->expected, sizeof bins) == 0)
        return true;
    struct verify_result check = {.input = task->text.name,
                                  .text = task->text.bytes,
                                  .length = task->text.length,
                                  .counted = bins};
    verify_is_right(&check, why, sizeof why);
    fprintf(stderr, "%s: %s\n", entry->who->name, why);
    return false;
}

static bool is_right_once(struct entry *entry, const struct task *task)
{
    must(cudaMemset(entry->d_bins, POISON, NUM_BINS * sizeof *entry->d_bins), "cudaMemset");
    run_once(entry);
    return is_right(entry, task);
}

struct contest {
    struct contestant who[MOST_CONTESTANTS];
    size_t count;
    double most_seconds;
    FILE *csv;
};

/* Fills in the times; with no repetitions in it the row has been left out. Returns false when
 * the bins were wrong. */
static bool measure_one(const struct contest *contest, struct entry *entry, const struct task *task,
                        struct timing *timing)
{
    const struct contestant *who = entry->who;
    const size_t length = task->text.length;
    char why[96];
    *timing = (struct timing){.name = who->name, .input = task->text.name, .length = length};
    if (who->longest > 0 && length > who->longest) {
        snprintf(why, sizeof why, "only up to %s bytes", grouped(who->longest));
        report_left_out(contest->csv, who->name, task->text.name, length, why);
        return true;
    }
    const double ms = queue_warm_up(run_once, entry);
    const int repetitions = queue_repetitions(ms);
    if (ms * repetitions / 1e3 > contest->most_seconds) {
        snprintf(why, sizeof why, "%d runs would take %.1f s, and %g s are allowed", repetitions,
                 ms * repetitions / 1e3, contest->most_seconds);
        report_left_out(contest->csv, who->name, task->text.name, length, why);
        return true;
    }
    bool right = is_right_once(entry, task);
    timing->times = queue_time(run_once, entry, ms);
    right = is_right(entry, task) && right;
    timing->bins = !who->counts ? COUNTS_NOTHING : right ? RIGHT : WRONG;
    return right;
}

static void add(struct contest *contest, struct contestant who)
{
    if (contest->count == MOST_CONTESTANTS) {
        fprintf(stderr, "gpu: at most %d implementations can be timed at once\n",
                (int)MOST_CONTESTANTS);
        exit(1);
    }
    contest->who[contest->count++] = who;
}

static work *work_in(void *library, const char *name)
{
    work *run = NULL;
    void *symbol = dlsym(library, name);
    memcpy(&run, &symbol, sizeof symbol);
    return run;
}

/* The chapter of a shared library build/.../06_shared/histogram.so, or the baselines. */
static void add_library(struct contest *contest, char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    char *end = strrchr(path, '/');
    if (!library || !end) {
        fprintf(stderr, "gpu: %s\n", library ? "a library must lie in a folder" : dlerror());
        exit(1);
    }
    work *chapter = work_in(library, "histogram"), *cub = work_in(library, "cub_histogram");
    work *thrust = work_in(library, "thrust_histogram");
    void *release = dlsym(library, "thrust_release");
    if (chapter) {
        *end = '\0';
        const char *folder = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        add(contest, (struct contestant){folder, chapter, true, true, 0, NULL});
    } else if (cub && thrust && release) {
        struct contestant sort = {"thrust sort", thrust, false, false, (size_t)1 << 30, NULL};
        memcpy(&sort.forget, &release, sizeof release);
        add(contest, (struct contestant){"cub DeviceHistogram", cub, false, true, 0, NULL});
        add(contest, sort);
    } else {
        fprintf(stderr, "gpu: %s: there is no histogram() in it\n", path);
        exit(1);
    }
}

/* Returns false when somebody's bins were wrong. */
static bool measure_in_turn(const struct contest *contest, const struct task *task,
                            struct rotation *rotation, unsigned int *d_bins)
{
    struct yardsticks yardsticks = {0, 0};
    bool right = true;
    report_heading(task->text.name, task->text.length);
    for (size_t i = 0; i < contest->count; i++) {
        const struct contestant *who = &contest->who[i];
        struct entry entry = {who, rotation, d_bins};
        struct timing timing;
        right = measure_one(contest, &entry, task, &timing) && right;
        if (who->run == read_only)
            yardsticks.reading = timing.times.run.median;
        if (strcmp(who->name, "cub DeviceHistogram") == 0)
            yardsticks.cub = timing.times.run.median;
        if (timing.times.repetitions > 0)
            report_row(contest->csv, &timing, &yardsticks);
        if (who->forget)
            who->forget();
    }
    return right;
}

/* Returns false when somebody's bins were wrong. */
static bool measure_all(const struct contest *contest, char *input, size_t length)
{
    struct task task = {.text = kind_of_text(input, length)};
    verify_count(task.text.bytes, task.text.length, task.expected);
    struct rotation rotation = rotation_of(task.text.bytes, task.text.length);
    unsigned int *d_bins;
    must(cudaMalloc((void **)&d_bins, NUM_BINS * sizeof *d_bins), "cudaMalloc");
    const bool right = measure_in_turn(contest, &task, &rotation, d_bins);
    must(cudaFree(d_bins), "cudaFree");
    rotation_free(&rotation);
    text_free(&task.text);
    return right;
}

/* A size of the list; 0 for all of a file. */
static size_t size_named(const char *size)
{
    size_t length = 0;
    if (strcmp(size, "all") != 0 && text_parse_size(size, &length) != 0) {
        fprintf(stderr, "gpu: %s is not a size: use 64K, 16M or 4294967295\n", size);
        exit(2);
    }
    return length;
}

int main(int count, char **arguments)
{
    static struct contest contest;
    bool right = true;
    if (count < 5) {
        fprintf(stderr, "usage: %s OUT.csv SECONDS INPUT,... SIZE,... LIBRARY.so...\n",
                arguments[0]);
        return 2;
    }
    contest.csv = report_open(arguments[1], report_columns);
    contest.most_seconds = strtod(arguments[2], NULL);
    add(&contest, (struct contestant){"read only", read_only, false, false, 0, NULL});
    add(&contest, (struct contestant){"empty launch", run_empty, false, false, 0, NULL});
    for (int i = 5; i < count; i++)
        add_library(&contest, arguments[i]);
    char *inputs = arguments[3];
    for (char *input; (input = strsep(&inputs, ","));) {
        char *list = strdup(arguments[4]), *sizes = list;
        for (char *size; (size = strsep(&sizes, ","));)
            right = measure_all(&contest, input, size_named(size)) && right;
        free(list);
    }
    fclose(contest.csv);
    return right ? 0 : 1;
}
