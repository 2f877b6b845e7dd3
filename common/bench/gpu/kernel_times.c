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
 * Thrust copy, sort and reduce_by_key. Before and after the timing the bins are
 * poisoned, computed again and compared with a count on the CPU. Each run reads
 * another copy of the text, of which there are enough to defeat the L2 cache. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "grouped.h"
#include "verify.h"
#include "histogram.h"
#include "errors.h"
#include "kinds.h"
#include "baselines.h"
#include "times_table.h"

enum { WARM_UPS = 3, RUNS = 21, POISON = 0x5c, MOST_CONTESTANTS = 64 };
static const float long_run = 100; /* milliseconds: from here on one run warms up enough */
static const size_t rotation_bytes = (size_t)512 << 20;

/* The text on the device, several times over. */
struct copies {
    unsigned char *first;
    size_t count, stride, length, next;
};

static struct copies make_copies(const struct text *text)
{
    struct copies c = {.stride = (text->length + 255) / 256 * 256, .length = text->length};
    c.count = rotation_bytes / c.stride;
    c.count = c.count < 2 ? 2 : c.count;
    must(cudaMalloc((void **)&c.first, c.count * c.stride), "cudaMalloc of the texts");
    must(cudaMemcpy(c.first, text->bytes, text->length, cudaMemcpyHostToDevice), "cudaMemcpy");
    for (size_t have = 1, more; have < c.count; have += more) {
        more = have < c.count - have ? have : c.count - have;
        must(cudaMemcpy(c.first + have * c.stride, c.first, more * c.stride,
                        cudaMemcpyDeviceToDevice),
             "cudaMemcpy between the texts");
    }
    return c;
}

static const unsigned char *next_copy(struct copies *c)
{
    return c->first + c->next++ % c->count * c->stride;
}

typedef void work(const unsigned char *text, size_t length, unsigned int *bins);

struct contestant {
    const char *name;
    work *run;
    bool is_chapter;      /* needs zeroed bins */
    bool counts;          /* leaves the histogram in the bins */
    size_t longest;       /* text in bytes; 0: any */
    void (*forget)(void); /* gives back what it keeps between calls, or NULL */
};

static void run_once(const struct contestant *who, const unsigned char *text, size_t length,
                     unsigned int *bins)
{
    if (who->is_chapter)
        must(cudaMemsetAsync(bins, 0, NUM_BINS * sizeof *bins, 0), "cudaMemsetAsync");
    who->run(text, length, bins);
}

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

static bool is_right(const struct contestant *who, struct copies *c, const struct task *task,
                     unsigned int *d_bins)
{
    unsigned int bins[NUM_BINS];
    char why[1024];
    if (!who->counts)
        return true;
    must(cudaMemset(d_bins, POISON, sizeof bins), "cudaMemset");
    run_once(who, next_copy(c), c->length, d_bins);
    must(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost), who->name);
    if (memcmp(bins, task->expected, sizeof bins) == 0)
        return true;
    struct verify_result check = {.input = task->text.name,
                                  .text = task->text.bytes,
                                  .length = task->text.length,
                                  .counted = bins};
    verify_is_right(&check, why, sizeof why);
    fprintf(stderr, "%s: %s\n", who->name, why);
    return false;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Milliseconds. */
static float time_once(const struct contestant *who, struct copies *c, unsigned int *d_bins)
{
    static cudaEvent_t start, stop;
    float ms;
    const unsigned char *text = next_copy(c);
    if (!start) {
        must(cudaEventCreate(&start), "cudaEventCreate");
        must(cudaEventCreate(&stop), "cudaEventCreate");
    }
    must(cudaEventRecord(start, 0), "cudaEventRecord");
    run_once(who, text, c->length, d_bins);
    must(cudaEventRecord(stop, 0), "cudaEventRecord");
    must(cudaEventSynchronize(stop), who->name);
    must(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return ms;
}

/* How long a run takes once the GPU is warm. */
static float warm_up(const struct contestant *who, struct copies *c, unsigned int *d_bins)
{
    float ms = 0;
    for (int i = 0; i < WARM_UPS && ms < long_run; i++)
        ms = time_once(who, c, d_bins);
    return ms;
}

struct contest {
    struct contestant who[MOST_CONTESTANTS];
    size_t count;
    double most_seconds;
    FILE *csv;
};

/* Fills in the times; with no runs in it the row has been left out. Returns false when
 * the bins were wrong. */
static bool measure_one(const struct contest *contest, const struct contestant *who,
                        struct copies *c, const struct task *task, unsigned int *d_bins,
                        struct timing *timing)
{
    float ms[RUNS];
    char why[96];
    *timing = (struct timing){
        .name = who->name, .input = task->text.name, .length = task->text.length, .runs = 0};
    if (who->longest > 0 && task->text.length > who->longest) {
        snprintf(why, sizeof why, "only up to %s bytes", grouped(who->longest));
        report_left_out(contest->csv, who->name, task->text.name, task->text.length, why);
        return true;
    }
    double seconds = (double)warm_up(who, c, d_bins) * RUNS / 1e3;
    if (seconds > contest->most_seconds) {
        snprintf(why, sizeof why, "%d runs would take %.1f s, and %g s are allowed", (int)RUNS,
                 seconds, contest->most_seconds);
        report_left_out(contest->csv, who->name, task->text.name, task->text.length, why);
        return true;
    }
    bool right = is_right(who, c, task, d_bins);
    for (int i = 0; i < RUNS; i++)
        ms[i] = time_once(who, c, d_bins);
    right = is_right(who, c, task, d_bins) && right;
    qsort(ms, RUNS, sizeof *ms, by_value);
    timing->runs = RUNS;
    timing->median = (double)ms[RUNS / 2];
    timing->low = (double)ms[RUNS / 10];
    timing->high = (double)ms[RUNS - 1 - RUNS / 10];
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

static void measure_in_turn(const struct contest *contest, const struct task *task,
                            struct copies *c, unsigned int *d_bins, bool *right)
{
    struct yardsticks yardsticks = {0, 0};
    report_heading(task->text.name, task->text.length, RUNS);
    for (size_t i = 0; i < contest->count; i++) {
        const struct contestant *who = &contest->who[i];
        struct timing timing;
        *right = measure_one(contest, who, c, task, d_bins, &timing) && *right;
        if (who->run == read_only)
            yardsticks.reading = timing.median;
        if (strcmp(who->name, "cub DeviceHistogram") == 0)
            yardsticks.cub = timing.median;
        if (timing.runs > 0)
            report_row(contest->csv, &timing, &yardsticks);
        if (who->forget)
            who->forget();
    }
}

/* Returns false when somebody's bins were wrong. */
static bool measure_all(const struct contest *contest, char *input, size_t length)
{
    struct task task = {.text = kind_of_text(input, length)};
    verify_count(task.text.bytes, task.text.length, task.expected);
    struct copies c = make_copies(&task.text);
    unsigned int *d_bins;
    bool right = true;
    must(cudaMalloc((void **)&d_bins, NUM_BINS * sizeof *d_bins), "cudaMalloc");
    measure_in_turn(contest, &task, &c, d_bins, &right);
    must(cudaFree(d_bins), "cudaFree");
    must(cudaFree(c.first), "cudaFree");
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
    contest.csv = report_open(arguments[1]);
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
