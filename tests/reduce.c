/* reduce.c - what every chapter's reduce() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract, and run for each operation that the chapter
 * takes. Tests run in alphabetical order, and a student is shown the first that fails: a wrong result
 * is told before a technique that is not the chapter's. */
#include "reduce/harness.h"

/* Catches all that depends on the length and on where the values begin: a grid that is one block short,
 * a loop that ends too early, threads of a warp that is not full, a tree that drops an odd one, partial
 * results that nobody wrote. */
Test(any_reduce, is_right_on_edge_cases)
{
    expect_values_right_on_edge_cases();
}

/* Catches a NaN or an infinity that is lost, a result that starts at 0 instead of the neutral element,
 * integers that are added as floats. */
Test(any_reduce, is_right_on_special_values)
{
    expect_values_right_on_special_values();
}

/* Catches a result that nobody zeroed, and tickets and partial results that the call before left. */
Test(any_reduce, sets_the_result_whatever_it_held)
{
    expect_right_in_a_row(&reduce_contract);
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_reduce, is_right_on_inputs_that_this_run_draws)
{
    expect_values_right_on_drawn_inputs();
}

/* Catches three launches of one kernel with blocks of 256: a tail is dropped above 256^3 values. */
Test(every_reduce, is_right_above_16777216_values)
{
    expect_right_on_long_arrays();
}

/* Many blocks leave a result each. Catches one thread that combines them all: a second pass, or a last block, in
 * which the others wait. */
Test(every_reduce, shares_what_many_blocks_have_left)
{
    enum { MANY = 33, ROOM = 2048 };
    operation_choose(0);
    struct input input = input_of_values(VALUES_SMALL, 8, MANY * ROOM);
    set_multiprocessors(MANY);
    const struct measurement cost = measure_input(&input);
    expect_found_is_shared(&reduce_contract, &cost);
    input_free(&input);
}

/* Catches partial results that are never freed. */
Test(every_reduce, keeps_no_memory)
{
    expect_keeps_no_memory(&reduce_contract);
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(every_reduce, reads_the_far_end_of_the_longest_array)
{
    judge_far_end(&reduce_contract);
}

/* Catches a missing check of the length, and one that is off by one. */
Test(every_reduce, refuses_4294967296_values, .exit_code = 1)
{
    call_with_too_many(&reduce_contract);
}
