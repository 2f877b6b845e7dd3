/* placed.c - an input in the memory of the target, and what a call leaves in its result. */
#include "placed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at_hand.h"
#include "facts.h"
#include "harness.h"
#include "random_numbers.h"
#include "target.h"

/* What stands before the first value would be seen in any result. */
static void place_before(const struct placed *placed, const struct input *input)
{
    enum { ODD = 12345, MOST = 64 };
    unsigned char values[MOST * MOST_BYTES];
    struct input before = {.values = values, .length = input->misalignment};
    const size_t bytes = operation_bin_bytes(operation_now());
    for (size_t i = 0; i < before.length; i++)
        if (operation_now() == MAX)
            input_set(&before, i, UINT32_MAX, 0);
        else
            input_set_number(&before, i, ODD, 1);
    target_write(placed->space, values, before.length * bytes);
}

struct placed place(const struct input *input)
{
    const size_t bytes = operation_bin_bytes(operation_now());
    struct placed placed = {.call = {.operation = operation_now(), .length = input->length}};
    placed.space = target_allocate((input->misalignment + input->length) * bytes);
    unsigned char *values = placed.space + input->misalignment * bytes;
    placed.call.values = (uintptr_t)values;
    placed.call.result = (uintptr_t)target_allocate(bytes);
    place_before(&placed, input);
    target_write(values, input->values, input->length * bytes);
    return placed;
}

/* Numbers that no input comes to: of max one that few values are above. */
void place_result(struct placed *placed)
{
    static uint64_t state;
    struct input result = {.values = placed->before, .length = 1};
    const uint32_t drawn = random_below(&state, 1 << 12);
    if (operation_now() == SUM || operation_now() == MAX)
        input_set(&result, 0, 0xfffef000u + drawn, 0);
    else
        input_set_number(&result, 0, 1048576.5 + 2 * drawn, operation_now() == DOT ? 3 : 1);
    place_result_again(placed);
}

void place_result_again(const struct placed *placed)
{
    target_write((void *)(uintptr_t)placed->call.result, placed->before,
                 operation_bin_bytes(operation_now()));
}

void place_read_result(const struct placed *placed, unsigned char held[MOST_BYTES])
{
    target_read(held, (const void *)(uintptr_t)placed->call.result,
                operation_bin_bytes(operation_now()));
}

void place_free(struct placed *placed)
{
    target_free(placed->space);
    target_free((void *)(uintptr_t)placed->call.result);
}

/* Every value is read, perhaps in several passes; a grid has its threads, whatever the input, and
 * those that wait for a lock or compare and swap one word try in vain, at each turn. */
void place_limit_accesses(const struct call *call)
{
    enum { A_VALUE = 64, IN_VAIN = 2048, MOST_WAITERS = 4096, AT_LEAST = 8 * 1000 * 1000 };
    const uint64_t waiters = call->length < MOST_WAITERS ? call->length : MOST_WAITERS;
    if (!getenv("SIM_BUDGET"))
        sim_set_budget_for(AT_LEAST + A_VALUE * call->length + IN_VAIN * waiters, call->length,
                           "value");
}

void expect_no_reports(const char *what)
{
    if (sim_error_count() == 0)
        return;
    facts_add("seed %llu", (unsigned long long)sim_seed());
    cr_assert_fail("the report above was made on %s: the kernel is wrong, whatever the result is "
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
                               ? "\nlikeliest cause: without values the grid has 0 blocks, which "
                                 "CUDA refuses; but the result has to become neutral()"
                               : "";
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s%s", what, error, hint);
    }
    expect_no_reports(what);
}
