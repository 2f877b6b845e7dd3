/* contract.c - what the judge knows of reduce_by_index(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "elements.h"
#include "grouped.h"
#include "oracle.h"
#include "placed.h"
#include "measure.h"

static uint64_t counted_of_elements(const struct oracle *oracle)
{
    uint64_t sum = 0;
    for (size_t bin = 0; bin < oracle->num_bins; bin++)
        sum += oracle->came[bin];
    return sum;
}

/* "bin 3", or "histogram 7, bin 3" of a batch. */
static const char *name_of_bin(const struct input *input, size_t bin)
{
    static char name[80];
    const size_t bins = input->batch > 0 ? input->num_bins / input->batch : bin + 1;
    if (input->batch > 0)
        snprintf(name, sizeof name, "histogram %s, bin %s", grouped(bin / bins),
                 grouped(bin % bins));
    else
        snprintf(name, sizeof name, "bin %s", grouped(bin));
    return name;
}

/* Appends lines, "\n  bin 3: should hold 12, holds 11". */
static void list_bins(const struct difference *d, char *message, size_t size)
{
    enum { LISTED = 4, A_BIN = 128 };
    const size_t bytes = operation_bin_bytes(d->oracle->operation);
    size_t listed = 0;
    for (size_t bin = d->first; bin < d->oracle->num_bins && listed < LISTED; bin++) {
        char should[A_BIN], holds[A_BIN];
        const unsigned char *held = d->held + bin * bytes;
        if (elements_may_hold(d->oracle, bin, held))
            continue;
        elements_say(d->oracle, bin, held, should, holds, A_BIN);
        const size_t used = strlen(message);
        snprintf(message + used, size - used, "\n  %s: should hold %s, holds %s",
                 name_of_bin(d->input, bin), should, holds);
        listed++;
    }
    if (d->wrong > LISTED)
        strncat(message, "\n  and so on", size - strlen(message) - 1);
}

static void explain_elements(const struct difference *d, char *message, size_t size)
{
    snprintf(message, size, "wrong on %s: %s of %s bins; likeliest cause: %s", d->input->name,
             grouped(d->wrong), grouped(d->oracle->num_bins), d->cause);
    list_bins(d, message, size);
}

enum { BINS_OF_IT = 31 }; /* an ordinary input has so many */

static struct input draw_elements(uint64_t seed, size_t length)
{
    return input_of_keys(KEYS_UNIFORM, seed, length, BINS_OF_IT);
}

uint64_t keys_far_budget(void)
{
    enum { EQUAL = 509, FEW = 8, MUCH = 12 * 1000 * 1000, LITTLE = 300 * 1000 };
    struct measurement seen;
    struct input input = input_of_keys(KEYS_SINGLE, 1, EQUAL, BINS_OF_IT);
    const bool ran = place_and_measure(&input, &seen);
    input_free(&input);
    return ran && lanes_of(&seen.counters) < FEW * EQUAL ? MUCH : LITTLE;
}

