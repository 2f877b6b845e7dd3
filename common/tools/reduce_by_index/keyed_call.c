/* keyed_call.c - places elements and bins, and looks what became of them: see keyed_call.h. */
#include "keyed_call.h"

#include <stdio.h>
#include <stdlib.h>

#include "grouped.h"
#include "operations.h"
#include "oracle.h"
#include "target.h"

/* A program has one of the two functions: call.c calls it. */
void reduce_by_index_batched(void);
#pragma weak reduce_by_index_batched

/* All elements have a bin; but in a batch, of short histograms with few bins. */
static struct input draw(const struct key_kind *kind)
{
    enum { USUAL_BINS = 12281, A_ROW = 256, BINS_OF_A_ROW = 31 };
    const size_t rows = (kind->length + A_ROW - 1) / A_ROW;
    if (reduce_by_index_batched)
        return input_batched(kind->keys, kind->seed, rows, kind->length / rows,
                             bins_asked(BINS_OF_A_ROW));
    return input_within(kind->keys, kind->seed, kind->length, bins_asked(USUAL_BINS));
}

struct keyed_call keyed_call_of(const struct key_kind *kind, size_t shift)
{
    operation_choose(0);
    const size_t element = operation_element_bytes(operation_now());
    const size_t bin = operation_bin_bytes(operation_now());
    struct keyed_call made = {.input = draw(kind)};
    struct input *input = &made.input;
    input->misalignment = shift;
    made.space = target_allocate((shift + input->length) * element);
    made.call = (struct call){.operation = operation_now(),
                              .elements = (uintptr_t)(made.space + shift * element),
                              .length = input->length,
                              .bins = (uintptr_t)target_allocate(input->num_bins * bin),
                              .num_bins = input->num_bins,
                              .batch = input->batch};
    target_write((void *)(uintptr_t)made.call.elements, input->elements, input->length * element);
    target_write((void *)(uintptr_t)made.call.bins, input->bins, input->num_bins * bin);
    return made;
}

void keyed_call_free(struct keyed_call *call)
{
    target_free(call->space);
    target_free((void *)(uintptr_t)call->call.bins);
    input_free(&call->input);
}

/* What is wrong, in a sentence. */
static void explain(const struct oracle *oracle, const struct input *input,
                    const unsigned char *held, size_t wrong, size_t first, char *text, size_t size)
{
    enum { A_BIN = 128 };
    char should[A_BIN], holds[A_BIN];
    const unsigned char *bin = held + first * operation_bin_bytes(operation_now());
    oracle_say_expected(oracle, first, bin, should, sizeof should);
    oracle_say_held(oracle, first, bin, holds, sizeof holds);
    snprintf(text, size, "wrong on %s: %s of the bins; bin %s should hold %s, and holds %s",
             input->name, grouped(wrong), grouped(first), should, holds);
}

bool keyed_call_is_right(const struct keyed_call *call, char *explanation, size_t size)
{
    const size_t bytes = call->input.num_bins * operation_bin_bytes(operation_now());
    size_t first = 0;
    unsigned char *held = malloc(bytes + 1);
    if (!held) {
        fprintf(stderr, "no memory for %s bytes of bins\n", grouped(bytes));
        exit(1);
    }
    struct oracle oracle = oracle_of(&call->input);
    target_read(held, (const void *)(uintptr_t)call->call.bins, bytes);
    const size_t wrong = oracle_wrong(&oracle, held, &first);
    if (wrong > 0)
        explain(&oracle, &call->input, held, wrong, first, explanation, size);
    oracle_free(&oracle);
    free(held);
    return wrong == 0;
}
