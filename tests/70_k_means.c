/* 70_k_means.c - right, and each step reads the points once, in two launches, and adds to sums of the
 * block where they are few.
 *
 * Operations: float_sum */
#include "exact_steps.h"
#include "expect_right_on.h"

#include "random_numbers.h"

enum { POINTS = 8192, STEPS_MORE = 2, SECTOR = 32 };

/* What two further steps cost: not what comes before the first one. */
static struct measurement cost_of(unsigned int points, unsigned int dimensions,
                                  unsigned int clusters, unsigned int steps)
{
    operation_choose(0);
    set_multiprocessors(2);
    struct input input = points_drawn(
        &(struct drawn_case){POINTS_UNIFORM, points, {dimensions, clusters, steps}}, 1);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    return cost;
}

struct step_cost {
    uint64_t sectors, launches, atomics;
    struct measurement all; /* of the longer run */
};

static struct step_cost cost_of_two_steps(unsigned int points, unsigned int dimensions,
                                          unsigned int clusters)
{
    const struct measurement one = cost_of(points, dimensions, clusters, 1);
    const struct measurement more = cost_of(points, dimensions, clusters, 1 + STEPS_MORE);
    return (struct step_cost){more.elements.load.sectors - one.elements.load.sectors,
                              more.launches - one.launches,
                              more.elsewhere.atomic.lanes + more.bins.atomic.lanes -
                                  one.elsewhere.atomic.lanes - one.bins.atomic.lanes,
                              more};
}

static void expect_read_once(const struct step_cost *cost, size_t points, unsigned int dimensions)
{
    const uint64_t least = STEPS_MORE * points * dimensions * sizeof(float) / SECTOR;
    expect_at_most(cost->sectors, "sectors of points in two steps", least + least / 50,
                   "a step that assigns and updates reads each of %s points once: 2 x 4 n d / 32 "
                   "= %s, and 2%% more",
                   grouped(points), grouped(least));
    expect_at_least(cost->sectors, "sectors of points in two steps", least,
                    "each step has to read all points: 2 x 4 n d / 32");
}

/* Catches a kernel that assigns and another that updates, each of which reads the points; lanes that read a
 * point each, 4 d bytes apart; and the same where sums lie in the L2 cache. */
Test(chapter70, reads_the_points_once_a_step)
{
    const struct step_cost few = cost_of_two_steps(POINTS, 3, 16);
    expect_read_once(&few, POINTS, 3);
    const struct step_cost wide = cost_of_two_steps(POINTS / 64, 256, 5);
    expect_read_once(&wide, POINTS / 64, 256);
    const struct step_cost many = cost_of_two_steps(POINTS / 16, 8, 300);
    expect_read_once(&many, POINTS / 16, 8);
    technique_is("%s sectors of points for %s points in two steps, %s atomics, %s launches",
                 grouped(few.sectors), grouped(POINTS), grouped(few.atomics),
                 grouped(few.launches));
}

static void expect_private_sums(unsigned int dimensions, unsigned int clusters)
{
    enum { LEAST_PART = 128 };
    const struct step_cost cost = cost_of_two_steps(POINTS, dimensions, clusters);
    const unsigned int sums = clusters * dimensions;
    expect_at_most(cost.atomics, "global atomics in two steps",
                   STEPS_MORE * (POINTS / LEAST_PART) * (sums + clusters + 1),
                   "a block with a part of %s points or more commits %s sums, %s counts, and what "
                   "has changed: 2 x %s / %s x %s (d %u, DRAW=%llu)",
                   grouped(LEAST_PART), grouped(sums), grouped(clusters), grouped(POINTS),
                   grouped(LEAST_PART), grouped(sums + clusters + 1), dimensions,
                   (unsigned long long)run_draw());
}

/* A block has sums of its own, and commits each of them once. Catches sums by atomics in the cache; and a kernel that
 * has private sums for some numbers of clusters and dimensions only. */
Test(chapter70, adds_to_sums_of_the_block_where_they_are_few)
{
    uint64_t state = run_draw();
    expect_private_sums(3, 16);
    expect_private_sums(2 + random_below(&state, 3), 12 + random_below(&state, 6));
}

/* Catches a host that waits for the number of changed labels, and a third launch. */
Test(chapter70, launches_two_kernels_a_step_and_copies_nothing)
{
    const struct step_cost few = cost_of_two_steps(POINTS / 8, 3, 16);
    const struct step_cost many = cost_of_two_steps(POINTS / 16, 8, 300);
    const struct step_cost *const costs[] = {&few, &many};
    for (size_t i = 0; i < 2; i++) {
        expect_at_most(costs[i]->launches, "launches for two steps", 2 * STEPS_MORE,
                       "one assigns and adds, and one makes centroids of the sums: 2 x 2");
        expect_exactly(costs[i]->all.copies.to_host, "bytes copied to the host", 0,
                       "the flag that stops lies on the device, and nobody waits for it");
        expect_exactly(costs[i]->all.host_visible,
                       "bytes that kernels store where the host reads them", 0,
                       "the flag that stops lies on the device, and nobody waits for it");
    }
}
