/* 41_warp_shuffle.c - the exercise of chapter 41: a warp is reduced by one instruction.
 *
 * Operations: sum max */
#include "reduce/harness.h"

enum { LENGTH = 1 << 15, WARP = 32 };

/* Each warp reduces its values once, and one warp of each block those of the warps: no more. Catches
 * five shuffles each time. */
Test(further41, reduces_a_warp_with_one_instruction)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_ANY, 1, LENGTH);
        struct measurement cost = measure_input(&input);
        const uint64_t last =
            (uint64_t)cost.shape.block[0] * cost.shape.block[1] * cost.shape.block[2];
        const uint64_t threads = last > cost.threads_per_block ? last : cost.threads_per_block;
        const uint64_t warps = (threads + WARP - 1) / WARP;
        expect_at_least(cost.shuffles, "reductions of a warp", cost.reading_blocks,
                        "%s: each block that reads values has a warp that reduces; blocks",
                        operation_name(operation_chosen()));
        expect_at_most(cost.shuffles, "reductions of a warp, and shuffles",
                       cost.counters.blocks * (warps + 1),
                       "%s: each of %s warps of a block reduces once, and the first once more: "
                       "blocks x %s = %s x %s",
                       operation_name(operation_chosen()), grouped(warps), grouped(warps + 1),
                       grouped(cost.counters.blocks), grouped(warps + 1));
        if (i == 0)
            technique_is("%s reductions of warps, one for each and one for each block",
                         grouped(cost.shuffles));
        input_free(&input);
    }
}

/* As in the chapter: what a block has in shared memory is one value for each warp. */
Test(further41, hands_one_value_a_warp_to_shared_memory)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 2, LENGTH);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.most_words, "words of shared memory in a block",
                       (cost.threads_per_block + WARP - 1) / WARP,
                       "%s: each warp leaves one value; warps", operation_name(operation_chosen()));
        expect_at_most(cost.most_barriers, "barriers in a block", 2,
                       "%s: one before the values of the warps are read, and one after; barriers",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}