static uint64_t larger_elements(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static void print_copies(FILE *file, const struct input *input, const struct measurement *cost)
{
    const uint64_t touched = cost->elsewhere.addresses + cost->shared.addresses;
    fprintf(file, "%.4g", (double)touched / (double)(input->num_bins > 0 ? input->num_bins : 1));
}

static void print_most_meeting(FILE *file, const struct input *input,
                               const struct measurement *cost)
{
    (void)input;
    fprintf(file, "%" PRIu64,
            larger_elements(cost->bins.most_meeting, larger_elements(cost->elsewhere.most_meeting,
                                                                     cost->shared.most_meeting)));
}

static const struct count columns[] = {
    {"operation", {0}, print_operation},
    {"passes", {0}, print_passes},
    {"attempts", {OF(updates.attempts)}, NULL},
    {"locks", {OF(updates.locks)}, NULL},
    {"copies", {0}, print_copies},
    {"most_meeting", {0}, print_most_meeting},
    {"global_atomics", {OF(bins.atomic.lanes), OF(elsewhere.atomic.lanes)}, NULL},
    {"atomics_on_bins", {OF(bins.atomic.lanes)}, NULL},
    {"shared_atomics", {OF(shared.atomic.lanes)}, NULL},
    {"votes", {OF(counters.votes)}, NULL},
    {"blocks", {OF(blocks)}, NULL},
    {"threads_per_block", {OF(threads_per_block)}, NULL},
    {NULL, {0}, NULL},
};

static const struct count costs[] = {
    {"global atomics on the bins", {OF(bins.atomic.lanes)}, NULL},
    {"global atomics elsewhere", {OF(elsewhere.atomic.lanes)}, NULL},
    {"shared atomics", {OF(shared.atomic.lanes)}, NULL},
    {"stores", {OF(bins.store.lanes), OF(elsewhere.store.lanes), OF(shared.store.lanes)}, NULL},
    {"loads of elements", {OF(elements.load.lanes)}, NULL},
    {NULL, {0}, NULL},
};

/* Sets an element that has a bin, and a value that would be seen. */
static void set_guard_elements(struct input *before, size_t i)
{
    element_set(before, i, 0, ONE | 0xffff, 0);
}

static void shapes_of_elements(enum operation operation, struct shape *unit, struct shape *output)
{
    static const struct shape
        key = {4, 4, 1, {{"key", FIELD_UNSIGNED, 0, 32}}},
        key_and_float = {8, 8, 2, {{"key", FIELD_UNSIGNED, 0, 32}, {"value", FIELD_FLOAT, 32, 32}}},
        key_and_number = {8,
                          8,
                          2,
                          {{"key", FIELD_UNSIGNED, 0, 32}, {"value", FIELD_UNSIGNED, 32, 32}}},
        packed = {8,
                  8,
                  3,
                  {{"key", FIELD_UNSIGNED, 0, 22},
                   {"value", FIELD_UNSIGNED, 22, 16},
                   {"index", FIELD_UNSIGNED, 38, 26}}};
    static const struct shape of_bins[OPERATIONS] = {
        [COUNT] = {4, 4, 1, {{"count", FIELD_UNSIGNED, 0, 32}}},
        [SATURATE] = {4, 4, 1, {{"count", FIELD_UNSIGNED, 0, 32}}},
        [FLOAT_SUM] = {4, 4, 1, {{"sum", FIELD_FLOAT, 0, 32}}},
        [WIDE_SUM] = {8, 8, 1, {{"sum", FIELD_UNSIGNED, 0, 64}}},
        [ARGMAX] = {8, 8, 2, {{"value", FIELD_UNSIGNED, 0, 32}, {"index", FIELD_UNSIGNED, 32, 32}}},
        [VECTOR_SUM] = {32,
                        4,
                        8,
                        {{"sum[0]", FIELD_FLOAT, 0, 32},
                         {"sum[1]", FIELD_FLOAT, 32, 32},
                         {"sum[2]", FIELD_FLOAT, 64, 32},
                         {"sum[3]", FIELD_FLOAT, 96, 32},
                         {"sum[4]", FIELD_FLOAT, 128, 32},
                         {"sum[5]", FIELD_FLOAT, 160, 32},
                         {"sum[6]", FIELD_FLOAT, 192, 32},
                         {"sum[7]", FIELD_FLOAT, 224, 32}}},
        [MINMAX] = {16, 8, 2, {{"smallest", FIELD_FLOAT, 0, 64}, {"largest", FIELD_FLOAT, 64, 64}}},
    };
    *output = of_bins[operation];
    *unit = operation == COUNT || operation == SATURATE ? key
            : operation == WIDE_SUM                     ? key_and_number
            : operation == ARGMAX                       ? packed
                                                        : key_and_float;
}

/* Says how the far end is looked at. */
static void look_far_elements(struct far_plan *plan)
{
    plan->limits = (struct far_limits){.laps = 3, .most = 3 * 1000 * 1000, .much = 6 * 1000 * 1000};
    plan->budget = keys_far_budget();
}

const struct contract reduce_by_index_contract = {
    .words = {.function = "reduce_by_index()",
              .unit = "element",
              .units = "elements",
              .input = "elements",
              .done = "combined",
              .output = "bins",
              .output_is = "the bins hold",
              .begins_with = "neutral()",
              .by_kernel = "the elements have to be combined by a kernel, on the device",
              .when_empty = "without elements the grid has 0 blocks, which CUDA refuses; return "
                            "before the launch"},
    .oracle = elements_oracle,
    .may_hold = elements_may_hold,
    .say = elements_say,
    .causes = &causes_of_elements,
    .has_operation = true,
    .explain = explain_elements,
    .counted = counted_of_elements,
    .costs = costs,
    .longest_part = 1 << 16,
    .looks_again = true,
    .later_schedules = 2,
    .calls = 4,
    .draw = draw_elements,
    .has_bins = true,
    .columns = columns,
    .shapes = shapes_of_elements,
    .set_guard = set_guard_elements,
    .look_far = look_far_elements,
};
