/* evidence.c - whether it was the kernels that reduced the values. */
#include "evidence.h"

#include <criterion/criterion.h>
#include <stdbool.h>

#include "facts.h"
#include "grouped.h"
#include "placed.h"

enum { SAMPLE = 4096 }; /* values that host code may look at, of twice as many or more */

static const struct host_words words = {"reduce()",
                                        "the values have to be reduced by a kernel, on the device"};

/* What comes from the host into *d_result has to be known before: once, and nothing of the device's. */
static void expect_no_result_from_host(const char *what, const struct copies *copies, size_t value)
{
    if (copies->into_bins == 0 || (copies->into_bins <= value && copies->to_host == 0))
        return;
    facts_add("failed host");
    cr_assert_fail("host code wrote %s bytes into d_result on %s%s: a kernel has to, but for what "
                   "is neutral, before the kernels",
                   grouped(copies->into_bins), what,
                   copies->to_host > 0 ? ", and had copied some from the device" : "");
}

void expect_kernels_reduced(const char *what, const struct call *call, uint64_t launches,
                            const struct copies *copies)
{
    const size_t value = operation_bin_bytes((enum operation)call->operation);
    struct host_work work = {.bytes = call->length * value, .launches = launches};
    struct copies others = *copies;
    others.into_bins = 0;
    if (call->length > 2 * (size_t)SAMPLE)
        work.sample = SAMPLE * value;
    expect_no_result_from_host(what, copies, value);
    expect_kernels_worked(what, &work, &others, &words);
}

void expect_done_by_kernels(const struct input *input, const struct measurement *cost)
{
    enum { SHORT = 4096, A_FEW = 64 }; /* an input that is no evidence; bytes */
    const struct call call = {.operation = operation_now(), .length = input->length};
    expect_kernels_reduced(input->name, &call, cost->launches, &cost->copies);
    if (input->length < SHORT)
        return;
    if (cost->least_read == 0) {
        facts_add("failed counter");
        cr_assert_fail("some of the values are read by no kernel (%s): each has to be read",
                       input->name);
    }
    expect_written_on_device(input->name, cost->host_visible, A_FEW, &words);
}

static void expect_no_more(const char *what, uint64_t part, uint64_t whole,
                           const struct measurement *cost, size_t length)
{
    expect_part_costs_no_more(what, "values",
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
    part.values += cut * operation_bin_bytes(operation_now());
    struct placed placed = place(&part);
    place_result(&placed);
    place_limit_accesses(&placed.call);
    if (measure_run(&placed.call, &seen, error, sizeof error)) {
        expect_no_more("atomics on the result", seen.result.atomic.lanes,
                       whole->result.atomic.lanes, whole, part.length);
        expect_no_more("global atomics elsewhere", seen.elsewhere.atomic.lanes,
                       whole->elsewhere.atomic.lanes, whole, part.length);
        expect_no_more("accesses of shared memory",
                       seen.shared.load.lanes + seen.shared.store.lanes + seen.shared.atomic.lanes,
                       whole->shared.load.lanes + whole->shared.store.lanes +
                           whole->shared.atomic.lanes,
                       whole, part.length);
        expect_no_more("load requests on the values", seen.values.load.requests,
                       whole->values.load.requests, whole, part.length);
    }
    place_free(&placed);
}
