/* files.c - what the judge of histogram_file() says of right and wrong ones. */
#define _GNU_SOURCE
#define OF_FILES
#include "fake_units.h"

Test(many_ranks, pass_a_right_implementation)
{
    expect_all_pass();
}

Test(many_ranks, speak_of_ranks)
{
    expect_message("skips_device_1", "again", 1, "exactly what rank 1 read is missing");
    expect_message("reads_all", "reads", 1, "to rank 0 and to rank 1");
}

Test(many_ranks, want_one_line_and_no_result_of_a_bad_file)
{
    expect_message("takes_bad", "files", 1, "returned 0 on a file that is not there");
    expect_message("leaves_others", "files", 1, "returned not the same on all ranks");
    expect_message("touches", "files", 1, "touched a bin on a file that is not there");
    expect_message("nameless", "files", 1, "with the name of the file, \"x.txt\"");
    expect_message("all_say_it", "files", 1, "wrote 3 lines to standard error");
}
