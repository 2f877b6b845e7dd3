/* 72_pair_counts.c - the exercise of chapter 72: a point of a tile serves four pairs.
 *
 * Operations: wide_sum */
#include "exact_pairs.h"
#include "expect_right_on.h"

enum { POINTS = 512, ONE_SET = 1, FEW_BINS = 2, TABLE = 8192 };

/* Catches a thread with one point of each kind, which loads each point of a tile for two pairs; and with two in
 * DR alone. */
Test(further72, loads_a_point_of_the_tile_for_four_pairs)
{
    operation_choose(0);
    set_multiprocessors(2);
    struct input input =
        sky_drawn(&(struct drawn_case){SKY_CLUSTERS, POINTS, {ONE_SET, FEW_BINS}}, 1);
    const struct measurement cost = measure_input(&input);
    const uint64_t square = (uint64_t)POINTS * POINTS, pairs = 2 * square - POINTS;
    input_free(&input);
    expect_exactly(cost.shared.atomic.lanes, "shared atomics", pairs, "one for each pair");
    expect_at_most(
        cost.shared.load.lanes, "loads from shared memory",
        pairs + (ONE_SET + 1) * square / 2 + TABLE * cost.blocks,
        "a cell for each pair, n^2 / 2 points of tiles for the data and for each set, and "
        "%s in each block for its table",
        grouped(TABLE));
    technique_is("%s loads from shared memory for %s pairs", grouped(cost.shared.load.lanes),
                 grouped(pairs));
}
