/* contract.c - what the judge knows of joint_histogram(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <stdio.h>

#include "exact_bins.h"
#include "float_sum.h"
#include "grouped.h"
#include "kernel_process.h"
#include "random_numbers.h"
#include "traffic.h"

const char kernel_function[] = "joint_histogram()";

static bool compare(struct difference *d)
{
    d->wrong = bins_wrong(d->oracle, d->held, &d->first);
    return d->wrong == 0 && bins_total_fits(d->oracle, bins_total(d->oracle, d->held));
}

static void say(const struct oracle *oracle, size_t bin, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    snprintf(should, size, "%.9g", bins_right(oracle, bin));
    snprintf(holds, size, "%.9g", (double)float_at(held));
}

static void explain(const struct difference *d, char *message, size_t size)
{
    enum { A_BIN = 40 };
    char should[A_BIN], holds[A_BIN];
    const int used = snprintf(message, size, "wrong on %s: ", d->input->name);
    message += used;
    size -= (size_t)used;
    if (d->wrong == 0) {
        snprintf(message, size, "all bins together are %.9g, not %s; likeliest cause: %s",
                 bins_total(d->oracle, d->held), grouped(d->oracle->counted), d->cause);
        return;
    }
    say(d->oracle, d->first, d->held + d->first * sizeof(float), should, holds, A_BIN);
    if (d->first >= d->oracle->bins) {
        snprintf(message, size,
                 "%s of %s slopes; likeliest cause: %s\n  slope of pair %zu: should be %s, is %s",
                 grouped(d->wrong), grouped(d->oracle->outputs - d->oracle->bins), d->cause,
                 d->first - d->oracle->bins, should, holds);
        return;
    }
    snprintf(message, size,
             "%s of %s bins; likeliest cause: %s\n  bin [%zu][%zu] (y, x): should be %s, is %s; "
             "%s pairs touch it",
             grouped(d->wrong), grouped(d->oracle->bins), d->cause, d->first / d->oracle->sides.x,
             d->first % d->oracle->sides.x, should, holds, grouped(d->oracle->touching[d->first]));
}

static struct input draw(uint64_t seed, size_t length)
{
    return input_of(PAIRS_UNIFORM, seed, length, (struct sides){16, 11});
}

static uint64_t counted(const struct oracle *oracle)
{
    return oracle->counted;
}

/* 16 additions for a pair, and what it takes to clear, commit and store bins. */
static uint64_t limit(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000, A_PAIR = 256, A_BIN = 2048 };
    return AT_LEAST + A_PAIR * call->length + A_BIN * call->num_bins;
}

static size_t pair_bytes(enum operation operation)
{
    (void)operation;
    return 2 * sizeof(float);
}

/* Each would be counted. */
static void set_guard(struct input *before, size_t i)
{
    const float coordinate = 1.5f;
    uint32_t bits;
    memcpy(&bits, &coordinate, sizeof bits);
    input_set_bits(before, 2 * i, bits);
    input_set_bits(before, 2 * i + 1, bits);
}

/* More than any bin of a test holds. */
static void draw_before(unsigned char *output)
{
    static uint64_t state;
    const float drawn = 1048576.5f + (float)random_below(&state, 1 << 12);
    memcpy(output, &drawn, sizeof drawn);
}

static uint64_t schedules(const struct input *input, uint64_t accesses, uint64_t most)
{
    return work_schedules(input, accesses, most, 1 << 17, SIZE_MAX);
}

static const struct count columns[] = {COLUMNS_OF_APPLICATIONS, {NULL, {0}, NULL}};

static const struct count costs[] = {
    {"global atomics", {OF(elsewhere.atomic.lanes), OF(bins.atomic.lanes)}, NULL},
    {"shared atomics", {OF(shared.atomic.lanes)}, NULL},
    {"loads of coordinates", {OF(elements.load.lanes)}, NULL},
    {NULL, {0}, NULL},
};

const struct layout layout = {.unit = "pair",
                              .sets = true,
                              .unit_bytes = pair_bytes,
                              .arrays = 2,
                              .set_guard = set_guard,
                              .draw_before = draw_before,
                              .limit = limit};

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
                            "bins have to become 0",
              .sizeof_longest = "34 GB of coordinates"},
    .expect = bins_exact,
    .forget = bins_free,
    .compare = compare,
    .causes = likely_causes,
    .explain = explain,
    .may_hold = bins_may_hold,
    .say = say,
    .counted = counted,
    .costs = costs,
    .longest_part = 1 << 18,
    .schedules = schedules,
    .always_turns = true,
    .calls = 8,
    .draw = draw,
    .ordinary = 8191,
    .far_limits = {.laps = 1 << 16, .most = 40 * 1000 * 1000, .much = 20 * 1000 * 1000},
    .far_most = 100 * 1000 * 1000,
    .columns = columns,
    .race_shift = 1,
};
