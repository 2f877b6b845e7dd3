/* calls.c - the workload of contracts whose inputs are more than an array: SHAPE:TIMES, "picture:10", of the
 * shapes that the contract has (drawn_input.h), with so many steps of work in one call. "all" are all shapes, and
 * without TIMES each has its own.
 *
 * It knows no contract: the judge draws the input and says what is right, and the contract's kernel half makes
 * the call, as in a suite. Each run reads another copy of the input, of which there are enough to defeat the L2
 * cache, and has outputs of its own, which hold before what they have to hold. Those of the last run are judged,
 * where that does not take too long. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "contract.h"
#include "drawn_input.h"
#include "errors.h"
#include "operation.h"
#include "rotation.h"

enum { POISON = 0x5c };

struct field {
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
    const char *name = drawn_input.timed[shape].name;
    struct cell cell = {.kind = (int)shape, .place = (int)times, .calls = judged};
    snprintf(cell.name, sizeof cell.name, "%s, %s of %s:%u", contract.words.function,
             contract.words.input, name, times);
    snprintf(cell.title, sizeof cell.title, "%s", cell.name);
    fields_add(&cell.fields, "operation", "%s", OPERATION_NAME);
    fields_add(&cell.fields, "shape", "%s", name);
    fields_add(&cell.fields, "times", "%u", times);
    return cell;
}

size_t workload_cells(bool judged, const char *shape, const char *times, struct cell *cells,
                      size_t room)
{
    const unsigned int typed = (unsigned int)strtoul(times, NULL, 10);
    size_t count = 0;
    for (size_t i = 0; drawn_input.timed[i].name; i++) {
        if (strcmp(shape, "all") != 0 && strcmp(drawn_input.timed[i].name, shape) != 0)
            continue;
        for (size_t k = 0; k < TIMED_WITH && count < room; k++)
            if (typed > 0 ? k == 0 : !*times && drawn_input.timed[i].times[k] > 0)
                cells[count++] =
                    cell_of(i, typed > 0 ? typed : drawn_input.timed[i].times[k], judged);
    }
    return count;
}

void field_release(struct field *field)
{
    rotation_free(&field->units);
    rotation_free(&field->outputs);
    if (field->oracle)
        contract_forget(field->oracle);
    input_free(&field->input);
    free(field);
}

static bool is_judged(const struct cell *cell)
{
    return (unsigned int)cell->place <= drawn_input.timed[cell->kind].most_judged;
}

struct field *field_prepare(struct cell *cell)
{
    struct field *field = calloc(1, sizeof *field);
    operation_choose(0);
    field->input = drawn_with(&drawn_input.timed[cell->kind].drawn, 1, (unsigned int)cell->place);
    field->output_bytes = field->input.num_bins * operation_bin_bytes(operation_chosen());
    cell->units = field->input.length;
    cell->bytes = cell->units * unit_bytes();
    fields_add(&cell->fields, "length", "%zu", cell->units);
    if (is_judged(cell))
        field->oracle = oracle_of(&field->input);
    field->units = rotation_of(field->input.elements, cell->bytes, cell->calls > 0 ? 1 : 0);
    field->outputs = rotation_results(field->output_bytes);
    if (!field->outputs.first) {
        field_release(field);
        return NULL;
    }
    return field;
}

/* Outputs that a call sets hold what no kernel leaves. */
void field_afresh(struct field *field, const struct entrant *who, size_t runs)
{
    const size_t room = field->outputs.count;
    (void)who;
    if (!field->input.bins)
        must(cudaMemset(field->outputs.first, POISON, room * field->outputs.stride), "cudaMemset");
    for (size_t i = 0; field->input.bins && i < runs && i < room; i++)
        must(cudaMemcpy(rotation_place(&field->outputs, i), field->input.bins, field->output_bytes,
                        cudaMemcpyHostToDevice),
             "cudaMemcpy of the outputs");
    must(cudaDeviceSynchronize(), "cudaMemcpy of the outputs");
}

/* A chapter takes all units: a part of them may be no input. */
void field_run(struct field *field, const struct entrant *who, size_t units, size_t turn)
{
    const void *input = rotation_next(&field->units);
    void *output = rotation_place(&field->outputs, turn);
    if (who->peer.run) {
        who->peer.run(&who->peer, input, units * unit_bytes(), output, field->input.num_bins);
        return;
    }
    struct call call = call_on(&field->input);
    call.elements = (uintptr_t)input;
    call.bins = (uintptr_t)output;
    ((void (*)(const struct call *))who->function[0])(&call);
}

struct verdict field_judge(struct field *field, const struct entrant *who, size_t runs)
{
    struct verdict verdict = {.of = field->oracle ? 1 : 0, .different = 1};
    unsigned char *held = malloc(field->output_bytes + 1);
    char cause[1024] = "";
    struct difference difference = {.input = &field->input,
                                    .oracle = field->oracle,
                                    .held = held,
                                    .before = field->input.bins,
                                    .cause = cause,
                                    .size = sizeof cause};
    if (runs > field->outputs.count) { /* they have been used twice */
        field_afresh(field, who, 1);
        field_run(field, who, field->input.length, 0);
        runs = 1;
    }
    must(cudaMemcpy(held, rotation_place(&field->outputs, runs - 1), field->output_bytes,
                    cudaMemcpyDeviceToHost),
         who->name);
    verdict.wrong = field->oracle && !contract_compare(&difference);
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
    .columns =
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
