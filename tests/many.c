/* many.c - what every chapter on many GPUs has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract. Tests run in alphabetical order, and a student is
 * shown the first that fails: a wrong count is told before a technique that is not the chapter's.
 *
 * Bins: 5 26 64 256 */
#include "many/harness.h"

/* Catches a split that loses the remainder, or counts it twice; a unit without a share that does not join the
 * collective; bins of a unit that nobody zeroed; a device that nobody set. */
Test(any_many, is_right_on_edge_cases)
{
    expect_units_right_on_edge_cases();
}

/* Catches sums of the call before, and streams, buffers and communicators that every call makes anew. */
Test(any_many, is_right_again_and_again)
{
    expect_right_again_and_again();
}

/* Catches what no sum tells: a part that two units read, and one of them leaves out again. */
Test(any_many, reads_each_byte_once)
{
    expect_each_byte_read_once();
}

/* Catches answers from a table: the texts are another draw in each run. */
Test(every_many, is_right_on_inputs_that_this_run_draws)
{
    expect_units_right_on_drawn_inputs();
}

/* Catches offsets, lengths and sums in 32 bits. */
Test(every_many, is_right_above_4_gib)
{
    expect_right_above_4_gib();
}

/* Catches a copy of the whole text on a device. */
Test(every_many, holds_a_part_of_a_long_text)
{
    expect_holds_a_part();
}

/* Catches a rank that returns early and leaves the others in the collective. */
Test(every_many, refuses_files_that_cannot_be_read)
{
    expect_refuses_bad_files();
}
