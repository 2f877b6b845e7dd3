/* 70_k_means.c - the exercise of chapter 70: a step in one launch.
 *
 * Operations: float_sum */
#include "exact_steps.h"
#include "expect_right_on.h"

enum { POINTS = 2048, MORE = 3 };

static uint64_t launches_of(unsigned int dimensions, unsigned int clusters, unsigned int steps)
{
    struct input input = points_drawn(
        &(struct drawn_case){POINTS_UNIFORM, POINTS, {dimensions, clusters, steps}}, 1);
    operation_choose(0);
    set_multiprocessors(2);
    struct measurement cost = measure_input(&input);
    input_free(&input);
    expect_exactly(cost.grid_barriers, "times that the grid waited for itself", 0,
                   "who is not the last leaves; times");
    return cost.launches;
}

/* Few sums, and many: catches a second kernel for the centroids. */
Test(further70, launches_one_kernel_a_step)
{
    const uint64_t few = launches_of(3, 16, 1 + MORE) - launches_of(3, 16, 1);
    const uint64_t many = launches_of(4, 200, 1 + MORE) - launches_of(4, 200, 1);
    expect_at_most(few, "launches for three steps", MORE,
                   "the last block of a step makes the centroids: 3 x 1");
    expect_at_most(many, "launches for three steps, with 200 clusters", MORE,
                   "the last block of a step makes the centroids: 3 x 1");
    technique_is("%s launches for %d steps", grouped(few), MORE);
}
