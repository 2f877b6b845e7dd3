/* evidence.c - whether it was the kernels that did the work. */
#include "evidence.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "bounds.h"
#include "cases.h"
#include "contract.h"
#include "verdict_log.h"
#include "grouped.h"
#include "placed.h"
#include "random_numbers.h"

enum {
    SAMPLE = 4096
}; /* host code may look at so many units of an input that has twice as many, or more */

/* Bytes that come from the host into an output that is set have to be known before the call: they come once, and are
 * nothing that the device has worked out. */
static void expect_no_result_from_host(const char *what, const struct host_copies *copies,
                                       size_t bytes)
{
    if (copies->into_bins == 0 || (copies->into_bins <= bytes && copies->to_host == 0))
        return;
    fail_as("host",
            "host code wrote %s bytes into d_result on %s%s: a kernel has to, but for what "
            "is neutral, before the kernels",
            grouped(copies->into_bins), what,
            copies->to_host > 0 ? ", and had copied some from the device" : "");
}

void expect_kernels_called(const struct contract *contract, const char *what,
                           const struct call *call, uint64_t launches,
                           const struct host_copies *copies)
{
    enum { A_FEW = 4096 };
    const uint64_t bytes = call->length * call->unit_bytes;
    const uint64_t sample = call->length > 2 * (size_t)SAMPLE ? SAMPLE * call->unit_bytes : 0;
    if (call->num_bins == 0)
        return;
    if (contract->sets)
        expect_no_result_from_host(what, copies, call->num_bins * call->bin_bytes);
    if (bytes == 0)
        return;
    if (copies->from_input > sample || copies->to_host > A_FEW + sample + bytes / 2)
        fail_as("host", "%s bytes were copied to the host on %s: %s",
                grouped(copies->from_input ? copies->from_input : copies->to_host), what,
                contract->words.by_kernel);
    if (!contract->sets && copies->into_bins > 0)
        fail_as("host",
                "host code wrote %s bytes into d_bins on %s: a kernel has to add to the "
                "bins",
                grouped(copies->into_bins), what);
    if (launches > 0)
        return;
    char function[64];
    contract_function(contract, call, function, sizeof function);
    fail_as("host", "no kernel was launched on %s: %s has to launch one", what, function);
}

static bool each_is_read(const struct input *input, const struct measurement *cost, char *what,
                         size_t size)
{
    if (cost->least_read > 0)
        return true;
    snprintf(what, size, "some of the %s are read by no kernel (%s): each has to be read",
             input->contract->words.units, input->name);
    return false;
}

static void expect_done(const struct input *input, const struct measurement *cost)
{
    const struct contract *contract = input->contract;
    char what[400];
    if (!(contract->has_done ? contract->has_done(input->name, cost, what, sizeof what)
                             : each_is_read(input, cost, what, sizeof what)))
        fail_as("counter", "%s", what);
}

void expect_done_by_kernels(const struct input *input, const struct measurement *cost)
{
    enum { SHORT = 4096 }; /* so short an input is no evidence */
    const bool is_result = input->contract->sets && input->num_bins == 1;
    const uint64_t most = is_result ? 2 * BIN_BYTES : input->length / 2;
    const struct call call = call_on(input);
    expect_kernels_called(input->contract, input->name, &call, cost->launches, &cost->copies);
    if (input->length < SHORT)
        return;
    expect_done(input, cost);
    if (cost->host_visible <= most)
        return;
    fail_as("host", "the kernels wrote %s bytes to where the host reads them (%s): %s",
            grouped(cost->host_visible), input->name, input->contract->words.by_kernel);
}

/* ", in 30 bins, beginning 3 after a multiple of 256 bytes": how a part differs from the whole, which has so many
 * bins. */
static void describe_part(const struct input *part, size_t bins, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    if (part->num_bins != bins)
        used = (size_t)snprintf(text, size, ", in %s bins", grouped(part->num_bins));
    if (part->misalignment > 0)
        snprintf(text + used, size - used, ", beginning %s after a multiple of 256 bytes",
                 grouped(part->misalignment));
}

/* One of the costs is `seen` on a part of an input, and `whole` on all of its `length` units. On the part it may be so
 * much more. */
static void expect_no_more(const char *what, const struct input *part, const char *as,
                           uint64_t seen, uint64_t whole, size_t length, uint64_t more)
{
    enum { A_FEW = 2048 };
    const struct contract *contract = part->contract;
    const char *units = contract->words.units;
    if (seen <= whole + whole / 4 + A_FEW + more)
        return;
    fail_as("counter",
            "%s %s for %s %s, and %s for %s of them%s: the technique has to be the same for every "
            "%s (DRAW=%llu)",
            grouped(whole), what, grouped(length), units, grouped(seen), grouped(part->length), as,
            contract_counts_text(contract) ? "text" : "input", (unsigned long long)run_draw());
}

/* cuda::memcpy_async into shared memory copies 16 bytes at a time where it can, which are no stores. A misaligned part
 * it loads and stores unit by unit: there a copy may make so many more accesses. */
static uint64_t copied_by_units(const struct count *cost, const struct input *part,
                                const struct measurement *seen)
{
    const uint64_t loads = seen->elements.load.lanes, stores = seen->shared.store.lanes;
    bool is_copy = cost->fields[0] == OF(elements.load.lanes);
    for (size_t i = 0; i < sizeof cost->fields / sizeof *cost->fields; i++)
        is_copy |= cost->fields[i] == OF(shared.store.lanes);
    return !is_copy || part->misalignment == 0 ? 0 : loads < stores ? loads : stores;
}

