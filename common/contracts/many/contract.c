/* contract.c - what rows say of histogram_many() and histogram_file(): see contract.h. */
#include "contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "must_have.h"

struct oracle {
    uint64_t bins[NUM_BINS];
};

static struct oracle *expect(const struct input *input)
{
    struct oracle *oracle = must_have(malloc(sizeof *oracle), "to count what a kernel should");
    letters_count(input->values, 0, input->length, oracle->bins);
    return oracle;
}

static void forget(struct oracle *oracle)
{
    free(oracle);
}

static bool compare(struct difference *d)
{
    uint64_t held[NUM_BINS];
    memcpy(held, d->held, sizeof held);
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        d->wrong += held[bin] != d->oracle->bins[bin];
    return d->wrong == 0;
}

static void explain(const struct difference *d, char *message, size_t size)
{
    uint64_t held[NUM_BINS];
    memcpy(held, d->held, sizeof held);
    snprintf(message, size, "wrong on %s: %zu of %d bins", d->input->name, d->wrong, NUM_BINS);
    letters_list_wrong(d->oracle->bins, held, message, size);
}

static void print_columns(FILE *file, const struct input *input, const struct measurement *cost)
{
    const struct sim_counters *of = &cost->counters;
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t numbers[] = {cost->together.units,
                                of->launches,
                                cost->together.copied_bytes,
                                cost->together.most_copied_bytes,
                                cost->together.collectives,
                                cost->together.collective_bytes,
                                of->global[SIM_RED].lanes + of->global[SIM_ATOM].lanes,
                                of->shared[SIM_RED].lanes + of->shared[SIM_ATOM].lanes,
                                of->blocks,
                                (uint64_t)shape.block[0] * shape.block[1] * shape.block[2]};
    (void)input;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(file, ",%" PRIu64, numbers[i]);
}

const struct contract contract = {
    .words = {.function = "histogram_many()", .units = "characters", .input = "text"},
    .expect = expect,
    .forget = forget,
    .compare = compare,
    .explain = explain,
    .has_bins = true,
    .columns = ",devices,launches,copied_bytes,most_copied_bytes,collectives,collective_bytes"
               ",global_atomics,shared_atomics,blocks,threads_per_block",
    .print_columns = print_columns,
};
