/* keys.c - the workload of chapters that reduce by index. A cell is BINS:KEYS, "505:zipf".
 *
 * KEYS may have a number behind them, and the number of elements: "zipf0.75@1000000". Without it there are 50,000,000.
 * "all" stands for the numbers of bins, or the keys, of docs/results. With BATCH in the environment the elements are so many
 * histograms of equal lengths, each with BINS bins of its own: an entrant that takes them all at once is called once,
 * the others once for each.
 *
 * Each run has bins of its own, which were made neutral before, and reads the other one of two copies of the
 * elements, so that it does not find them in the L2 cache. The bins of the last run are judged. Where there is not
 * enough memory for bins of all runs, those of one more run are judged. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "errors.h"
#include "grouped.h"
#include "inputs.h"
#include "reduce_by_index.h"
#include "reduce_by_index_batched.h"
#include "rotation.h"

enum { COPIES = 2 };
enum { USUAL_LENGTH = 50000000, MOST_ELEMENTS = 1 << 30, MOST_BINS = 1 << 27 };
#pragma weak reduce_by_index
#pragma weak reduce_by_index_batched

/* A cell's elements and bins on the device: of each of `batch` histograms so many bins. */
struct workspace {
    struct rotation elements, bins;
    size_t length, batch, num_bins;
    struct truth *d_truths;
};

/* In a file of its own: the kernel that one would write first. */
run_of_peer plain_reduce;
static const struct peer peers[] = {
    {.name = "read only", .run = read_alone, .shapes = 1, .shape = ROOFLINE_SHAPE},
    {.name = "plain kernel", .run = plain_reduce, .counts = true},
    {.name = NULL},
};

/* -- which numbers of bins and which keys an operation is timed on -- */

/* As they are typed, and the number that is meant where none is; it is below `most`, and 0 where a kind has none. */
static const struct {
    const char *name;
    double usual, most;
} distributions[CROWDS] = {
    [CROWD_UNIFORM] = {"uniform", 0, 0}, [CROWD_ZIPF] = {"zipf", 1, 8},
    [CROWD_SINGLE] = {"single", 0.5, 1}, [CROWD_STRIDE] = {"stride", 63, 1 << 27},
    [CROWD_NINETY] = {"ninety", 0.5, 1}, [CROWD_SORTED] = {"sorted", 0, 0},
};
/* That `all` may stand for. */
static const char *const crowds[] = {"uniform", "zipf", "single", "stride63", "ninety"};
enum { USUAL_CROWDS = sizeof crowds / sizeof *crowds };
/* Those of the paper about generalized histograms, and as many counters as shared memory holds. */
static const size_t sizes[] = {31,    127,   505,    2041,   6141,   12281,  24569,
                               49145, 58112, 196607, 393215, 786431, 1572863};
enum {
    SIZES = sizeof sizes / sizeof *sizes,
    SHARED_MEMORY_FULL = 58112,
    TWO_KINDS = 1 << CROWD_UNIFORM | 1 << CROWD_STRIDE,
    FOUR_KINDS = 1 << CROWD_UNIFORM | 1 << CROWD_ZIPF | 1 << CROWD_SINGLE | 1 << CROWD_NINETY
};

static bool is_of_operation(size_t num_bins, enum kind_of_crowd kind)
{
    if (OPERATION_IS(count))
        return (TWO_KINDS | FOUR_KINDS) >> kind & 1;
    if (OPERATION_IS(saturate) || OPERATION_IS(argmax))
        return num_bins != SHARED_MEMORY_FULL && (TWO_KINDS >> kind & 1);
    return (num_bins == 505 || num_bins == 12281 || num_bins == 196607) && (FOUR_KINDS >> kind & 1);
}

static size_t batch_asked(void)
{
    const char *asked = getenv("BATCH");
    return asked && *asked ? strtoul(asked, NULL, 10) : 1;
}

