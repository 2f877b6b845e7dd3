/* contract.c - what the judge knows of joint_histogram(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <stdio.h>

#include "exact_bins.h"

static bool compare(struct difference *d)
{
    d->wrong = wrong_outputs(d->oracle, d->held, d->oracle->outputs, &d->first);
    return d->wrong == 0 && bins_total_fits(d->oracle, d->held);
}

void oracle_say(const struct oracle *oracle, size_t bin, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    snprintf(should, size, "%.9g", oracle->right[bin]);
    snprintf(holds, size, "%.9g", float_at(held, 0));
}

static void name_output(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    if (i >= oracle->bins)
        snprintf(name, size, "slope of pair %zu", i - oracle->bins);
    else
        snprintf(name, size, "bin [%zu][%zu] (y, x)", i / oracle->sides.x, i % oracle->sides.x);
}

static struct input draw(uint64_t seed, size_t length)
{
    return input_drawn(&(struct drawn_case){PAIRS_UNIFORM, length, {16, 11}}, seed);
}

static uint64_t counted(const struct oracle *oracle)
{
    return oracle->counted;
}

const struct layout layout = {.unit = "pair",
                              .sets = true,
                              .bytes = 2 * sizeof(float),
                              .arrays = 2,
                              .guard = 1.5f,    /* each pair would be counted */
                              .accesses = 256}; /* 16 additions for a pair */

/* A warp that reads distant pairs comes to the last part of x or y, and back to the first, with each tile: such
 * a step back is no lap. */
const struct contract contract = {
    .words = {.function = "joint_histogram()",
              .units = "pairs",
              .input = "coordinates",
              .output = "bins",
              .output_is = "the bins are",
              .by_kernel = "the pairs have to be counted by kernels, on the device",
              .when_empty = "without pairs the grid has 0 blocks, which CUDA refuses; but the "
                            "bins have to become 0"},
    .causes = &causes_of_joint,
    .compare = compare,
    .outputs = "bins",
    .name_output = name_output,
    .counted = counted,
    .longest_part = 1 << 18,
    .large_grid = 1 << 17,
    .draw = draw,
    .far_limits = {.laps = 1 << 16},
    .far_threads = 1 << 22, /* a pair takes 16 atomics */
};
