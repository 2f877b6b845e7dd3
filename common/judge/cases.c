/* cases.c - inputs that break kernels of whatever contract, several calls, and one that has to be refused:
 * see cases.h. */
#include "cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "contract.h"
#include "expect_right.h"
#include "verdict_log.h"
#include "evidence.h"
#include "grouped.h"
#include "settings.h"

enum { A_FEW_MULTIPROCESSORS = 3 };

uint64_t run_draw(void)
{
    const char *chosen = getenv("DRAW");
    return chosen && *chosen ? strtoull(chosen, NULL, 10) : 1;
}

void for_each_operation(void (*expect)(size_t most), size_t most, unsigned int multiprocessors)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(multiprocessors);
        expect(most);
    }
}

void judge_and_free(struct input input, unsigned int schedules, bool is_logged)
{
    judge_input(&input, schedules, is_logged);
    input_free(&input);
}

void judge_drawn(struct input (*draw)(uint64_t *state, size_t most), size_t most, int each)
{
    uint64_t state = run_draw();
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(A_FEW_MULTIPROCESSORS);
        for (int number = 0; number < each; number++) {
            struct input input = draw(&state, most);
            input_say_more(&input, ", drawn with DRAW=%llu", (unsigned long long)run_draw());
            judge_and_free(input, 1, false);
        }
    }
}

static void expect_right_and_free(struct input input)
{
    judge_and_free(input, 1, true);
}

static void expect_right_around(const struct contract *contract, size_t length)
{
    for (size_t i = length - 1; length > 0 && i <= length + 1; i++)
        expect_right_and_free(contract->draw(1 + i, i));
}

void expect_right_around_lengths(const struct contract *contract, size_t block, size_t grid)
{
    const size_t lengths[] = {0, 1, 31, 32, 33};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        expect_right_and_free(contract->draw(1 + lengths[i], lengths[i]));
    expect_right_around(contract, block);
    expect_right_around(contract, grid);
}

void expect_right_on_blocks_misaligned(const struct contract *contract)
{
    enum {
        SEVERAL_BLOCKS = 40009,
        LATER = 3001
    }; /* of operations after the first: they take long */
    struct input input =
        contract->draw(17, operation_turn(operation_chosen()) == 0 ? SEVERAL_BLOCKS : LATER);
    input.misalignment = 3;
    input_say_more(&input, ", 3 %s after a multiple of 256 bytes", contract->words.units);
    judge_and_free(input, 1, false);
}

void expect_right_at_misalignments(const struct contract *contract)
{
    const size_t misalignments[] = {1, 2, 3, 5, 63};
    for (size_t i = 0; i < sizeof misalignments / sizeof *misalignments; i++) {
        struct input input = contract->draw(7 + i, misalignments[i] == 5 ? 2 : 331 - i);
        input.misalignment = misalignments[i];
        input_say_more(&input, ", %zu %s%s after a multiple of 256 bytes", misalignments[i],
                       contract->words.unit, misalignments[i] == 1 ? "" : "s");
        expect_right_and_free(input);
    }
    expect_right_on_blocks_misaligned(contract);
}

/* Makes one run and returns what it leaves, to be freed. */
static unsigned char *output_of(struct placed *placed, unsigned int multiprocessors, uint64_t seed)
{
    set_multiprocessors(multiprocessors);
    set_schedule(seed);
    place_output(placed);
    expect_to_end(placed, placed->input->name);
    return place_read(placed);
}

void expect_same_output_bits(struct input input, const char *why)
{
    enum { SEEDS = 5 };
    const unsigned int multiprocessors[] = {1, 3, 132};
    struct placed placed = place(&input);
    unsigned char *first = output_of(&placed, 1, 1);
    for (uint64_t seed = 2; seed < 2 + SEEDS; seed++) {
        const unsigned int current = multiprocessors[seed % 3];
        unsigned char *held = output_of(&placed, current, seed);
        if (memcmp(first, held, place_output_bytes(&placed)) != 0)
            fail_as("counter",
                    "%s: the output has other bits on schedule %u with %u multiprocessors; "
                    "floats round after each addition, so that only %s gives the same bits",
                    input.name, (unsigned int)seed, current, why);
        free(held);
    }
    free(first);
    place_free(&placed);
    input_free(&input);
}

static void expect_right_with_others_before(const struct contract *contract)
{
    const size_t lengths[] = {4099, 4099, 1021, 0, 5, 2053};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input input = contract->draw(20 + i, lengths[i]);
        input_say_more(&input, ", call %zu in a row", i + 1);
        expect_right_and_free(input);
    }
}

void expect_right_in_a_row(const struct contract *contract)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(A_FEW_MULTIPROCESSORS);
        expect_right_with_others_before(contract);
    }
}

