/* 28_hardware_operator.c - right, and bins change by what hardware does in one atomic.
 *
 * Operations: saturate float_sum argmax vector_sum
 *
 * The edge cases of tests/reduce_by_index.c catch here a pair whose words are in another order than the
 * pairs, a sum that is never cut, a float that is cut off, a carry that is lost. */
#include "verdict_log.h"
#include "reduce_by_index/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cards.h"
#include "placed.h"

enum { LENGTH = 1 << 14, SHORTER = 1 << 12, FEW = 31, MANY = 505, SEEDS = 6 };

/* Floats of many sizes, whose sum is another one in each order. */
static void draw_floats(struct input *input)
{
    uint32_t drawn = 1;
    for (size_t i = 0; i < input->length; i++) {
        drawn = drawn * 1664525 + 1013904223;
        // An exponent from 2^-16 to 2^15, and all bits of the rest.
        const uint32_t exponent = 111 + (drawn >> 27);
        input_set(input, i, input_key(input, i), exponent << 23 | (drawn & 0x807fffff), 0);
    }
}

static void expect_no_loops(const struct watched *memory, const char *where)
{
    expect_exactly(
        memory->cas.lanes + memory->exchange.lanes, "compare-and-swaps and exchanges", 0,
        "%s, %s: hardware adds and takes a maximum in one atomic, and nothing is left to "
        "try again",
        operation_name(operation_chosen()), where);
}

/* No compare-and-swap and no exchange that the kernel asks for, wherever bins and copies are. Catches
 * the kernels of chapters 21 and 22. */
Test(chapter28, makes_no_compare_and_swap_and_no_exchange)
{
    uint64_t atomics = 0;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of(KEYS_ZIPF, 1, LENGTH, MANY);
        struct measurement cost = measure(&input);
        expect_no_loops(&cost.bins, "on the bins");
        expect_no_loops(&cost.shared, "in shared memory");
        expect_no_loops(&cost.elsewhere, "elsewhere in global memory");
        atomics += cost.bins.atomic.lanes + cost.shared.atomic.lanes + cost.elsewhere.atomic.lanes;
        input_free(&input);
    }
    technique_is("%s atomics, none of them a compare-and-swap or an exchange", grouped(atomics));
}

/* A bin is given what hardware has combined. Without any atomic it may be one thread that combines all,
 * or a thread for each bin that reads all elements: right, and slow. Catches both; and a sort, which
 * needs atomics to count digits and none for the bins. */
Test(chapter28, combines_with_atomics)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of(KEYS_UNIFORM, 2, SHORTER, MANY);
        struct measurement cost = measure(&input);
        expect_at_least(
            cost.bins.atomic.lanes + cost.shared.atomic.lanes + cost.elsewhere.atomic.lanes,
            "atomics", MANY / 2,
            "%s: most of %s bins get an element, and the first of them is combined by one",
            operation_name(operation_chosen()), grouped(MANY));
        expect_at_most(cost.elsewhere.store.lanes, "stores beside the bins", SHORTER / 2,
                       "%s: each of %s elements is combined where it is read, and moved nowhere",
                       operation_name(operation_chosen()), grouped(SHORTER));
        input_free(&input);
    }
}

/* Many elements meet in few bins. The words that hardware combines are integers, and their order does
 * not matter: on each schedule every bin has the same bits. The floats of a vector are added as floats, and are not
 * looked at. Catches a float that is added to others as a float, in whichever order they come. */
Test(chapter28, leaves_the_same_bits_on_all_schedules)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() == VECTOR_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 3, SHORTER, FEW);
        if (operation_chosen() == FLOAT_SUM)
            draw_floats(&input);
        struct placed placed = place(&input);
        const size_t bytes = FEW * operation_bin_bytes(operation_chosen());
        unsigned char *first = NULL;
        for (unsigned int seed = 1; seed <= SEEDS; seed++) {
            set_schedule(seed);
            place_output(&placed);
            expect_to_end(&placed, input.name);
            unsigned char *held = place_read(&placed);
            if (first == NULL)
                first = held;
            size_t differing = 0;
            for (size_t at = 0; at < bytes; at++)
                differing += first[at] != held[at];
            expect_that(
                differing == 0,
                "%s: on schedule %u bins hold other bits than on schedule 1, on %s; a sum of "
                "floats depends on their order, a sum of integers does not",
                operation_name(operation_chosen()), seed, input.name);
            if (held != first)
                free(held);
        }
        free(first);
        place_free(&placed);
        input_free(&input);
    }
}

