/* contract.c - what the judge knows of histogram_many() and histogram_file(), in counters of 64 bits: see
 * contract.h. */
#include "contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "letters.h"
#include "many_cases.h"
#include "text_input.h"

struct oracle {
    uint64_t bins[MOST_BINS];
};

struct oracle *units_oracle(const struct input *input)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    letters_count(input->values, 0, input->length, oracle->bins);
    for (unsigned int bin = 0; input->bins && bin < num_bins(); bin++)
        oracle->bins[bin] += ((const uint64_t *)(const void *)input->bins)[bin];
    return oracle;
}

static bool compare_units(struct difference *d)
{
    uint64_t held[MOST_BINS];
    memcpy(held, d->held, num_bins() * sizeof *held);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        d->wrong += held[bin] != d->oracle->bins[bin];
    return d->wrong == 0;
}

static bool units_may_hold(const struct oracle *oracle, size_t bin, const unsigned char *held)
{
    return wide_word_at(held, 0) == oracle->bins[bin];
}

static void units_say(const struct oracle *oracle, size_t bin, const unsigned char *held,
                      char *should, char *holds, size_t size)
{
    snprintf(should, size, "%" PRIu64, oracle->bins[bin]);
    snprintf(holds, size, "%" PRIu64, wide_word_at(held, 0));
}

static void explain_units(const struct difference *d, char *message, size_t size)
{
    uint64_t held[MOST_BINS];
    memcpy(held, d->held, num_bins() * sizeof *held);
    snprintf(message, size, "wrong on %s: %zu of %u bins%s%s", d->input->name, d->wrong, num_bins(),
             d->cause[0] ? "; likeliest cause: " : "", d->cause);
    letters_list_wrong(d->oracle->bins, held, message, size);
}

static void print_threads(FILE *file, const struct input *input, const struct measurement *cost)
{
    const struct sim_launch_shape shape = sim_last_launch();
    (void)input, (void)cost;
    fprintf(file, "%" PRIu64, (uint64_t)shape.block[0] * shape.block[1] * shape.block[2]);
}

static const struct count columns[] = {
    {"devices", {OF(together.units)}, NULL},
    {"launches", {OF(counters.launches)}, NULL},
    {"copied_bytes", {OF(together.copied_bytes)}, NULL},
    {"most_copied_bytes", {OF(together.most_copied_bytes)}, NULL},
    {"collectives", {OF(together.collectives)}, NULL},
    {"collective_bytes", {OF(together.collective_bytes)}, NULL},
    {"global_atomics",
     {OF(counters.global[SIM_RED].lanes), OF(counters.global[SIM_ATOM].lanes)},
     NULL},
    {"shared_atomics",
     {OF(counters.shared[SIM_RED].lanes), OF(counters.shared[SIM_ATOM].lanes)},
     NULL},
    {"blocks", {OF(counters.blocks)}, NULL},
    {"threads_per_block", {0}, print_threads},
    {NULL, {0}, NULL},
};

const uint64_t *oracle_bins(const struct oracle *oracle)
{
    return oracle->bins;
}

static void shapes_of_units(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape)TEXT_SHAPE;
    *output = (struct shape){8, 8, 1, {{"count", FIELD_UNSIGNED, 0, 64}}};
}

const struct contract many_contract = {
    .words = {.function = "histogram_many()",
              .unit = "character",
              .units = "characters",
              .input = "text",
              .output = "bins",
              .output_is = "it counted"},
    .oracle = units_oracle,
    .may_hold = units_may_hold,
    .say = units_say,
    .causes = &causes_of_units,
    .compare = compare_units,
    .explain = explain_units,
    .has_bins = true,
    .columns = columns,
    .shapes = shapes_of_units,
};
