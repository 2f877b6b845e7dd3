/* 23_subhistograms.c - the exercise of chapter 23: copies only as far as the elements pay for them.
 *
 * Operations: count saturate float_sum argmax */
#include "reduce_by_index/harness.h"

/* Every word of the copies is stored once before and loaded once afterwards, whether an element comes
 * or not. With half as many words as elements that is no more than the elements cost. Catches as many
 * copies as fit. */
Test(further23, makes_no_more_words_than_half_the_elements)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        enum { LENGTH = 1 << 16, BINS = 900 };
        struct input input = input_within(KEYS_UNIFORM, 1, LENGTH, BINS);
        const struct measurement cost = measure_input(&input);
        const uint64_t words = cost.blocks * cost.shared.addresses;
        expect_at_most(words, "words of copies in all blocks", LENGTH / 2,
                       "for %s elements at most half as many pay: %s / 2", grouped(LENGTH),
                       grouped(LENGTH));
        if (i == 0)
            technique_is("%s words of copies for %s elements", grouped(words), grouped(LENGTH));
        input_free(&input);
    }
}

/* Where they pay there are copies as before. Catches a single copy for all. */
Test(further23, still_has_copies_where_they_pay)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_SINGLE, 2, 1 << 16, 31);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.shared.most_meeting, "lanes of one request update one word", 1,
                       "31 bins and 65,536 elements pay for a copy for each lane: those that "
                       "contend are");
        input_free(&input);
    }
}
