/* keyed_call.c - elements and bins that all chapters reduce, and what became of them: see
 * keyed_call.h. */
#include "keyed_call.h"

#include <stdio.h>
#include <stdlib.h>

#include "grouped.h"
#include "operations.h"
#include "oracle.h"

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

void keyed_call_make(struct keyed_call *made, const struct key_kind *kind, size_t shift)
{
    operation_choose(0);
    made->input = draw(kind);
    made->input.misalignment = shift;
    made->placed = place(&made->input);
    place_output(&made->placed);
}

void keyed_call_free(struct keyed_call *call)
{
    place_free(&call->placed);
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
    size_t first = 0;
    struct oracle oracle = oracle_of(&call->input);
    unsigned char *held = place_read(&call->placed);
    const size_t wrong = oracle_wrong(&oracle, held, &first);
    if (wrong > 0)
        explain(&oracle, &call->input, held, wrong, first, explanation, size);
    oracle_free(&oracle);
    free(held);
    return wrong == 0;
}
