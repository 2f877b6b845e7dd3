/* bench.c - times the chapters on the GPU, next to what they are measured against.
 *
 *     bench INPUTS SIZES CHAPTER.so...
 *
 * INPUTS is a list like english,uniform of kinds of text (those of text.h, sorted
 * and smooth) or files, SIZES one like 64K,1M. A CHAPTER.so holds one chapter's
 * histogram(); its name is that of its folder. For every input and size the read
 * roofline, an empty launch, CUB, Thrust and all chapters run on the same text in
 * this one process. Prints CSV to standard output.
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

#include "../binning.h"
#include "../check.h"
#include "../histogram.h"
#include "../text.h"
#include "peers.h"

enum { WARM_UPS = 3, RUNS = 21, POISON = 0x5c, MOST_CONTESTANTS = 64 };
static const float most_seconds = 40; /* for all runs of one row */
static const size_t rotation_bytes = (size_t)512 << 20;

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

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
    bool is_chapter; /* needs zeroed bins */
    bool counts;     /* leaves the histogram in the bins */
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

static void run_thrust(const unsigned char *text, size_t length, unsigned int *bins)
{
    (void)bins;
    thrust_histogram(text, length);
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
    struct check_result check = {.input = task->text.name,
                                 .text = task->text.bytes,
                                 .length = task->text.length,
                                 .counted = bins};
    check_is_right(&check, why, sizeof why);
    fprintf(stderr, "%s: %s\n", who->name, why);
    return false;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float time_once(const struct contestant *who, struct copies *c, unsigned int *d_bins,
                       cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    const unsigned char *text = next_copy(c);
    must(cudaEventRecord(start, 0), "cudaEventRecord");
    run_once(who, text, c->length, d_bins);
    must(cudaEventRecord(stop, 0), "cudaEventRecord");
    must(cudaEventSynchronize(stop), who->name);
    must(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return ms;
}

/* Fills in the milliseconds of each run, sorted. Returns false when they would take
 * longer than most_seconds. */
static bool time_runs(const struct contestant *who, struct copies *c, unsigned int *d_bins,
                      float *ms)
{
    cudaEvent_t start, stop;
    float warm = 0;
    must(cudaEventCreate(&start), "cudaEventCreate");
    must(cudaEventCreate(&stop), "cudaEventCreate");
    for (int i = 0; i < WARM_UPS; i++)
        warm = time_once(who, c, d_bins, start, stop);
    bool affordable = warm * RUNS < most_seconds * 1000;
    for (int i = 0; i < RUNS && affordable; i++)
        ms[i] = time_once(who, c, d_bins, start, stop);
    must(cudaEventDestroy(start), "cudaEventDestroy");
    must(cudaEventDestroy(stop), "cudaEventDestroy");
    qsort(ms, RUNS, sizeof *ms, by_value);
    return affordable;
}

static void print_row(const struct contestant *who, const struct text *text, const float *ms,
                      bool right)
{
    double median = (double)ms[RUNS / 2];
    printf("%s,%s,%d,%zu,%d,%.5f,%.5f,%.5f,%.1f,%s\n", who->name, text->name, (int)NUM_BINS,
           text->length, (int)RUNS, median, (double)ms[RUNS / 10], (double)ms[RUNS - 1 - RUNS / 10],
           (double)text->length / median / 1e6,
           !who->counts ? "-"
           : right      ? "yes"
                        : "no");
    fflush(stdout);
}

static bool measure_one(const struct contestant *who, struct copies *c, const struct task *task,
                        unsigned int *d_bins)
{
    float ms[RUNS] = {0};
    bool right = is_right(who, c, task, d_bins);
    if (!time_runs(who, c, d_bins, ms)) {
        fprintf(stderr, "%s on %s: left out, %d runs would take over %.0f s\n", who->name,
                task->text.name, (int)RUNS, (double)most_seconds);
        return right;
    }
    right = is_right(who, c, task, d_bins) && right;
    print_row(who, &task->text, ms, right);
    return right;
}

/* Bytes in rising order, as many of each as in a uniform text. */
static struct text sorted_text(size_t length)
{
    struct text text = text_of(TEXT_SINGLE, 1, length);
    int kinds = NUM_BINS == 256 ? 256 : 26, first = NUM_BINS == 256 ? 0 : 'a';
    for (size_t i = 0; i < length; i++)
        text.bytes[i] = (unsigned char)((size_t)first + i * (size_t)kinds / length);
    snprintf(text.name, sizeof text.name, "sorted");
    return text;
}

/* Neighbors differ by at most one, as in an image. */
static struct text smooth_text(size_t length)
{
    struct text steps = text_of(TEXT_UNIFORM, 7, length);
    int kinds = NUM_BINS == 256 ? 256 : 26, first = NUM_BINS == 256 ? 0 : 'a', value = kinds / 2;
    for (size_t i = 0; i < length; i++) {
        value += steps.bytes[i] % 3 - 1;
        value = value < 0 ? 1 : value >= kinds ? kinds - 2 : value;
        steps.bytes[i] = (unsigned char)(first + value);
    }
    snprintf(steps.name, sizeof steps.name, "smooth");
    return steps;
}

static struct text make_text(char *input, size_t length)
{
    char error[512];
    enum text_kind kind = text_kind_named(input);
    struct text text;
    if (kind != TEXT_KINDS) {
        text = text_of(kind, 1, length);
        snprintf(text.name, sizeof text.name, "%s", input);
        return text;
    }
    if (strcmp(input, "sorted") == 0)
        return sorted_text(length);
    if (strcmp(input, "smooth") == 0)
        return smooth_text(length);
    text = text_read(&input, 1, error, sizeof error);
    if (!text.bytes) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    text_resize(&text, length);
    return text;
}

/* The chapter of a shared library build/.../06_shared/histogram.so. */
static struct contestant load_chapter(char *path)
{
    struct contestant chapter = {.is_chapter = true, .counts = true};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "histogram") : NULL;
    char *end = strrchr(path, '/');
    if (!symbol || !end) {
        fprintf(stderr, "%s\n", library ? "no histogram() in a file of a folder" : dlerror());
        exit(1);
    }
    memcpy(&chapter.run, &symbol, sizeof symbol);
    *end = '\0';
    chapter.name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    return chapter;
}

static bool measure_all(const struct contestant *who, size_t count, char *input, size_t length)
{
    struct task task = {.text = make_text(input, length)};
    check_count(task.text.bytes, length, task.expected);
    struct copies c = make_copies(&task.text);
    unsigned int *d_bins;
    bool right = true;
    must(cudaMalloc((void **)&d_bins, NUM_BINS * sizeof *d_bins), "cudaMalloc");
    for (size_t i = 0; i < count; i++)
        if (who[i].run != run_thrust || length <= (size_t)1 << 30)
            right = measure_one(&who[i], &c, &task, d_bins) && right;
    thrust_release();
    must(cudaFree(d_bins), "cudaFree");
    must(cudaFree(c.first), "cudaFree");
    text_free(&task.text);
    return right;
}

int main(int count, char **arguments)
{
    struct contestant who[MOST_CONTESTANTS] = {{"read only", read_only, false, false},
                                               {"empty launch", run_empty, false, false},
                                               {"cub DeviceHistogram", cub_histogram, false, true},
                                               {"thrust sort", run_thrust, false, false}};
    size_t contestants = 4, length;
    bool right = true;
    if (count < 3) {
        fprintf(stderr, "usage: %s INPUT,... SIZE,... CHAPTER.so...\n", arguments[0]);
        return 2;
    }
    for (int i = 3; i < count && contestants < MOST_CONTESTANTS; i++)
        who[contestants++] = load_chapter(arguments[i]);
    printf("implementation,input,bins,length,runs,median_ms,low_ms,high_ms,GB_per_s,correct\n");
    char *inputs = arguments[1];
    for (char *input; (input = strsep(&inputs, ","));) {
        char *list = strdup(arguments[2]), *sizes = list;
        for (char *size; (size = strsep(&sizes, ","));) {
            if (text_parse_size(size, &length) != 0) {
                fprintf(stderr, "%s is not a size: use 64K, 16M or 4294967295\n", size);
                return 2;
            }
            right = measure_all(who, contestants, input, length) && right;
        }
        free(list);
    }
    return right ? 0 : 1;
}
