/* arrays.c - the workload of chapters that reduce an array. A cell is SIZE: bytes, like 50000000, 64K or 4G, or values,
 * like 16Mv.
 *
 * Each run reads another copy of the values. There are at least two copies, and 512 MiB in all, so that the values come
 * from memory, however few they are, and not from the L2 cache. Each run has a result of its own, and all results of
 * the last queue are compared with an independent one.
 *
 * When a kernel is judged, a cell is a number of values (LENGTHv), which no order of adding them rounds. There is an
 * array that begins at a multiple of 256 bytes, and one that begins a value later. Each is reduced twice, so that the
 * second call meets what the first one has left. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "errors.h"
#include "grouped.h"
#include "inputs.h"
#include "reduce.h"
#include "rotation.h"
#include "sizes.h"

enum { POISON = 0x5c };
#pragma weak reduce

/* Values and results of one cell on the device. */
struct workspace {
    struct rotation inputs, results;
    struct truth truth;
    size_t shift;
};

static const struct peer peers[] = {
    {.name = "read only", .run = read_alone, .shapes = READ_SHAPES},
    {.name = NULL},
};

size_t workload_cells(bool judged, const char *size, const char *nothing, struct cell *cells,
                      size_t room)
{
    const size_t bytes = size_typed(size, sizeof(value_t)), units = bytes / sizeof(value_t);
    const size_t count = judged ? 2 : 1;
    if ((units == 0 && strcmp(size, "0v") != 0) || units >> 32 != 0 || *nothing || room < count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct cell cell = {
            .units = units, .shift = i, .kind = judged ? SPARSE : DENSE, .calls = 2};
        cell.bytes = units * sizeof(value_t);
        snprintf(cell.title, sizeof cell.title, "%s, %s values", OPERATION_NAME, grouped(units));
        snprintf(cell.name, sizeof cell.name, "%s, %s values%s", OPERATION_NAME, grouped(units),
                 i ? " that begin one value later" : "");
        columns_add(&cell.columns, "operation", "%s", OPERATION_NAME);
        columns_add(&cell.columns, "bytes", "%zu", cell.bytes);
        columns_add(&cell.columns, "length", "%zu", units);
        cells[i] = cell;
    }
    return count;
}

void workspace_release(struct workspace *workspace)
{
    rotation_free(&workspace->inputs);
    rotation_free(&workspace->results);
    free(workspace);
}

/* Values to be timed are there many times over; to be judged, once. */
struct workspace *workspace_prepare(struct cell *cell)
{
    struct workspace *workspace = calloc(1, sizeof *workspace);
    const bool judged = cell->kind == SPARSE;
    workspace->shift = cell->shift;
    workspace->inputs = judged ? rotation_room_for(cell->bytes + sizeof(value_t), 1)
                               : rotation_room(cell->bytes ? cell->bytes : 1);
    workspace->results = rotation_room_for(sizeof(value_t), MOST_RESULTS);
    if (!workspace->inputs.first || !workspace->results.first) {
        workspace_release(workspace);
        return NULL;
    }
    value_t *values = (value_t *)rotation_place(&workspace->inputs, 0) + cell->shift;
    values_fill(values, cell->units, (enum density)cell->kind);
    workspace->truth = truth_of_values(values, cell->units);
    if (!judged)
        rotation_repeat(&workspace->inputs);
    return workspace;
}

/* Makes all results something that no reduction is, or what is to be added to. */
void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    const struct rotation *results = &workspace->results;
    const value_t none = neutral();
    must(cudaMemset(results->first, POISON, results->count * results->stride), "cudaMemset");
    for (size_t i = 0; who->peer.adds && i < runs && i < results->count; i++)
        must(cudaMemcpy(rotation_place(results, i), &none, sizeof none, cudaMemcpyHostToDevice),
             "cudaMemcpy");
    must(cudaDeviceSynchronize(), "cudaMemset");
}

void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn)
{
    const value_t *values = (const value_t *)rotation_next(&workspace->inputs) + workspace->shift;
    value_t *result = rotation_place(&workspace->results, turn);
    if (who->peer.run)
        who->peer.run(&who->peer, values, who->peer.shapes ? units * sizeof *values : units, result,
                      1);
    else
        ((void (*)(const value_t *, size_t, value_t *))who->function[0])(values, units, result);
}

/* Whether one of the results before it has the same bits. */
static bool seen_before(const value_t *held, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (memcmp(&held[k], &held[i], sizeof *held) == 0)
            return true;
    return false;
}

struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    value_t held[MOST_RESULTS];
    struct verdict verdict = {.of = runs < MOST_RESULTS ? runs : MOST_RESULTS};
    for (size_t i = 0; i < verdict.of; i++) {
        must(cudaMemcpy(&held[i], rotation_place(&workspace->results, i), sizeof held[i],
                        cudaMemcpyDeviceToHost),
             who->name);
        const double error = error_of(&workspace->truth, held[i]);
        if (!is_right_result(&workspace->truth, held[i]) && verdict.wrong++ == 0)
            snprintf(verdict.why, sizeof verdict.why, "%s",
                     what_is_wrong(&workspace->truth, held[i]));
        verdict.different += !seen_before(held, i);
        verdict.error = error > verdict.error ? error : verdict.error;
    }
    return verdict;
}

const struct workload workload = {
    .function = {"reduce"},
    .linked = {(void (*)(void))reduce},
    .operation = OPERATION_NAME,
    .header =
        "operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,results,"
        "error,shape,GB_per_s,percent_of_reading,ratio_to_CUB",
    .usage = "CELLS are numbers of bytes, like 50000000, 64K or 4G, or of values, like 16Mv.",
    .peers = peers,
    .repetitions = 15,
    .fewest = 1,
    .patience_s = 30,
};
