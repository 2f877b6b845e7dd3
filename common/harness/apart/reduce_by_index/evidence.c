/* evidence.c - whether it was the kernels that combined the elements. */
#include "evidence.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "facts.h"
#include "grouped.h"
#include "placed.h"

enum { SAMPLE = 4096 }; /* elements that host code may look at, or an eighth of them */

static const struct host_words words = {
    "reduce_by_index()", "the elements have to be combined by a kernel, on the device"};

void expect_kernels_reduced(const char *what, const struct call *call, uint64_t launches,
                            const struct copies *copies)
{
    const size_t element = operation_element_bytes((enum operation)call->operation);
    struct host_work work = {.bytes = call->length * element, .launches = launches};
    if (call->num_bins == 0)
        return;
    if (call->length > 2 * (size_t)SAMPLE)
        work.sample = SAMPLE * element;
    expect_kernels_worked(what, &work, copies, &words);
}

void expect_done_by_kernels(const struct input *input, const struct measurement *cost)
{
    enum { SHORT = 4096 }; /* an input that is no evidence */
    const struct call call = {
        .operation = operation_now(), .length = input->length, .num_bins = input->num_bins};
    expect_kernels_reduced(input->name, &call, cost->launches, &cost->copies);
    if (input->length < SHORT)
        return;
    if (cost->least_read == 0) {
        facts_add("failed counter");
        cr_assert_fail("some of the elements are read by no kernel (%s): each has to be read",
                       input->name);
    }
    expect_written_on_device(input->name, cost->host_visible, input->length / 2, &words);
}

static void expect_no_more(const char *what, uint64_t part, uint64_t whole,
                           const struct measurement *cost, size_t length)
{
    expect_part_costs_no_more(what, "elements",
                              &(struct part_cost){part, whole, length, cost->length});
}

void expect_same_on_a_part(const struct input *input, const struct measurement *whole)
{
    enum { SHORT = 1 << 15, LONG = 1 << 18 };
    static bool done;
    struct measurement seen;
    char error[256];
    if (done || input->length < SHORT || input->length > LONG ||
        run_draw() % operations_asked() != operation_turn())
        return;
    done = true;
    struct input part = *input;
    const size_t cut = part_left_out(input->length);
    part.length -= cut;
    part.elements += cut * operation_element_bytes(operation_now());
    struct placed placed = place(&part);
    place_bins(&placed, &part);
    place_limit_accesses(&placed.call);
    if (measure_run(&placed.call, &seen, error, sizeof error)) {
        expect_no_more("global atomics on the bins", seen.bins.atomic.lanes,
                       whole->bins.atomic.lanes, whole, part.length);
        expect_no_more("global atomics elsewhere", seen.elsewhere.atomic.lanes,
                       whole->elsewhere.atomic.lanes, whole, part.length);
        expect_no_more("shared atomics", seen.shared.atomic.lanes, whole->shared.atomic.lanes,
                       whole, part.length);
        expect_no_more("load requests on the elements", seen.elements.load.requests,
                       whole->elements.load.requests, whole, part.length);
    }
    place_free(&placed);
}
