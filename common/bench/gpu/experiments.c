/* experiments.c - what one decision costs: who reads what, and into how many blocks a text is cut.
 *
 *     experiments reading OUT.csv            only reading, by sections and by strides
 *     experiments layouts OUT.csv INPUT...   counting in shared memory, the same two ways
 *     experiments blocks OUT.csv INPUT...    private copies in global and in shared memory
 *
 * Each on 64 MiB of a kind of text (kinds.h) and in 16 to 65,536 blocks. Appends rows to OUT.csv.
 * Timed as in queue.h, the zeroing of bins and copies included; the bins are compared
 * with a count on the CPU. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "errors.h"
#include "kinds.h"
#include "layouts.h"
#include "queue.h"
#include "rotation.h"
#include "row_file.h"
#include "verify.h"

enum { FEWEST_BLOCKS = 16, MOST_BLOCKS = 65536 };
static const size_t length = (size_t)64 << 20;

enum way { READ_BYTES, READ_WORDS, COUNT_IN_SHARED, COUNT_IN_GLOBAL };

/* One launch: what is done, on which text, and where the result goes. */
struct launch {
    enum way way;
    enum layout layout;
    unsigned int blocks;
    struct rotation *rotation;
    unsigned int *d_bins, *d_copies;
};

/* A gpu_run of a launch. */
static void run_launch(void *what)
{
    const struct launch *launch = what;
    const unsigned char *text = rotation_next(launch->rotation);
    if (launch->way == COUNT_IN_SHARED || launch->way == COUNT_IN_GLOBAL)
        must(cudaMemsetAsync(launch->d_bins, 0, NUM_BINS * sizeof *launch->d_bins, 0),
             "cudaMemsetAsync");
    switch (launch->way) {
    case READ_BYTES:
        read_bytes(launch->layout, text, length, launch->d_bins, launch->blocks);
        break;
    case READ_WORDS:
        read_words(launch->layout, text, length, launch->d_bins, launch->blocks);
        break;
    case COUNT_IN_SHARED:
        count_in_shared(launch->layout, text, length, launch->d_bins, launch->blocks);
        break;
    case COUNT_IN_GLOBAL:
        count_in_global(text, length, launch->d_bins, launch->d_copies, launch->blocks);
        break;
    }
}

/* A text, where it is counted, and what a CPU counts in it. */
struct bench {
    struct text text;
    struct rotation rotation;
    unsigned int *d_bins, *d_copies;
    unsigned int expected[NUM_BINS];
    FILE *csv;
};

static struct bench bench_on(char *input, FILE *csv)
{
    struct bench bench = {.text = kind_of_text(input, length), .csv = csv};
    verify_count(bench.text.bytes, length, bench.expected);
    bench.rotation = rotation_of(bench.text.bytes, length);
    const size_t bytes = NUM_BINS * sizeof *bench.d_bins;
    must(cudaMalloc((void **)&bench.d_bins, bytes), "cudaMalloc");
    must(cudaMalloc((void **)&bench.d_copies, MOST_BLOCKS * bytes), "cudaMalloc of the copies");
    return bench;
}

static void end_of(struct bench *bench)
{
    must(cudaFree(bench->d_bins), "cudaFree");
    must(cudaFree(bench->d_copies), "cudaFree");
    rotation_free(&bench->rotation);
    text_free(&bench->text);
}

static struct gpu_times time_launch(struct bench *bench, enum way way, enum layout layout,
                                    unsigned int blocks)
{
    struct launch launch = {way, layout, blocks, &bench->rotation, bench->d_bins, bench->d_copies};
    return queue_time(run_launch, &launch, queue_warm_up(run_launch, &launch));
}

static const char *name_of(enum layout layout)
{
    return layout == SECTIONS ? "sections" : "strides";
}

/* The columns from length on. */
static void print_times(FILE *file, const struct gpu_times *times)
{
    fprintf(file, "%zu,%d,%d,%.5f,%.5f,%.5f,%.1f", length, times->repetitions, times->queued,
            times->run.median, times->run.low, times->run.high,
            (double)length / times->run.median * 1e-6);
}

