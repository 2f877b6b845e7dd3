/* 28_hardware_operator.c - right, and bins change by what hardware does in one atomic.
 *
 * Operations: saturate argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here a pair whose words are in another order than the
 * pairs, and a sum that is never cut. */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, SHORTER = 1 << 12, FEW = 31, MANY = 505 };

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
        struct input input = input_of_keys(KEYS_ZIPF, 1, LENGTH, MANY);
        struct measurement cost = measure_input(&input);
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
        struct input input = input_of_keys(KEYS_UNIFORM, 2, SHORTER, MANY);
        struct measurement cost = measure_input(&input);
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
        struct measurement cost = measure_input(&input);
        expect_at_most(
            cost.bins.atomic.lanes + cost.shared.atomic.lanes + cost.elsewhere.atomic.lanes,
            "atomics", cost.counted / 4,
            "%s: a plain read tells of most that they lose, and of four elements not one "
            "has to be tried",
            operation_name(operation_chosen()));
        input_free(&input);
    }
}
