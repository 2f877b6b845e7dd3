/* joint_histogram.c - what every chapter's joint_histogram() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract. Tests run in alphabetical order, and a student is
 * shown the first that fails: a wrong result is told before a technique that is not the chapter's. */
#include "exact_bins.h"
#include "expect_right_on.h"

#include <stdio.h>

#include "random_numbers.h"
#include "words_in_bytes.h"

enum { A_FEW_MULTIPROCESSORS = 3, MANY_MULTIPROCESSORS = 132 };

static void begin(void)
{
    operation_choose(0);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

static struct input draw(unsigned int kind, uint64_t seed, size_t length, unsigned int x_bins,
                         unsigned int y_bins)
{
    return pairs_drawn(&(struct drawn_case){kind, length, {x_bins, y_bins}}, seed);
}

static void expect_right(unsigned int kind, size_t length, unsigned int x_bins, unsigned int y_bins)
{
    judge_and_free(draw(kind, 1 + length, length, x_bins, y_bins), 1, true);
}

/* Catches x and y that change places, a row that is too short, bins of which there are none or too few, and what
 * lies beyond the bins. */
Test(any_joint_histogram, is_right_on_edge_cases)
{
    begin();
    judge_and_free(draw(PAIRS_UNIFORM, 1, 2053, 13, 9), USUAL_SCHEDULES, true);
    static const struct {
        unsigned int length, x, y;
    } sizes[] = {{1021, 4, 4}, {509, 4, 31},    {509, 65, 5},  {67, 3, 20},  {67, 20, 3},
                 {67, 1, 1},   {67, 0, 7},      {67, 7, 0},    {0, 12, 7},   {0, 0, 0},
                 {1, 53, 53},  {301, 203, 203}, {97, 2111, 4}, {97, 4, 2111}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_right(PAIRS_UNIFORM, sizes[i].length, sizes[i].x, sizes[i].y);
    expect_right(PAIRS_WHOLE, 1021, 9, 7);
    expect_right(PAIRS_BEYOND, 1021, 7, 9);
    expect_right(PAIRS_BEYOND, 131, 3, 4);
    expect_right(PAIRS_PICTURE, 1500, 20, 24);
    set_multiprocessors(MANY_MULTIPROCESSORS);
    expect_right(PAIRS_SHUFFLED, 3001, 16, 17);
}

/* Catches a tile that is not full, and a vector that is read from an address between two. */
Test(any_joint_histogram, is_right_on_every_length_and_address)
{
    begin();
    expect_right_around_lengths(&joint_histogram_contract, 256, 4096);
    expect_right_at_misalignments(&joint_histogram_contract);
}

/* Bins for which a block has not enough shared memory: catches a kernel that has no other place. */
Test(any_joint_histogram, is_right_where_bins_do_not_fit_a_block)
{
    begin();
    expect_right(PAIRS_UNIFORM, 203, 400, 300);
    expect_right(PAIRS_ONE_PLACE, 203, 70000 / 4, 4);
    expect_right(PAIRS_BEYOND, 1021, 5, 20011);
}

/* Catches bins of 32 bits that are committed too late, or to 32 bits; and a scale that is too large. */
Test(any_joint_histogram, is_right_where_all_pairs_meet)
{
    enum { MORE_THAN_32_BITS_HOLD = 18947 };
    begin();
    set_multiprocessors(1);
    expect_right(PAIRS_ONE_PLACE, MORE_THAN_32_BITS_HOLD, 5, 6);
    expect_right(PAIRS_ONE_PLACE, 4099, 16, 4);
}

/* Pairs of which one coordinate is that, in each seventh. */
static void expect_right_with(const char *what, uint32_t bits)
{
    struct input input = draw(PAIRS_UNIFORM, 11, 521, 7, 6);
    for (size_t i = 1; i < 2 * input.length; i += 7)
        input_set_word(&input, i, bits);
    input_say_more(&input, ", %s", what);
    judge_and_free(input, 1, true);
}

/* Catches a NaN that is counted, (int)x in place of floor(x), and a bin number that is made of an infinity. */
Test(any_joint_histogram, is_right_on_special_values)
{
    static const struct {
        const char *what;
        uint32_t bits;
    } values[] = {
        {"NaN", NOT_A_NUMBER},
        {"infinity", INFINITE},
        {"minus infinity", INFINITE | SIGN},
        {"-0", SIGN},
        {"denormals", 77777},
        {"negative denormals", 77777 | SIGN},
        {"-0.5", 0x3f000000 | SIGN},
        {"3, the edge of a bin", 0x40400000},
        {"the largest float below 4", 0x407fffff},
        {"4, the edge behind the last", 0x40800000},
        {"2^31", 0x4f000000},
        {"the largest float", 0x7f7fffff},
    };
    begin();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        expect_right_with(values[i].what, values[i].bits);
}

/* Catches floats that are added as they come, and a scale that follows the grid. */
Test(any_joint_histogram, leaves_the_same_bits_on_every_grid_and_schedule)
{
    const char *const why = "adding whole numbers, with one scale for each grid,";
    begin();
    expect_same_output_bits(draw(PAIRS_UNIFORM, 1, 9001, 9, 8), why);
    expect_same_output_bits(draw(PAIRS_PICTURE, 2, 1009, 300, 200), why);
}

static struct input draw_input(uint64_t *state, size_t unused)
{
    (void)unused;
    const unsigned int x_bins = random_below(state, 1u << random_below(state, 8));
    const unsigned int y_bins = random_below(state, 1u << random_below(state, 8));
    const unsigned int kind = random_below(state, PAIRS_KINDS);
    const uint64_t seed = next_random(state);
    struct input input = draw(kind, seed, random_below(state, 4096), x_bins, y_bins);
    input.misalignment = random_below(state, 8);
    return input;
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_joint_histogram, is_right_on_inputs_that_this_run_draws)
{
    judge_drawn(draw_input, 0, 8);
}

/* Catches bins that the call before left. */
Test(every_joint_histogram, finds_nothing_of_the_call_before)
{
    expect_right_in_a_row(&joint_histogram_contract);
}

/* Catches rows that are never freed. */
Test(every_joint_histogram, keeps_no_memory)
{
    expect_keeps_no_memory(&joint_histogram_contract);
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(every_joint_histogram, reads_the_far_end_of_the_longest_input)
{
    judge_far_end(&joint_histogram_contract);
}

/* Catches a missing check of the length, and one that is off by one. */
Test(every_joint_histogram, refuses_4294967296_pairs, .exit_code = 1)
{
    call_with_too_many(&joint_histogram_contract);
}

static void call_with_sides(unsigned int x_bins, unsigned int y_bins)
{
    char what[64];
    begin();
    struct input input = draw(PAIRS_UNIFORM, 1, 1, x_bins, y_bins);
    snprintf(what, sizeof what, "%s x %s bins (32,768 on a side are the most)", grouped(x_bins),
             grouped(y_bins));
    call_refused_on(&input, what);
}

/* These catch a product of sides that wraps, and bin numbers beyond those that a float holds. */
Test(every_joint_histogram, refuses_32769_bins_in_a_column, .exit_code = 1)
{
    call_with_sides(4, 32769);
}

Test(every_joint_histogram, refuses_32769_bins_in_a_row, .exit_code = 1)
{
    call_with_sides(32769, 4);
}
