/* 71_joint_histogram.c - the exercise of chapter 71: slopes, which are gathered from the bins.
 *
 * Operations: float_sum */
#include "exact_bins.h"
#include "expect_right_on.h"

enum { PAIRS = 4096, PARTS = 16 };

static void ask_for_slopes(struct input *input)
{
    input->more[WITH_SLOPES] = 1;
    input->num_bins += input->length;
    input_say_more(input, ", and slopes");
}

static struct input with_slopes(unsigned int kind, size_t length, unsigned int x_bins,
                                unsigned int y_bins)
{
    struct input input =
        pairs_drawn(&(struct drawn_case){kind, length, {x_bins, y_bins}}, 1 + length);
    ask_for_slopes(&input);
    return input;
}

/* Catches a kernel without joint_slopes(). */
static void expect_function(void)
{
    struct measurement bins, slopes;
    struct input input = pairs_drawn(&(struct drawn_case){PAIRS_BEYOND, PAIRS, {24, 20}}, 1);
    const bool ran = place_and_measure(&input, &bins);
    ask_for_slopes(&input);
    if (ran && place_and_measure(&input, &slopes))
        expect_at_least(slopes.launches - bins.launches, "launches for slopes", 1,
                        "joint_slopes() launches one kernel or more; the header has its words");
    input_free(&input);
}

static uint64_t atomics_of(const struct measurement *cost)
{
    return cost->shared.atomic.lanes + cost->elsewhere.atomic.lanes + cost->bins.atomic.lanes;
}

/* Catches slopes that are scattered, and a table that is read more than 16 times for a pair. */
Test(further71, gathers_slopes_without_an_atomic)
{
    operation_choose(0);
    set_multiprocessors(2);
    expect_function();
    judge_and_free(with_slopes(PAIRS_UNIFORM, 33, 6, 5), 1, true);
    judge_and_free(with_slopes(PAIRS_WHOLE, 501, 7, 9), 1, true);
    judge_and_free(with_slopes(PAIRS_BEYOND, 0, 7, 9), 1, true);
    judge_and_free(with_slopes(PAIRS_BEYOND, 67, 3, 9), 1, true);
    struct input input = pairs_drawn(&(struct drawn_case){PAIRS_BEYOND, PAIRS, {24, 20}}, 1);
    const struct measurement bins = measure_input(&input);
    ask_for_slopes(&input);
    const struct measurement slopes = measure_input(&input);
    expect_exactly(atomics_of(&slopes) - atomics_of(&bins), "atomics for slopes", 0,
                   "a slope has a thread, which reads bins and stores one number");
    expect_at_most(slopes.bins.load.lanes - bins.bins.load.lanes, "loads of bins for slopes",
                   PARTS * slopes.counted, "a pair that is counted has 16 bins: 16 x %s",
                   grouped(slopes.counted));
    technique_is("%s loads of bins for the slopes of %s pairs that are counted, and no atomic",
                 grouped(slopes.bins.load.lanes - bins.bins.load.lanes), grouped(slopes.counted));
    input_free(&input);
}