/* What is in a bin of argmax only grows: an element that loses to it needs no atomic. In the order of
 * their indices, ties lose to the first. With 16 K elements in 31 bins, hardly one in ten wins. Catches
 * an atomic for each element. */
Test(chapter28, tries_a_maximum_only_if_it_can_win)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != ARGMAX)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 4, LENGTH, FEW);
        set_multiprocessors(1);
        struct measurement cost = measure(&input);
        expect_at_most(
            cost.bins.atomic.lanes + cost.shared.atomic.lanes + cost.elsewhere.atomic.lanes,
            "atomics", cost.counted / 4,
            "%s: a plain read tells of most that they lose, and of four elements not one "
            "has to be tried",
            operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* From compute capability 9.0 on one atomic adds four floats. Catches a vector whose floats are added one by one, and
 * tables in shared memory, where hardware adds no float. */
Test(chapter28, adds_a_vector_by_as_few_atomics_as_the_card_allows)
{
    enum { FLOATS = 8 };
    const uint64_t at_once = sim_card_chosen()->capability >= 90 ? 4 : 1;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != VECTOR_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 7, LENGTH, MANY);
        struct measurement cost = measure(&input);
        expect_at_most(
            cost.bins.atomic.lanes + cost.shared.atomic.lanes + cost.elsewhere.atomic.lanes,
            "atomics", cost.counted * (FLOATS / at_once),
            "%s: a bin has eight floats, and an atomic of this card adds %s of them: elements "
            "x 8 / %s",
            operation_name(operation_chosen()), grouped(at_once), grouped(at_once));
        input_free(&input);
    }
}

/* All elements of three bins are infinite, above or below, or no numbers: whoever comes late finds the bin
 * as it will be. Catches flags that are added up, or taken back. */
Test(chapter28, keeps_what_is_infinite_from_the_first_on)
{
    const uint32_t infinite = 0x7f800000, below_0 = 1u << 31;
    enum { MANY_OF_EACH = 4096 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 6, 3 * MANY_OF_EACH, FEW);
        for (size_t at = 0; at < input.length; at++) {
            const uint32_t key = (uint32_t)at % 3;
            input_set(&input, at, key, infinite | (key == 1 ? below_0 : key == 2 ? 1u : 0u), 0);
        }
        set_multiprocessors(1);
        expect_right_untold_on(&input);
        input_free(&input);
    }
}

/* Floats below 2^-124, many of them subnormal, are whole numbers of 2^-149. Whoever adds them as floats rounds by
 * less than a thousandth, which other tests find. Catches an exponent of 0 that is taken for a smaller unit than that of 1. */
Test(chapter28, adds_the_smallest_floats)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 5, 32 * FEW, FEW);
        double sums[FEW] = {0};
        memset(input.bins, 0, FEW * sizeof(float));
        for (size_t at = 0; at < input.length; at++) {
            const uint32_t key = input_key(&input, at);
            const uint32_t bits = ((uint32_t)at * 2654435761u >> 6) % (3u << 23);
            float number;
            memcpy(&number, &bits, sizeof number);
            input_set(&input, at, key, bits, 0);
            sums[key] += (double)number;
        }
        snprintf(input.name, sizeof input.name, "float_sum, floats from 0 to 2^-124");
        struct placed placed = place(&input);
        place_output(&placed);
        expect_to_end(&placed, input.name);
        unsigned char *held = place_read(&placed);
        for (size_t bin = 0; bin < FEW; bin++) {
            float now;
            memcpy(&now, held + bin * sizeof now, sizeof now);
            if (fabs((double)now - sums[bin]) <= sums[bin] * ldexp(1, -10))
                continue;
            fail_as("bins",
                    "wrong on %s: bin %zu should be %.9g, is %.9g; a float whose exponent is 0 "
                    "has the unit of those whose exponent is 1",
                    input.name, bin, sums[bin], (double)now);
        }
        free(held);
        place_free(&placed);
        input_free(&input);
    }
}
