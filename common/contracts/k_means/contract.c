/* contract.c - what the judge knows of k_means(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include "exact_steps.h"

/* Of so many coordinates: points of three, two or one. */
static struct input draw_clusters(uint64_t seed, size_t length)
{
    const unsigned int dimensions = length % 3 == 0 && length > 0 ? 3 : length % 2 == 0 ? 2 : 1;
    return points_drawn(
        &(struct drawn_case){POINTS_UNIFORM, length / dimensions, {dimensions, 5, 1}}, seed);
}

/* A step looks at each centroid for each point, and at each part of the sums. */
static uint64_t limit_of_clusters(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000, A_SUM = 16, AN_OUTPUT = 4096 };
    const struct outputs at = outputs_of(call->length, call->more);
    const uint64_t most = at.clusters < 4096 ? at.clusters : 4096;
    return AT_LEAST +
           (call->more[STEPS] + 1) * (call->length * A_SUM * (most + 4) + AN_OUTPUT * at.sums);
}

/* An output is a float or a whole number: bits that are no ordinary float are shown as a number. */
static void shapes_of_clusters(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape){4, 4, 1, {{"coordinate", FIELD_FLOAT, 0, 32}}};
    *output = (struct shape){4, 4, 1, {{"output", FIELD_FLOAT, 0, 32}}};
}

/* How the far end is looked at. */
static void look_far_clusters(struct far_plan *plan)
{
    plan->limits.laps = 2;
}

const struct contract k_means_contract = {
    .words = {.function = "k_means()",
              .unit = "coordinate",
              .units = "coordinates",
              .input = "points",
              .output = "result",
              .output_is = "the result is",
              .by_kernel = "the points have to be grouped by kernels, on the device",
              .when_empty = "without points the grid has 0 blocks, which CUDA refuses; but the "
                            "counts and the number of steps have to be set"},
    .oracle = clusters_oracle,
    .may_hold = clusters_may_hold,
    .say = clusters_say,
    .causes = &causes_of_clusters,
    .compare = clusters_compare,
    .outputs = "outputs",
    .name_output = clusters_name,
    .longest_part = 1 << 18,
    .draw = draw_clusters,
    .shapes = shapes_of_clusters,
    .guard = 1e9f, /* each would move a centroid far away */
    .limit = limit_of_clusters,
    .look_far = look_far_clusters,
};
