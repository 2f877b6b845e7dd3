/* texts.c - the workload of chapters that count a text. A cell is SIZE:KIND, "64M:english", of timed_text.h or a file.
 *
 * A run zeroes the bins and calls histogram(). Each run reads another copy of the text; there are enough copies to
 * defeat the L2 cache. The bins are compared with a count on the CPU. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "binning.h"
#include "errors.h"
#include "grouped.h"
#include "contract.h"
#include "histogram.h"
#include "timed_text.h"
#include "rotation.h"
#include "run.h"
#include "text_input.h"
#include "util.h"
#include "verify.h"

#define QUOTE(name) #name
#define QUOTED(name) QUOTE(name)

/* The judge's part of this program counts in as many bins: letters.h. */
__attribute__((constructor)) static void choose_bins(void)
{
    setenv("NUM_BINS", QUOTED(BINS), 1);
}

/* The judge's half would call a kernel that is linked in; here each kernel is in a library of its own. */
void call_make(const struct call *call)
{
    (void)call;
}

enum { POISON = 0x5c };

struct workspace {
    struct text text;
    struct rotation rotation;
    unsigned int *d_bins, expected[NUM_BINS];
};

static const struct peer peers[] = {
    {.name = "read only", .run = read_alone, .shapes = 1, .shape = ROOFLINE_SHAPE},
    {.name = "empty launch", .run = launch_nothing, .idle = true},
    {.name = NULL},
};

size_t workload_cells(bool judged, const char *size, const char *kind, struct cell *cells,
                      size_t room)
{
    uint64_t length = 0; // all of a file
    if ((strcmp(size, "all") != 0 && !read_length(size, &length)) || !*kind || !room)
        return 0;
    *cells = (struct cell){.units = length, .bytes = length, .source = kind, .calls = judged};
    snprintf(cells->name, sizeof cells->name, "%s bytes of %s, %d bins",
             length ? grouped(length) : "all", kind, (int)NUM_BINS);
    snprintf(cells->title, sizeof cells->title, "%s", cells->name);
    columns_add(&cells->columns, "input", "%s", kind);
    columns_add(&cells->columns, "bins", "%d", (int)NUM_BINS);
    return 1;
}

struct workspace *workspace_prepare(struct cell *cell)
{
    struct workspace *workspace = calloc(1, sizeof *workspace);
    char kind[4096];
    snprintf(kind, sizeof kind, "%s", cell->source);
    workspace->text = timed_text(kind, cell->units);
    cell->units = cell->bytes = workspace->text.length;
    columns_add(&cell->columns, "length", "%zu", cell->units);
    verify_count(workspace->text.bytes, workspace->text.length, workspace->expected);
    workspace->rotation =
        rotation_of(workspace->text.bytes, workspace->text.length, cell->calls > 0 ? 1 : 0);
    must(cudaMalloc((void **)&workspace->d_bins, sizeof workspace->expected), "cudaMalloc");
    return workspace;
}

void workspace_release(struct workspace *workspace)
{
    must(cudaFree(workspace->d_bins), "cudaFree");
    rotation_free(&workspace->rotation);
    text_free(&workspace->text);
    free(workspace);
}

void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    (void)who, (void)runs;
    must(cudaMemset(workspace->d_bins, POISON, NUM_BINS * sizeof(int)), "cudaMemset");
    must(cudaDeviceSynchronize(), "cudaMemset");
}

void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn)
{
    const unsigned char *text = rotation_next(&workspace->rotation);
    (void)turn;
    if (who->peer.run) {
        who->peer.run(&who->peer, text, units, workspace->d_bins, NUM_BINS);
        return;
    }
    must(cudaMemsetAsync(workspace->d_bins, 0, sizeof workspace->expected, 0), "cudaMemsetAsync");
    ((void (*)(const unsigned char *, size_t, unsigned int *))who->function[0])(text, units,
                                                                                workspace->d_bins);
}

struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    struct verdict verdict = {.of = 1, .different = 1};
    unsigned int bins[NUM_BINS];
    (void)runs;
    must(cudaMemcpy(bins, workspace->d_bins, sizeof bins, cudaMemcpyDeviceToHost), who->name);
    if (memcmp(bins, workspace->expected, sizeof bins) == 0)
        return verdict;
    struct run run = {.input = input_of_text(&histogram_contract, workspace->text.name,
                                             workspace->text.bytes, workspace->text.length, 0),
                      .finished = true};
    verdict.wrong = 1;
    run_compare(&run, bins, NULL);
    snprintf(verdict.why, sizeof verdict.why, "%.511s", run.why);
    return verdict;
}

const struct workload workload = {
    .function = {"histogram"},
    .header = "implementation,input,bins,length,runs,median_ms,low_ms,high_ms,GB_per_s,correct,"
              "percent_of_roofline,ratio_to_CUB,queued,latency_ms,latency_low_ms,latency_high_ms",
    .usage = "CELLS are like 64K,1M:english,uniform; all:FILE is all of a file.",
    .peers = peers,
    .repetitions = 21,
    .fewest = 5,
    .patience_s = 300,
    .has_latency = true,
};
