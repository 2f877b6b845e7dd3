/* calls.c - what several calls do, and one that has to be refused. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "current_input.h"
#include "contract.h"
#include "expect_right.h"
#include "facts.h"
#include "grouped.h"
#include "target.h"

void expect_memory_back_on(const struct input *input)
{
#ifdef SIMULATED_GPU
    const unsigned int calls = contract.calls;
#else
    const unsigned int calls = 50; /* since a GPU gives memory in large pieces */
#endif
    struct placed placed = place(input);
    place_output(&placed);
    current_input_set("several calls, one after the other");
    call_make(&placed.call);
    const size_t left = target_memory_left(), handles = target_handles();
    for (unsigned int call = 0; call < calls; call++)
        call_make(&placed.call);
    current_input_set(NULL);
    const size_t lost = left - target_memory_left();
    if (lost > 0) {
        facts_add("failed memory");
        cr_assert_fail("%s%s bytes of memory are gone after %u more calls; a call that frees what "
                       "it allocates with cudaFree leaves behind = 0",
                       operation_prefix(), grouped(lost), calls);
    }
    if (target_handles() > handles) {
        facts_add("failed memory");
        cr_assert_fail("%s%s streams and events more are there after %u more calls; a call that "
                       "destroys what it creates, or keeps it for the next one, leaves behind = 0",
                       operation_prefix(), grouped(target_handles() - handles), calls);
    }
    place_free(&placed);
}

static bool has_returned; /* the function, from too many units */

/* Exit status 1 is a refusal only when no kernel ran before. */
static void tell_refusal_from_failure(void)
{
    if (has_returned || (target_launches() == 0 && sim_error_count() == 0))
        return;
    facts_add("failed refusal");
    fprintf(stderr,
            "likeliest cause: a kernel was launched on 4,294,967,296 %s; more than "
            "4,294,967,295 are to be refused before\n",
            contract.words.units);
    _exit(2);
}

void call_with_too_many_on(const struct input *input)
{
    char what[64];
    const struct sim_trial nothing_runs = {.blocks = 0};
    atexit(tell_refusal_from_failure);
    sim_set_budget(0);
    struct placed placed = place(input);
    place_output(&placed);
    target_may_end_with(1);
    snprintf(what, sizeof what, "4,294,967,296 %s", contract.words.units);
    current_input_set(what);
    sim_try(&nothing_runs);
    placed.call.length = (size_t)1 << 32;
    call_make(&placed.call);
    sim_try(NULL);
    current_input_set(NULL);
    has_returned = true;
    facts_add("failed refusal");
    cr_assert_fail("%s4,294,967,296 %s were not refused; one less is the most", operation_prefix(),
                   contract.words.units);
}
