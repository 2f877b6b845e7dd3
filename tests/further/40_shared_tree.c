/* 40_shared_tree.c - the exercise of chapter 40: the first steps are made while values are loaded.
 *
 * Operations: sum max float_sum dot */
#include "reduce/harness.h"

enum { LENGTH = 1 << 15, VALUES_A_THREAD = 8, SECTOR = 32 };

/* A thread combines eight values before it brings one into the tree, and so there are an eighth of the
 * leaves: but for the last block, which may be larger than what is left. Catches one value a thread. */
Test(further40, brings_eight_values_at_once)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 1, LENGTH);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.threads, "threads that read values",
                       LENGTH / VALUES_A_THREAD + cost.threads_per_block,
                       "%s: each combines %s values while it loads: %s / %s, and a block",
                       operation_name(operation_chosen()), grouped(VALUES_A_THREAD),
                       grouped(LENGTH), grouped(VALUES_A_THREAD));
        if (i == 0)
            technique_is("%s threads for %s values, which bring one each into the trees",
                         grouped(cost.threads), grouped(LENGTH));
        input_free(&input);
    }
}

/* The values of a thread are so far apart that a warp loads neighbors: each sector is asked for once,
 * and where a request does not begin with a sector once more. Catches sections, eight neighbors for each
 * thread. A compiler may load a pair in two halves. */
Test(further40, loads_neighbors_together)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        const size_t bytes = operation_bin_bytes(operation_chosen());
        if (bytes > 4)
            continue;
        struct input input = input_of_values(VALUES_SMALL, 2, LENGTH);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.values.load.sectors, "sectors of values",
                       LENGTH * bytes / SECTOR + cost.values.load.requests,
                       "%s: %s values lie in %s / 8 sectors, and each of %s requests may touch one "
                       "more",
                       operation_name(operation_chosen()), grouped(LENGTH), grouped(LENGTH),
                       grouped(cost.values.load.requests));
        expect_exactly(cost.conflicts, "bank conflicts", 0, "%s: in the tree; conflicts",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* There is one tree a block, after all values are loaded. Catches a tree for each of the eight. */
Test(further40, makes_one_tree_a_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 3, LENGTH);
        struct measurement cost = measure_input(&input);
        uint64_t steps = 0;
        for (uint64_t left = cost.threads_per_block; left > 1; left = (left + 1) / 2)
            steps++;
        expect_at_most(cost.most_barriers, "barriers in a block", steps + 1,
                       "%s: a tree of %s values takes ceil(log2 %s) + 1",
                       operation_name(operation_chosen()), grouped(cost.threads_per_block),
                       grouped(cost.threads_per_block));
        input_free(&input);
    }
}
