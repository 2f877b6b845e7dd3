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

/* The second call finds what the first one left: what is right is known of each alone. */
void expect_adds_on(struct input input)
{
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
        expect_adds_on(input_of(KEYS_UNIFORM, 3, 1021, 101));
    }
}

void expect_memory_back_on(struct input input)
{
#ifdef SIMULATED_GPU
    enum { CALLS = 4 };
#else
    enum { CALLS = 50 }; /* since a GPU gives memory in large pieces */
#endif
    struct placed placed = place(&input);
    place_bins(&placed, &input);
    at_hand_set("several calls, one after the other");
    call_make(&placed.call);
    const size_t left = target_memory_left();
    for (int call = 0; call < CALLS; call++)
        call_make(&placed.call);
    at_hand_set(NULL);
    const size_t lost = left - target_memory_left();
    if (lost > 0) {
        facts_add("failed memory");
        cr_assert_fail(
            "%s: %s bytes of memory are gone after %d more calls; a call that frees what "
            "it allocates with cudaFree leaves behind = 0",
            operation_name(operation_now()), grouped(lost), CALLS);
    }
    place_free(&placed);
    input_free(&input);
}

void expect_keeps_no_memory(void)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(3);
        expect_memory_back_on(input_of(KEYS_UNIFORM, 3, 100, 31));
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
void call_with_too_many_elements_in(size_t batch)
{
    const struct sim_trial nothing_runs = {.blocks = 0};
    operation_choose((size_t)(run_draw() % operations_asked()));
    atexit(tell_refusal_from_failure);
    sim_set_budget(0);
    struct input input =
        batch > 0 ? input_batched(KEYS_UNIFORM, 1, batch, 1, 31) : input_of(KEYS_UNIFORM, 1, 1, 31);
    struct placed placed = place(&input);
    place_bins(&placed, &input);
    target_may_end_with(1);
    at_hand_set("4,294,967,296 elements");
    sim_try(&nothing_runs);
    placed.call.length = (size_t)1 << 32;
    call_make(&placed.call);
    sim_try(NULL);
    at_hand_set(NULL);
    has_returned = true;
    facts_add("failed refusal");
    cr_assert_fail("%s: 4,294,967,296 elements were not refused; one less is the most",
                   operation_name(operation_now()));
}

void call_with_too_many_elements(void)
{
    call_with_too_many_elements_in(0);
}
