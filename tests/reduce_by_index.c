/* reduce_by_index.c - what every chapter's reduce_by_index() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract, and run for each operation that the chapter
 * takes. Tests run in alphabetical order, and a student is shown the first that fails: a wrong bin is
 * told before a technique that is not the chapter's. */
#include "reduce_by_index/harness.h"

enum { MOST_BINS = 1572863 };

/* Catches all that depends on the length, on where the elements begin, and on the keys: a grid that is
 * one block short, a loop that ends too early, a key at the number of bins that is counted, updates
 * that are lost. */
Test(any_reduce_by_index, is_right_on_edge_cases)
{
    expect_elements_right_on_edge_cases(MOST_BINS);
}

/* Catches a pass that is missing, an array for fewer bins, the number of a bin in 16 bits. */
Test(any_reduce_by_index, is_right_on_many_bins)
{
    expect_right_on_many_bins(MOST_BINS);
}

/* Catches ties that the wrong one wins, caps that are left behind, a zero that loses to nothing, a NaN
 * that is lost or never ends. */
Test(any_reduce_by_index, is_right_on_special_values)
{
    expect_elements_right_on_special_values();
}

/* Catches bins that are set instead of combined into, or made neutral first. */
Test(any_reduce_by_index, keeps_what_the_bins_held)
{
    expect_elements_added_to_bins();
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_reduce_by_index, is_right_on_inputs_that_this_run_draws)
{
    expect_elements_right_on_drawn_inputs(MOST_BINS);
}

/* Catches copies, locks and buckets that are never freed. */
Test(every_reduce_by_index, keeps_no_memory)
{
    expect_keeps_no_memory(&reduce_by_index_contract);
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(every_reduce_by_index, reads_the_far_end_of_the_longest_input)
{
    judge_far_end(&reduce_by_index_contract);
}

/* Catches a missing check of the length, and one that is off by one. */
Test(every_reduce_by_index, refuses_4294967296_elements, .exit_code = 1)
{
    call_with_too_many(&reduce_by_index_contract);
}
