/* calls.c - what several calls do, and one that has to be refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "at_hand.h"
#include "evidence.h"
#include "facts.h"
#include "harness.h"
#include "placed.h"
#include "target.h"

enum { A_FEW_MULTIPROCESSORS = 3 };

/* The same call again, on other values and a shorter array: it finds nothing of the first. */
static void expect_right_in_a_row(void)
{
    const size_t lengths[] = {4099, 4099, 1021, 0, 5, 2053};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input input = input_of(VALUES_SMALL, 20 + i, lengths[i]);
        const size_t used = strlen(input.name);
        snprintf(input.name + used, sizeof input.name - used, ", call %zu in a row", i + 1);
        expect_right_once_on(&input);
        input_free(&input);
    }
}

void expect_sets_the_result(void)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(A_FEW_MULTIPROCESSORS);
        expect_right_in_a_row();
    }
}

static void expect_memory_back_on(struct input input)
{
    enum { CALLS = 50 }; /* since a GPU gives memory in large pieces */
    struct placed placed = place(&input);
    place_result(&placed);
    at_hand_set("51 calls, one after the other");
    call_make(&placed.call);
    const size_t left = target_memory_left();
    for (int call = 0; call < CALLS; call++)
        call_make(&placed.call);
    at_hand_set(NULL);
    const size_t lost = left - target_memory_left();
    if (lost > 0) {
        facts_add("failed memory");
        cr_assert_fail(
            "%s: %s bytes of memory are gone after 50 more calls; a call that frees what "
            "it allocates with cudaFree leaves behind = 0",
            operation_name(operation_now()), grouped(lost));
    }
    place_free(&placed);
    input_free(&input);
}

void expect_keeps_no_memory(void)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(1); /* calls without a grid to speak of */
        expect_memory_back_on(input_of(VALUES_SMALL, 3, 1000));
    }
}

static bool has_returned; /* reduce(), from too many values */

/* Exit status 1 is a refusal only when no kernel ran before. */
static void tell_refusal_from_failure(void)
{
    if (has_returned || (target_launches() == 0 && sim_error_count() == 0))
        return;
    facts_add("failed refusal");
    fprintf(stderr, "likeliest cause: a kernel was launched on 4,294,967,296 values; more than "
                    "4,294,967,295 are to be refused before\n");
    _exit(2);
}

/* It ends the test, so that one operation has its turn: another one in each run. */
void call_with_too_many_values(void)
{
    const struct sim_trial nothing_runs = {.blocks = 0};
    operation_choose((size_t)(run_draw() % operations_asked()));
    atexit(tell_refusal_from_failure);
    sim_set_budget(0);
    struct input input = input_of(VALUES_ONES, 1, 1);
    struct placed placed = place(&input);
    place_result(&placed);
    target_may_end_with(1);
    at_hand_set("4,294,967,296 values");
    sim_try(&nothing_runs);
    placed.call.length = (size_t)1 << 32;
    call_make(&placed.call);
    sim_try(NULL);
    at_hand_set(NULL);
    has_returned = true;
    facts_add("failed refusal");
    cr_assert_fail("%s: 4,294,967,296 values were not refused; one less is the most",
                   operation_name(operation_now()));
}
