/* 71_joint_histogram.c - right, with whole numbers that shared memory adds by one instruction each, and lanes that
 * read distant pairs once.
 *
 * Operations: float_sum */
#include "exact_bins.h"
#include "expect_right_on.h"

#include "random_numbers.h"

enum { PAIRS = 8192, MORE_PAIRS = 2 * PAIRS + 1, PARTS = 16, SIDE = 53, SMALL_SIDE = 32 };

static struct measurement cost_of(unsigned int kind, size_t length, unsigned int side)
{
    operation_choose(0);
    set_multiprocessors(2);
    struct input input = pairs_drawn(&(struct drawn_case){kind, length, {side, side}}, 1);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

static void expect_whole_numbers(size_t length, unsigned int side, bool is_logged)
{
    enum { LEAST_CHUNK = 2048, FEWEST = 14 };
    const struct measurement cost = cost_of(PAIRS_BEYOND, length, side);
    const uint64_t bins = cost.num_bins;
    expect_exactly(cost.shared.cas.lanes + cost.elsewhere.cas.lanes + cost.bins.cas.lanes,
                   "compare-and-swaps", 0,
                   "a float in shared memory is added by a loop with compare and swap, a whole "
                   "number by one atomic; times");
    expect_at_most(cost.shared.add.lanes, "additions to shared memory", PARTS * cost.counted,
                   "each of the %s pairs that are counted adds 16 parts to its block's bins: "
                   "16 x %s",
                   grouped(cost.counted), grouped(cost.counted));
    expect_at_least(
        cost.shared.add.lanes, "additions to shared memory", FEWEST * cost.counted,
        "each of the %s pairs that are counted adds 16 parts to its block's %s bins, of "
        "which few are 0 (DRAW=%llu): %d x %s",
        grouped(cost.counted), grouped(bins), (unsigned long long)run_draw(), FEWEST,
        grouped(cost.counted));
    expect_at_most(cost.elsewhere.atomic.lanes + cost.bins.atomic.lanes, "global atomics",
                   length / LEAST_CHUNK * bins,
                   "a block commits its %s bins after thousands of pairs: at most %s / %s x %s",
                   grouped(bins), grouped(length), grouped(LEAST_CHUNK), grouped(bins));
    if (is_logged)
        technique_is("%s shared atomics for %s pairs that are counted, %s global atomics",
                     grouped(cost.shared.add.lanes), grouped(cost.counted),
                     grouped(cost.elsewhere.atomic.lanes + cost.bins.atomic.lanes));
}

/* Catches floats, which shared memory adds by a loop with compare and swap; and additions in the L2 cache for each
 * pair. On parts of this input, and for bins that this run draws, the technique has to be the same. A part that is 0
 * may be left out. */
Test(chapter71, adds_sixteen_whole_numbers_a_pair_in_shared_memory)
{
    uint64_t state = run_draw();
    expect_whole_numbers(MORE_PAIRS, SIDE, true);
    expect_whole_numbers(PAIRS, SIDE + 1 + random_below(&state, 30), false);
}

/* Catches coordinates that are read a second time: to find the largest, or for each of 16 parts. */
Test(chapter71, reads_the_pairs_once)
{
    const struct measurement cost = cost_of(PAIRS_PICTURE, PAIRS, SIDE);
    expect_exactly(cost.most_read, "times that a coordinate is read", 1,
                   "one thread reads it, and adds all 16 parts; at most");
    expect_exactly(cost.copies.to_host, "bytes copied to the host", 0,
                   "the scale follows from the length alone; so many");
}

/* Catches lanes that read pixels side by side: these are alike, and meet in one bin. */
Test(chapter71, spreads_a_smooth_picture_over_the_bins)
{
    const uint64_t smooth = cost_of(PAIRS_PICTURE, PAIRS, SMALL_SIDE).shared.atomic.wavefronts;
    const uint64_t shuffled = cost_of(PAIRS_SHUFFLED, PAIRS, SMALL_SIDE).shared.atomic.wavefronts;
    expect_at_most(smooth, "wavefronts of shared atomics on a smooth picture", 2 * shuffled,
                   "lanes that read distant pixels meet little more often than on the same pixels "
                   "shuffled: 2 x %s",
                   grouped(shuffled));
}