/* Reads "zipf0.75@1000000", whose numbers may be missing. Returns false for what is no such keys. */
static bool read_keys(const char *typed, struct crowd *crowd, size_t *length)
{
    const size_t name = strcspn(typed, "0123456789.@");
    char *end = (char *)typed + name;
    crowd->kind = CROWD_UNIFORM;
    while (crowd->kind < CROWDS && (strncmp(distributions[crowd->kind].name, typed, name) != 0 ||
                                    distributions[crowd->kind].name[name] != '\0'))
        crowd->kind++;
    if (crowd->kind == CROWDS)
        return false;
    *length = USUAL_LENGTH;
    crowd->number = *end && *end != '@' ? strtod(end, &end) : distributions[crowd->kind].usual;
    if (*end == '@')
        *length = strtoul(end + 1, &end, 10);
    const double most = distributions[crowd->kind].most;
    return *end == '\0' && (most == 0 ? crowd->number == 0 : crowd->number < most) &&
           (most <= 8 || crowd->number >= 1);
}

/* Without elements where the keys are none, or there are too many, or not equally many in each histogram. */
static struct cell cell_of(size_t num_bins, const char *keys)
{
    struct cell cell = {.bins = num_bins, .calls = 1};
    struct crowd crowd;
    cell.shift = batch_asked();
    if (!read_keys(keys, &crowd, &cell.units) || cell.units > MOST_ELEMENTS || cell.shift == 0 ||
        cell.units % cell.shift != 0)
        return (struct cell){.units = 0};
    cell.kind = (int)crowd.kind;
    cell.number = crowd.number;
    cell.bytes = cell.units * sizeof(element_t);
    const int name = (int)strcspn(keys, "@");
    snprintf(cell.name, sizeof cell.name, "%s, %s elements, %.*s keys, %s bins", OPERATION_NAME,
             grouped(cell.units), name, keys, grouped(num_bins));
    if (cell.shift > 1)
        snprintf(cell.name + strlen(cell.name), sizeof cell.name - strlen(cell.name),
                 " in each of %s histograms", grouped(cell.shift));
    snprintf(cell.title, sizeof cell.title, "%s", cell.name);
    columns_add(&cell.columns, "histograms", "%zu", cell.shift);
    columns_add(&cell.columns, "operation", "%s", OPERATION_NAME);
    columns_add(&cell.columns, "keys", "%.*s", name, keys);
    columns_add(&cell.columns, "length", "%zu", cell.units);
    columns_add(&cell.columns, "bins", "%zu", num_bins);
    return cell;
}

size_t workload_cells(bool judged, const char *bins, const char *keys, struct cell *cells,
                      size_t room)
{
    const size_t one = strtoul(bins, NULL, 10);
    const bool any_bins = strcmp(bins, "all") == 0;
    const bool any_keys = strcmp(keys, "all") == 0;
    size_t found = 0;
    (void)judged;
    for (size_t i = 0; i < (any_bins || any_keys ? SIZES : 1); i++)
        for (size_t k = 0; k < (any_keys ? USUAL_CROWDS : 1); k++) {
            const size_t num_bins = any_bins || any_keys ? sizes[i] : one;
            const struct cell cell = cell_of(num_bins, any_keys ? crowds[k] : keys);
            if ((any_bins || num_bins == one) && cell.units > 0 &&
                (!(any_bins || any_keys) ||
                 is_of_operation(num_bins, (enum kind_of_crowd)cell.kind)) &&
                num_bins > 0 && num_bins <= MOST_BINS / cell.shift && found < room)
                cells[found++] = cell;
        }
    return found;
}

/* -- a cell -- */

void workspace_release(struct workspace *workspace)
{
    must(cudaFree(workspace->d_truths), "cudaFree");
    rotation_free(&workspace->elements);
    rotation_free(&workspace->bins);
    free(workspace);
}

