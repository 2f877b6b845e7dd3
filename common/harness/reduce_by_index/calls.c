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
#include "place.h"
#include "reduce_by_index.h"
#include "target.h"

/* The second call finds what the first one left: what is right is known of each alone. */
static void call_twice(void)
{
    struct input input = input_of(KEYS_UNIFORM, 3, 4093, 101);
    expect_right_once_on(&input); /* what is wrong with one call is not explained by two */
    struct placed placed = place(&input);
    place_bins(&placed, &input);
    place_run(&placed, input.name);
    free(input.bins);
    input.bins = place_read_bins(&placed);
    place_free(&placed);
    const size_t used = strlen(input.name);
    snprintf(input.name + used, sizeof input.name - used, ", a second call");
    expect_right_once_on(&input);
    input_free(&input);
}

void expect_adds_to_bins(void)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(3);
        call_twice();
    }
}

static void expect_memory_back(void)
{
    enum { CALLS = 50, LENGTH = 1000 }; /* 50, since a GPU gives memory in large pieces */
    struct input input = input_of(KEYS_UNIFORM, 3, LENGTH, 31);
    struct placed placed = place(&input);
    place_bins(&placed, &input);
    const element_t *elements = (const element_t *)(uintptr_t)placed.call.elements;
    bin_t *bins = (bin_t *)(uintptr_t)placed.call.bins;
    at_hand_set("51 calls, one after the other");
    reduce_by_index(elements, LENGTH, bins, input.num_bins);
    const size_t left = target_memory_left();
    for (int call = 0; call < CALLS; call++)
        reduce_by_index(elements, LENGTH, bins, input.num_bins);
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
        sim_set_multiprocessors(3);
        expect_memory_back();
    }
}

static bool has_returned; /* reduce_by_index(), from too many elements */

/* Exit status 1 is a refusal only when no kernel ran before. */
static void tell_refusal_from_failure(void)
{
    if (has_returned || (target_launches() == 0 && sim_error_count() == 0))
        return;
    facts_add("failed refusal");
    fprintf(stderr, "likeliest cause: a kernel was launched on 4,294,967,296 elements; more than "
                    "4,294,967,295 are to be refused before\n");
    _exit(2);
}

/* It ends the test, so that one operation has its turn: another one in each run. */
void call_with_too_many_elements(void)
{
    const struct sim_trial nothing_runs = {.blocks = 0};
    operation_choose((size_t)(run_draw() % operations_asked()));
    atexit(tell_refusal_from_failure);
    sim_set_budget(0);
    struct input input = input_of(KEYS_UNIFORM, 1, 1, 31);
    struct placed placed = place(&input);
    place_bins(&placed, &input);
    target_may_end_with(1);
    at_hand_set("4,294,967,296 elements");
    sim_try(&nothing_runs);
    reduce_by_index((const element_t *)(uintptr_t)placed.call.elements, (size_t)1 << 32,
                    (bin_t *)(uintptr_t)placed.call.bins, input.num_bins);
    sim_try(NULL);
    at_hand_set(NULL);
    has_returned = true;
    facts_add("failed refusal");
    cr_assert_fail("%s: 4,294,967,296 elements were not refused; one less is the most",
                   operation_name(operation_now()));
}