static void expect_same_on(const struct input *part, const struct measurement *whole, size_t length)
{
    char as[120];
    struct measurement seen;
    if (!place_and_measure(part, &seen))
        return;
    describe_part(part, whole->num_bins, as, sizeof as);
    for (const struct count *cost = contract_costs(part->contract); cost->what; cost++)
        if (cost->fields[0] != OF(elements.load.lanes) || part->misalignment == 0)
            expect_no_more(cost->what, part, as, count_of(cost, &seen), count_of(cost, whole),
                           length, copied_by_units(cost, part, &seen));
}

/* How many units to leave out at the beginning. The number is drawn, so that no length is always the same, or a
 * multiple of anything. */
static size_t part_left_out(size_t length, uint64_t *state)
{
    enum { MOST = 8192, LONG = 1 << 17 };
    const size_t drawn = 1 + random_below(state, MOST);
    return length < LONG ? drawn : length / 4 * 3 + drawn;
}

/* Draws a number for each input, another one in each run. */
static uint64_t drawn_for(const struct input *input)
{
    uint64_t state = run_draw();
    for (const char *at = input->name; *at; at++)
        state = state * 31 + (unsigned char)*at;
    return state + input->length;
}

/* The second part of a text may be a short one, where another technique is not that of the chapter either. With many
 * bins another one may be needed where each bin gets few elements. */
static size_t short_part_left_out(size_t length, uint64_t *state)
{
    enum { LEAST = 1 << 13, HALVINGS = 5, LONG = 1 << 17 };
    const size_t most = (length < LONG ? length : length / 4) - LEAST;
    const size_t range =
        most >> random_below(state, HALVINGS); /* short ones as often as long ones */
    return length - LEAST - random_below(state, (uint32_t)range + 1);
}

/* A part of an input. The first has an odd length, and the second has a bin less, where their number is an argument:
 * kernels often choose by whether such a number is even. */
static struct input drawn_part_of(const struct input *input, int number, uint64_t *state)
{
    enum { MISALIGNMENTS = 15 };
    struct input part = *input;
    const bool may_be_short = number > 0 && !input->contract->has_operation;
    const size_t cut = may_be_short ? short_part_left_out(input->length, state)
                                    : part_left_out(input->length, state);
    part.misalignment = number == 0 ? 0 : 1 + random_below(state, MISALIGNMENTS);
    part.length -= cut;
    part.elements += cut * unit_bytes(input);
    if (number == 0)
        part.length -= part.length % 2 == 0;
    else if (input->contract->has_operation && input->contract->has_bins && input->batch == 0)
        part.num_bins -= part.num_bins > 1;
    return part;
}

void expect_same_on_a_part(const struct input *input, const struct measurement *whole)
{
    enum { SHORT = 1 << 14 };
    static bool done, done_with_first;
    const size_t turn = operation_turn(input->operation);
    const bool is_first = turn == 0;
    bool *const is_done = is_first ? &done_with_first : &done;
    if (*is_done || input->length < SHORT || input->length > input->contract->longest_part ||
        (!is_first && run_draw() % operations_asked() != turn))
        return;
    *is_done = true;
    uint64_t state = drawn_for(input);
    for (int parts = 0; parts < 2; parts++) {
        const struct input part = drawn_part_of(input, parts, &state);
        expect_same_on(&part, whole, input->length);
    }
}

/* Names the operation of a call that was measured, where there are several. */
static const char *prefix_of_cost(const struct contract *contract, const struct measurement *cost)
{
    return operation_prefix(contract, cost->operation);
}

void expect_found_is_shared(const struct contract *contract, const struct measurement *cost)
{
    enum { FEW = 32, SHARERS = 4 };
    expect_that(
        cost->most_found <= FEW || cost->most_found < cost->found_beside / SHARERS,
        "%sone thread makes %s of the %s loads by which a block reads what others have left, "
        "and the other threads wait: the threads of a block share these loads, or those of a "
        "warp",
        prefix_of_cost(contract, cost), grouped(cost->most_found), grouped(cost->found_beside));
}

void expect_threads_share(const struct contract *contract, const struct measurement *cost)
{
    enum { WARP = 32, TIMES = 8, A_FEW = 256 };
    const uint64_t read = cost->bytes_read / cost->unit_bytes + 1;
    const uint64_t share = cost->threads > 0 ? read / cost->threads + 1 : read;
    expect_at_least(cost->threads_per_block, "threads in a block", WARP,
                    "%sa block shares its %s among its threads, a warp at least, so threads",
                    prefix_of_cost(contract, cost), contract->words.units);
    expect_at_most(cost->most_by_thread, "of the input read by one thread", TIMES * share + A_FEW,
                   "%s%s threads share %s %s, so that each has about %s, and all wait for the one "
                   "that has most: %d x %s + %d",
                   prefix_of_cost(contract, cost), grouped(cost->threads), grouped(read),
                   contract->words.units, grouped(share), TIMES, grouped(share), A_FEW);
    expect_that(
        cost->busy_threads >= cost->busy_of / 2,
        "%sonly %s of the %s threads of blocks with many %s load some, take what others have put "
        "in shared memory, or count there: the others do nothing, and half of them have to do "
        "something",
        prefix_of_cost(contract, cost), grouped(cost->busy_threads), grouped(cost->busy_of),
        contract->words.units);
    expect_found_is_shared(contract, cost);
}