struct workspace *workspace_prepare(struct cell *cell)
{
    struct workspace *workspace = calloc(1, sizeof *workspace);
    const size_t bytes = cell->shift * cell->bins * sizeof(bin_t);
    workspace->length = cell->units;
    workspace->batch = cell->shift;
    workspace->num_bins = cell->bins;
    workspace->bins = rotation_results(bytes);
    workspace->elements = rotation_room_for(cell->bytes, COPIES);
    if (!workspace->bins.first || !workspace->elements.first) {
        workspace_release(workspace);
        return NULL;
    }
    element_t *elements = rotation_place(&workspace->elements, 0);
    elements_fill(elements, cell->units, cell->bins,
                  (struct crowd){(enum kind_of_crowd)cell->kind, cell->number});
    rotation_repeat(&workspace->elements);
    workspace->d_truths = truths_of_elements(elements, cell->units, cell->bins, cell->shift);
    columns_add(&cell->columns, "shared_bytes", "%d",
                device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    return workspace;
}

void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    const struct rotation *bins = &workspace->bins;
    const size_t count = runs < bins->count ? runs : bins->count;
    (void)who;
    bins_clear(rotation_place(bins, 0), count * bins->stride / sizeof(bin_t));
    must(cudaDeviceSynchronize(), "clearing the bins");
}

/* A single histogram is for those who take one. */
static bool takes(const struct cell *cell, const struct entrant *who)
{
    return who->peer.run || who->function[0] || cell->shift > 1;
}

/* One histogram, or only read. */
static void run_one(const struct entrant *who, const element_t *elements, size_t units, bin_t *bins,
                    size_t num_bins)
{
    if (who->peer.run)
        who->peer.run(&who->peer, elements, who->peer.shapes ? units * sizeof *elements : units,
                      bins, num_bins);
    else
        ((void (*)(const element_t *, size_t, bin_t *, size_t))who->function[0])(elements, units,
                                                                                 bins, num_bins);
}

void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn)
{
    const element_t *elements = rotation_place(&workspace->elements, turn);
    // A part of the input that is shorter than the batch still costs a launch for each histogram.
    const size_t each = units / workspace->batch, length = each > 0 || units == 0 ? each : 1;
    bin_t *bins = rotation_place(&workspace->bins, turn);
    if (who->function[1])
        ((void (*)(const element_t *, size_t, size_t, bin_t *, size_t))who->function[1])(
            elements, length, workspace->batch, bins, workspace->num_bins);
    else if (who->peer.shapes || workspace->batch == 1)
        run_one(who, elements, units, bins, workspace->num_bins);
    else
        for (size_t b = 0; b < workspace->batch; b++)
            run_one(who, elements + b * length, length, bins + b * workspace->num_bins,
                    workspace->num_bins);
}

struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    const size_t num_bins = workspace->batch * workspace->num_bins;
    struct verdict verdict = {.of = 1, .different = 1};
    size_t first;
    if (runs > workspace->bins.count) { // several runs left theirs in the same place
        workspace_reset(workspace, who, runs = 1);
        workspace_run(workspace, who, workspace->length, 0);
    }
    must(cudaDeviceSynchronize(), who->name);
    const size_t wrong = wrong_bins(workspace->d_truths, rotation_place(&workspace->bins, runs - 1),
                                    num_bins, &first, &verdict.error);
    if (wrong > 0) {
        verdict.wrong = 1;
        snprintf(verdict.why, sizeof verdict.why, "%s of %s bins, the first is bin %zu",
                 grouped(wrong), grouped(num_bins), first);
    }
    return verdict;
}

const struct workload workload = {
    .function = {"reduce_by_index", "reduce_by_index_batched"},
    .linked = {(void (*)(void))reduce_by_index, (void (*)(void))reduce_by_index_batched},
    .operation = OPERATION_NAME,
    .header =
        "operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,queued,correct,"
        "reading_ms,histograms,error,shared_bytes",
    .usage =
        "CELLS are like 505,12281:zipf,uniform or 505:zipf0.75@1000000; all:all are those of the "
        "operation.",
    .peers = peers,
    .repetitions = 15,
    .fewest = 1,
    .patience_s = 60,
    .takes = takes,
};
