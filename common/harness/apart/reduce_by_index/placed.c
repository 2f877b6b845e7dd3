/* placed.c - an input in the memory of the target, and what a call leaves in its bins. */
#include "placed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at_hand.h"
#include "facts.h"
#include "harness.h"
#include "target.h"

/* What stands before the first element has a bin, and a value that would be seen. */
static void place_before(const struct placed *placed, const struct input *input)
{
    enum { ONE = 0x3f800000, MOST = 64 }; /* the bits of 1.0f */
    unsigned char elements[MOST * sizeof(uint64_t)];
    struct input before = {.elements = elements, .length = input->misalignment};
    const size_t element = operation_element_bytes(operation_now());
    for (size_t i = 0; i < before.length; i++)
        input_set(&before, i, 0, ONE | 0xffff, 0);
    target_write(placed->space, elements, before.length * element);
}

struct placed place(const struct input *input)
{
    const size_t element = operation_element_bytes(operation_now());
    const size_t bin = operation_bin_bytes(operation_now());
    struct placed placed = {.call = {.operation = operation_now(),
                                     .length = input->length,
                                     .num_bins = input->num_bins,
                                     .batch = input->batch}};
    placed.space = target_allocate((input->misalignment + input->length) * element);
    unsigned char *elements = placed.space + input->misalignment * element;
    placed.call.elements = (uintptr_t)elements;
    placed.call.bins = (uintptr_t)target_allocate(input->num_bins * bin);
    place_before(&placed, input);
    target_write(elements, input->elements, input->length * element);
    return placed;
}

void place_bins(const struct placed *placed, const struct input *input)
{
    target_write((void *)(uintptr_t)placed->call.bins, input->bins,
                 input->num_bins * operation_bin_bytes(operation_now()));
}

unsigned char *place_read_bins(const struct placed *placed)
{
    const size_t bytes = placed->call.num_bins * operation_bin_bytes(operation_now());
    unsigned char *bins = malloc(bytes + 1);
    cr_assert(bins, "no memory for %s bytes of bins", grouped(bytes));
    target_read(bins, (const void *)(uintptr_t)placed->call.bins, bytes);
    return bins;
}

void place_free(struct placed *placed)
{
    target_free(placed->space);
    target_free((void *)(uintptr_t)placed->call.bins);
}

/* Every pass reads the elements, and every block sets up and commits its bins; and where all want one
 * lock, or compare and swap one word, all but one of them try in vain, at each turn. */
void place_limit_accesses(const struct call *call)
{
    enum { AN_ELEMENT = 64, A_BIN = 1024, IN_VAIN = 2048, AT_LEAST = 8 * 1000 * 1000 };
    enum { MOST_OF_BINS = 160 * 1000 * 1000, MOST_WAITERS = 4096 };
    const uint64_t bins = A_BIN * call->num_bins;
    const uint64_t waiters = call->length < MOST_WAITERS ? call->length : MOST_WAITERS;
    if (!getenv("SIM_BUDGET"))
        sim_set_budget_for(AT_LEAST + AN_ELEMENT * call->length + IN_VAIN * waiters +
                               (bins < MOST_OF_BINS ? bins : MOST_OF_BINS),
                           call->length, "element");
}

void expect_no_reports(const char *what)
{
    if (sim_error_count() == 0)
        return;
    facts_add("seed %llu", (unsigned long long)sim_seed());
    cr_assert_fail("the report above was made on %s: the kernel is wrong, whatever the bins hold "
                   "this time",
                   what);
}

void place_run(const struct placed *placed, const char *what)
{
    char error[256];
    const struct call *call = &placed->call;
    place_limit_accesses(call);
    at_hand_set(what);
    call_make(call);
    const bool finished = target_finish(error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        const char *hint = call->length == 0 && sim_error_count() == 0
                               ? "\nlikeliest cause: without elements the grid has 0 blocks, which "
                                 "CUDA refuses; return before the launch"
                               : "";
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s%s", what, error, hint);
    }
    expect_no_reports(what);
}
