/* contract.c - what the judge knows of joint_histogram(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <stdio.h>

#include "exact_bins.h"

static bool compare_pairs(struct difference *d)
{
    d->wrong = wrong_outputs(d, d->held, d->oracle->outputs, &d->first);
    return d->wrong == 0 && bins_total_fits(d->oracle, d->held);
}

void joint_say(const struct oracle *oracle, size_t bin, const unsigned char *held, char *should,
               char *holds, size_t size)
{
    snprintf(should, size, "%.9g", oracle->right[bin]);
    snprintf(holds, size, "%.9g", float_at(held, 0));
}

static void name_output_pairs(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    if (i >= oracle->bins)
        snprintf(name, size, "slope of pair %zu", i - oracle->bins);
    else
        snprintf(name, size, "bin [%zu][%zu] (y, x)", i / oracle->sides.x, i % oracle->sides.x);
}

static struct input draw_pairs(uint64_t seed, size_t length)
{
    return pairs_drawn(&(struct drawn_case){PAIRS_UNIFORM, length, {16, 11}}, seed);
}

static uint64_t counted_of_pairs(const struct oracle *oracle)
{
    return oracle->counted;
}

/* All x come first: two coordinates side by side are a unit. */
static void shapes_of_pairs(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape){
        8, 4, 2, {{"coordinate", FIELD_FLOAT, 0, 32}, {"next one", FIELD_FLOAT, 32, 32}}};
    *output = (struct shape){4, 4, 1, {{"bin", FIELD_FLOAT, 0, 32}}};
}

/* A warp that reads distant pairs comes to the last part of x or y, and back to the first, with each tile: such
 * a step back is no lap. A pair takes 16 atomics. */
static void look_far_pairs(struct far_plan *plan)
{
    plan->limits.laps = 1 << 16;
    plan->threads = 1 << 22;
}

const struct contract joint_histogram_contract = {
    .words = {.function = "joint_histogram()",
              .unit = "pair",
              .units = "pairs",
              .input = "coordinates",
              .output = "bins",
              .output_is = "the bins are",
              .by_kernel = "the pairs have to be counted by kernels, on the device",
              .when_empty = "without pairs the grid has 0 blocks, which CUDA refuses; but the "
                            "bins have to become 0"},
    .oracle = joint_oracle,
    .may_hold = joint_may_hold,
    .say = joint_say,
    .causes = &causes_of_joint,
    .compare = compare_pairs,
    .outputs = "bins",
    .name_output = name_output_pairs,
    .counted = counted_of_pairs,
    .longest_part = 1 << 18,
    .draw = draw_pairs,
    .shapes = shapes_of_pairs,
    .sets = true,
    .guard = 1.5f,   /* each pair would be counted */
    .accesses = 256, /* 16 additions for a pair */
    .look_far = look_far_pairs,
};
