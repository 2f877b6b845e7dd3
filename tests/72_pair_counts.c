/* 72_pair_counts.c - right, and each pair is one atomic in shared memory; a tile that is loaded once serves two
 * kinds of pairs.
 *
 * Operations: wide_sum */
#include "exact_pairs.h"
#include "expect_right_on.h"

#include "random_numbers.h"

enum { TILE = 256, ONE_SET = 1, FEW_BINS = 2, USUAL_BINS = 20 };

static struct measurement cost_of(size_t points, unsigned int sets, unsigned int bins)
{
    operation_choose(0);
    set_multiprocessors(2);
    struct input input = sky_drawn(&(struct drawn_case){SKY_CLUSTERS, points, {sets, bins}}, 1);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

/* Of a whole number of tiles, and of a number that this run draws. */
static size_t drawn_points(void)
{
    uint64_t state = run_draw();
    return TILE + 1 + random_below(&state, TILE - 2);
}

static void expect_technique(const struct measurement *cost, size_t points, size_t sets,
                             unsigned int bins)
{
    const uint64_t tiles = (points + TILE - 1) / TILE;
    const uint64_t pairs =
        points * (points - 1) / 2 * (sets + 1) + (uint64_t)points * points * sets;
    expect_exactly(
        cost->shared.atomic.lanes, "shared atomics", pairs,
        "each of the pairs adds 1 to a counter in shared memory: (sets + 1) n (n - 1) / 2 "
        "+ sets n^2 (n = %s, %s sets, DRAW=%llu)",
        grouped(points), grouped(sets), (unsigned long long)run_draw());
    expect_at_most(cost->elements.load.lanes, "loads of points",
                   (sets + 1) * (tiles * points + 2 * points),
                   "a tile of %d points serves %d points of both kinds: n^2 / %d and 2 n for each "
                   "set and the data, of %s points in %s tiles",
                   TILE, TILE, TILE, grouped(points), grouped(tiles));
    expect_at_most(cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes, "global atomics",
                   tiles * (1 + 2 * sets) * (bins + 2),
                   "a block commits each of its counters once: %s rows of DD, and of DR and RR for "
                   "each set, x (bins + 2)",
                   grouped(tiles));
    expect_at_most(cost->blocks, "blocks", (sets + 1) * tiles,
                   "a block has %d points of a set: more blocks load tiles again", TILE);
}

/* Catches counting in global memory, or by several threads for one pair; points that come from global memory for
 * each pair; a tile loaded for DR and again for RR; a commit for each tile; and a kernel that does so for some numbers
 * of points, sets or bins only. */
Test(chapter72, counts_in_shared_memory_from_tiles_that_both_kinds_share)
{
    const size_t drawn = drawn_points();
    const struct measurement two = cost_of(2 * TILE, ONE_SET, FEW_BINS);
    expect_technique(&two, 2 * TILE, ONE_SET, FEW_BINS);
    const struct measurement cost = cost_of(drawn, ONE_SET, USUAL_BINS);
    expect_technique(&cost, drawn, ONE_SET, USUAL_BINS);
    uint64_t state = run_draw();
    const unsigned int sets = 2 + random_below(&state, 2), bins = 3 + random_below(&state, 60);
    const struct measurement more = cost_of(TILE + 1, sets, bins);
    expect_technique(&more, TILE + 1, sets, bins);
    technique_is("%s shared atomics for as many pairs, %s loads of %s points, %s commits",
                 grouped(two.shared.atomic.lanes), grouped(two.elements.load.lanes),
                 grouped(2 * 2 * TILE), grouped(two.bins.atomic.lanes));
}

/* Catches counts that are made elsewhere. */
Test(chapter72, leaves_what_the_shared_counters_hold)
{
    enum { POINTS = 120 };
    operation_choose(0);
    struct input input = sky_drawn(&(struct drawn_case){SKY_CLUSTERS, POINTS, {1, USUAL_BINS}}, 1);
    memset(input.bins, 0, PAIR_KINDS * (USUAL_BINS + 2) * sizeof(uint64_t)); /* no carry */
    const struct measurement cost = measure_input(&input);
    expect_at_least(cost.shared.atomic.lanes, "shared atomics",
                    POINTS * POINTS + POINTS * (POINTS - 1),
                    "a block's counters get one for each counted pair");
    input_free(&input);
}
