/* reduce_by_index_batched.c - what every chapter's reduce_by_index_batched() has to do, whatever its
 * technique. Linked with each suite tests/NN_name.c of this contract. */
#include "reduce_by_index/harness.h"

/* Catches a histogram that is left out or cut at the wrong place, elements or bins of a neighbor, a
 * part that is lost, a key at the number of bins that comes to the next row. */
Test(any_reduce_by_index_batched, is_right_on_batches)
{
    expect_right_on_batches();
}

/* Catches a histogram for each block in y, of which CUDA takes 65,535. */
Test(any_reduce_by_index_batched, launches_for_more_histograms_than_65535)
{
    expect_launch_on_many_batches();
}

/* Catches a division by the number of histograms, where there are none. */
Test(any_reduce_by_index_batched, takes_a_batch_of_none)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 4, 0, 100, 31);
        expect_right_untold_on(&input);
        input_free(&input);
    }
}

/* Catches bins that are set instead of combined into, or made neutral first. */
Test(any_reduce_by_index_batched, keeps_what_the_bins_held)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        expect_adds_on(input_batched(KEYS_UNIFORM, 3, 17, 241, 101));
    }
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_reduce_by_index_batched, is_right_on_inputs_that_this_run_draws)
{
    expect_right_on_drawn_batches();
}

/* Catches memory that is never freed. */
Test(every_reduce_by_index_batched, keeps_no_memory)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 3, 5, 20, 31);
        expect_memory_back_on(&input);
        input_free(&input);
    }
}

/* Catches a missing check of batch x length, and one in 32 bits. */
Test(every_reduce_by_index_batched, refuses_4294967296_elements, .exit_code = 1)
{
    call_with_too_many_elements_in(1 << 16);
}
