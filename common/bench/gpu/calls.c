/* calls.c - the workload of contracts whose inputs are more than an array. A cell is SHAPE:TIMES, "picture:10": an input
 * of a shape that the contract has (to_run.h), with so many steps of work in one call. "all" stands for all shapes,
 * and without TIMES a shape has its own.
 *
 * The workload knows no contract: the judge draws the input and says what is right, and the contract's kernel half makes
 * the call, as in a suite. Each run reads another copy of the input; there are enough copies to defeat the L2 cache.
 * Each run has outputs of its own, which hold before what they have to hold. The outputs of the last run are judged,
 * where that does not take too long. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "contract.h"
#include "to_run.h"
#include "errors.h"
#include "operation.h"
#include "rotation.h"

enum { POISON = 0x5c };

struct workspace {
    struct input input;
    struct oracle *oracle; /* NULL: nobody knows */
    struct rotation units, outputs;
    size_t output_bytes;
};

static const struct peer peers[] = {
    {.name = "read only", .run = read_alone, .shapes = 1, .shape = ROOFLINE_SHAPE},
    {.name = NULL},
};

/* The operation that this program is built for. */
__attribute__((constructor)) static void choose_operation(void)
{
    setenv("OPERATIONS", OPERATION_NAME, 1);
}

/* What a suite is linked with; here there is a library for each kernel, and the judge calls none. */
void call_make(const struct call *call)
{
    (void)call;
}

static struct cell cell_of(size_t shape, unsigned int times, bool judged)
{
    const char *name = kernel_to_run()->timed[shape].name;
    struct cell cell = {.kind = (int)shape, .place = (int)times, .calls = judged};
    snprintf(cell.name, sizeof cell.name, "%s, %s of %s:%u", kernel_to_run()->contract->words.function,
             kernel_to_run()->contract->words.input, name, times);
    snprintf(cell.title, sizeof cell.title, "%s", cell.name);
    columns_add(&cell.columns, "operation", "%s", OPERATION_NAME);
    columns_add(&cell.columns, "shape", "%s", name);
    columns_add(&cell.columns, "times", "%u", times);
    return cell;
}

size_t workload_cells(bool judged, const char *shape, const char *times, struct cell *cells,
                      size_t room)
{
    const unsigned int typed = (unsigned int)strtoul(times, NULL, 10);
    size_t count = 0;
    for (size_t i = 0; kernel_to_run()->timed[i].name; i++) {
        if (strcmp(shape, "all") != 0 && strcmp(kernel_to_run()->timed[i].name, shape) != 0)
            continue;
        for (size_t k = 0; k < TIMED_WITH && count < room; k++)
            if (typed > 0 ? k == 0 : !*times && kernel_to_run()->timed[i].times[k] > 0)
                cells[count++] = cell_of(
                    i, typed > 0 ? typed : kernel_to_run()->timed[i].times[k], judged);
    }
    return count;
}

void workspace_release(struct workspace *workspace)
{
    rotation_free(&workspace->units);
    rotation_free(&workspace->outputs);
    if (workspace->oracle)
        contract_forget(workspace->oracle);
    input_free(&workspace->input);
    free(workspace);
}

static bool is_judged(const struct cell *cell)
{
    return (unsigned int)cell->place <= kernel_to_run()->timed[cell->kind].most_judged;
}

struct workspace *workspace_prepare(struct cell *cell)
{
    struct workspace *workspace = calloc(1, sizeof *workspace);
    operation_choose(0);
    workspace->input =
        drawn_with(&kernel_to_run()->timed[cell->kind].drawn, 1,
                   (unsigned int)cell->place);
    workspace->output_bytes = workspace->input.num_bins * operation_bin_bytes(operation_chosen());
    cell->units = workspace->input.length;
    cell->bytes = cell->units * unit_bytes(&workspace->input);
    columns_add(&cell->columns, "length", "%zu", cell->units);
    if (is_judged(cell))
        workspace->oracle = kernel_to_run()->contract->oracle(&workspace->input);
    workspace->units = rotation_of(workspace->input.elements, cell->bytes, cell->calls > 0 ? 1 : 0);
    workspace->outputs = rotation_results(workspace->output_bytes);
    if (!workspace->outputs.first) {
        workspace_release(workspace);
        return NULL;
    }
    return workspace;
}

/* Outputs that a call sets hold what no kernel leaves. */
void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    const size_t room = workspace->outputs.count;
    (void)who;
    if (!workspace->input.bins)
        must(cudaMemset(workspace->outputs.first, POISON, room * workspace->outputs.stride),
             "cudaMemset");
    for (size_t i = 0; workspace->input.bins && i < runs && i < room; i++)
        must(cudaMemcpy(rotation_place(&workspace->outputs, i), workspace->input.bins,
                        workspace->output_bytes, cudaMemcpyHostToDevice),
             "cudaMemcpy of the outputs");
    must(cudaDeviceSynchronize(), "cudaMemcpy of the outputs");
}

/* A chapter takes all units: a part of them may be no input. */
void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn)
{
    const void *input = rotation_next(&workspace->units);
    void *output = rotation_place(&workspace->outputs, turn);
    if (who->peer.run) {
        who->peer.run(&who->peer, input, units * unit_bytes(&workspace->input), output,
                      workspace->input.num_bins);
        return;
    }
    struct call call = call_on(&workspace->input);
    call.elements = (uintptr_t)input;
    call.bins = (uintptr_t)output;
    ((void (*)(const struct call *))who->function[0])(&call);
}

struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    struct verdict verdict = {.of = workspace->oracle ? 1 : 0, .different = 1};
    unsigned char *held = malloc(workspace->output_bytes + 1);
    char cause[1024] = "";
    struct difference difference = {.input = &workspace->input,
                                    .oracle = workspace->oracle,
                                    .held = held,
                                    .before = workspace->input.bins,
                                    .cause = cause,
                                    .size = sizeof cause};
    if (runs > workspace->outputs.count) { /* they have been used twice */
        workspace_reset(workspace, who, 1);
        workspace_run(workspace, who, workspace->input.length, 0);
        runs = 1;
    }
    must(cudaMemcpy(held, rotation_place(&workspace->outputs, runs - 1), workspace->output_bytes,
                    cudaMemcpyDeviceToHost),
         who->name);
    verdict.wrong = workspace->oracle && !contract_compare(&difference);
    if (verdict.wrong)
        contract_explain(&difference, verdict.why, sizeof verdict.why);
    free(held);
    return verdict;
}

/* What nobody can judge in time would take a plain kernel far longer. */
static bool takes(const struct cell *cell, const struct entrant *who)
{
    return is_judged(cell) || strcmp(who->name, "plain") != 0;
}

const struct workload workload = {
    .function = {"call_make"},
    .operation = OPERATION_NAME,
    .header =
        "operation,shape,times,implementation,length,median_ms,min_ms,max_ms,runs,queued,correct,"
        "GB_per_s,percent_of_reading",
    .usage = "CELLS are like picture:10, a shape of the contract and the steps of a call; all is "
             "all shapes.",
    .peers = peers,
    .repetitions = 20,
    .fewest = 1,
    .patience_s = 60,
    .takes = takes,
};