static void measure_reading(struct bench *bench, enum way way, enum layout layout)
{
    const size_t bytes = way == READ_BYTES ? 1 : 16;
    for (unsigned int blocks = FEWEST_BLOCKS; blocks <= MOST_BLOCKS; blocks *= 2) {
        if (blocks * LAYOUT_THREADS * bytes > length)
            break;
        struct gpu_times times = time_launch(bench, way, layout, blocks);
        fprintf(bench->csv, "%s,%zu,%u,%d,", name_of(layout), bytes, blocks, (int)LAYOUT_THREADS);
        print_times(bench->csv, &times);
        fprintf(bench->csv, "\n");
        printf("reading by %-8s %2zu bytes a load, %5u blocks: %8.4f ms %8.1f GB/s\n",
               name_of(layout), bytes, blocks, times.run.median,
               (double)length / times.run.median * 1e-6);
    }
}

/* Returns false when the bins of the last run were wrong. */
static bool measure_counting(struct bench *bench, enum way way, enum layout layout)
{
    const char *place = way == COUNT_IN_SHARED ? "shared" : "global";
    bool all_right = true;
    for (unsigned int blocks = FEWEST_BLOCKS; blocks <= MOST_BLOCKS; blocks *= 2) {
        unsigned int bins[NUM_BINS];
        struct gpu_times times = time_launch(bench, way, layout, blocks);
        must(cudaMemcpy(bins, bench->d_bins, sizeof bins, cudaMemcpyDeviceToHost), "cudaMemcpy");
        const bool right = memcmp(bins, bench->expected, sizeof bins) == 0;
        all_right = all_right && right;
        fprintf(bench->csv, "%s,%s,%s,%d,%u,%d,%llu,", place, name_of(layout), bench->text.name,
                (int)NUM_BINS, blocks, (int)LAYOUT_THREADS, (unsigned long long)blocks * NUM_BINS);
        print_times(bench->csv, &times);
        fprintf(bench->csv, ",%s\n", right ? "yes" : "no");
        printf("%s memory, %-8s %-8s %3d bins, %5u blocks: %8.4f ms %8.1f GB/s%s\n", place,
               name_of(layout), bench->text.name, (int)NUM_BINS, blocks, times.run.median,
               (double)length / times.run.median * 1e-6, right ? "" : ", WRONG");
    }
    return all_right;
}

static void reading(const char *file)
{
    char input[] = "uniform";
    struct bench bench = bench_on(
        input, report_open(file, "layout,bytes_a_load,blocks,threads_per_block,length,runs,"
                                 "queued,median_ms,low_ms,high_ms,GB_per_s"));
    for (int way = READ_BYTES; way <= READ_WORDS; way++)
        for (int layout = SECTIONS; layout <= STRIDES; layout++)
            measure_reading(&bench, (enum way)way, (enum layout)layout);
    fclose(bench.csv);
    end_of(&bench);
}

/* Returns false when bins were wrong. */
static bool counting(bool of_layouts, const char *file, char **inputs)
{
    bool right = true;
    FILE *csv = report_open(file, "memory,layout,input,bins,blocks,threads_per_block,merge_atomics,"
                                  "length,runs,queued,median_ms,low_ms,high_ms,GB_per_s,correct");
    for (char **input = inputs; *input; input++) {
        struct bench bench = bench_on(*input, csv);
        right = measure_counting(&bench, of_layouts ? COUNT_IN_SHARED : COUNT_IN_GLOBAL,
                                 of_layouts ? SECTIONS : STRIDES) &&
                right;
        right = measure_counting(&bench, COUNT_IN_SHARED, STRIDES) && right;
        end_of(&bench);
    }
    fclose(csv);
    return right;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "reading") == 0) {
        reading(arguments[2]);
        return 0;
    }
    const bool of_layouts = count > 3 && strcmp(arguments[1], "layouts") == 0;
    if (!of_layouts && !(count > 3 && strcmp(arguments[1], "blocks") == 0)) {
        fprintf(stderr, "usage: %s reading OUT.csv | layouts|blocks OUT.csv INPUT...\n",
                arguments[0]);
        return 2;
    }
    return counting(of_layouts, arguments[2], arguments + 3) ? 0 : 1;
}