static const struct {
    const char *one, *many, *advice;
} held_words[HELD_KINDS] = {
    [HELD_FILES] = {"open file", "open files",
                    "close what was opened, on each way out of the function"},
    [HELD_COMMUNICATORS] = {"communicator", "communicators",
                            "make communicators once, or free those of the call"},
    [HELD_HANDLES] = {"stream or event", "streams and events",
                      "make them once, or destroy those of the call"},
    [HELD_HOST_MEMORY] = {"piece of the host's memory", "pieces of the host's memory",
                          "free what malloc gave, on each way out of the function"},
};

bool held_grew(const struct held *before, const struct held *after, char *words, size_t size,
               const char **advice)
{
    for (enum held_kind kind = 0; kind < HELD_KINDS; kind++) {
        if (after->count[kind] <= before->count[kind])
            continue;
        const uint64_t more = after->count[kind] - before->count[kind];
        snprintf(words, size, "%s %s more", grouped(more),
                 more == 1 ? held_words[kind].one : held_words[kind].many);
        *advice = held_words[kind].advice;
        return true;
    }
    return false;
}

void expect_memory_back_on(const struct input *input)
{
#ifdef SIMULATED_GPU
    const unsigned int calls = input->contract->calls ? input->contract->calls : 8;
#else
    const unsigned int calls = 50; /* since a GPU gives memory in large pieces */
#endif
    struct placed placed = place(input);
    const struct outcome *outcome = &placed.last;
    placed.job.calls = 1 + calls;
    place_output(&placed);
    place_run(&placed, "several calls, one after the other");
    if (outcome->is_device && !outcome->launch_failed && outcome->errors == 0)
        expect_kernels_called(input->contract, "several calls, one after the other",
                              &placed.job.call, outcome->launches, &outcome->copies);
    /* On a card a pool may have given back what earlier calls had left in it. */
    const uint64_t lost =
        outcome->left_before > outcome->left_after ? outcome->left_before - outcome->left_after : 0;
    if (lost > 0)
        fail_as("memory",
                "%s%s bytes of memory are gone after %u more calls; a call that frees what "
                "it allocates with cudaFree leaves behind = 0",
                operation_prefix(input->contract, input->operation), grouped(lost), calls);
    char words[96];
    const char *advice;
    if (held_grew(&outcome->held_before, &outcome->held_after, words, sizeof words, &advice))
        fail_as("memory", "%s%s are there after %u more calls: %s",
                operation_prefix(input->contract, input->operation), words, calls, advice);
    place_free(&placed);
}

static bool has_returned; /* the function has returned from a call that it has to refuse */

/* Exit status 1 is a refusal only when no kernel ran before. */
static bool was_refused(void)
{
    if (has_returned || !job_was_run())
        return true;
    verdict_log_add("failed refusal");
    return false;
}

static const struct contract *to_refuse; /* what is to be refused is an input of it */

static void tell_refusal_from_failure(void)
{
    if (was_refused())
        return;
    char line[160];
    snprintf(line, sizeof line,
             "likeliest cause: a kernel was launched on 4,294,967,296 %s; more than 4,294,967,295 "
             "are to be refused before",
             to_refuse->words.units);
    verdict_log_print(line);
    _exit(2);
}

static void tell_launch_from_refusal(void)
{
    if (was_refused())
        return;
    verdict_log_print("likeliest cause: a kernel was launched on what is to be refused before");
    _exit(2);
}

/* Makes a call in which the program should end. */
static void call_to_be_refused(struct placed *placed, const char *what)
{
    place_output(placed);
    placed->job.budget = 0;
    placed->job.is_trial = 1; /* nothing that it does is told */
    placed->job.right_end = 1;
    place_run(placed, what);
    has_returned = true;
    verdict_log_add("failed refusal");
}

void call_with_too_many_on(const struct input *input)
{
    char what[64];
    to_refuse = input->contract;
    atexit(tell_refusal_from_failure);
    struct placed placed = place(input);
    snprintf(what, sizeof what, "4,294,967,296 %s", input->contract->words.units);
    placed.job.call.length = (size_t)1 << 32;
    call_to_be_refused(&placed, what);
    fail_test("%s4,294,967,296 %s were not refused; one less is the most",
              operation_prefix(input->contract, input->operation), input->contract->words.units);
}

void call_refused_on(const struct input *input, const char *what)
{
    atexit(tell_launch_from_refusal);
    struct placed placed = place(input);
    call_to_be_refused(&placed, what);
    fail_test("%s%s were not refused", operation_prefix(input->contract, input->operation), what);
}

static void expect_memory_back(const struct contract *contract)
{
    struct input input = contract->draw(3, 1000);
    expect_memory_back_on(&input);
    input_free(&input);
}

void expect_keeps_no_memory(const struct contract *contract)
{
    for (size_t i = 0; contract->has_operation && i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(1); /* the grid follows the device: calls without a grid to speak of */
        expect_memory_back(contract);
    }
    if (!contract->has_operation)
        expect_memory_back(contract);
}

/* The call ends the test, so one operation has its turn, and another one in each run. */
void call_with_too_many(const struct contract *contract)
{
    operation_choose((size_t)(run_draw() % operations_asked()));
    struct input input = contract->draw(1, 1);
    call_with_too_many_on(&input);
}
