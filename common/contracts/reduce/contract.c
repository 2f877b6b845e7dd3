/* contract.c - what the judge knows of reduce(): see contract.h; and how inputs lie in memory. */
#include "result.h"

#include <math.h>
#include <stdio.h>

#include "contract.h"
#include "grouped.h"
#include "placed.h"
#include "random_numbers.h"
#include "values.h"

double result_number(enum operation operation, const unsigned char *held)
{
    if (operation == FLOAT_SUM)
        return float_at(held, 0);
    if (operation == DOT) /* two floats' product is a double, exactly */
        return float_at(held, 0) * float_at(held, 1);
    return word_at(held, 0);
}

static void add_integer_values(struct oracle *oracle, uint32_t number, uint64_t times)
{
    oracle->sum += number * times;
    if (oracle->operation == SUM)
        oracle->number += (uint32_t)(number * times);
    else if (number > oracle->number)
        oracle->number = number;
}

bool result_is_float(enum operation operation)
{
    return operation == FLOAT_SUM || operation == DOT;
}

struct oracle result_if(const struct input *input, const struct hypothesis *hypothesis)
{
    struct oracle oracle = {.operation = input->operation};
    const size_t bytes = operation_bin_bytes(oracle.operation);
    const uint64_t times = hypothesis->times > 0 ? hypothesis->times : 1;
    for (size_t i = 0; i < input->length; i++) {
        const unsigned char *value = input->values + i * bytes;
        if (!is_read(hypothesis, i))
            continue;
        oracle.length += times;
        if (result_is_float(oracle.operation))
            float_sum_add(&oracle.floats, (double)times * result_number(oracle.operation, value));
        else
            add_integer_values(&oracle, word_at(value, 0), times);
    }
    return oracle;
}

struct oracle result_of(const struct input *input)
{
    return result_if(input, &(struct hypothesis){.rule = 0});
}

double result_bound(const struct oracle *oracle, double depth)
{
    const double length = (double)oracle->length, most = length - 1;
    const double roundings = (depth < most ? depth : most) + (oracle->operation == DOT);
    return float_sum_bound(&oracle->floats, roundings, length);
}

bool result_agrees(const struct oracle *oracle, const unsigned char *held, double bound)
{
    if (!result_is_float(oracle->operation))
        return word_at(held, 0) == oracle->number;
    return float_sum_agrees(&oracle->floats, result_number(oracle->operation, held), bound);
}

void result_say_expected(const struct oracle *oracle, char *text, size_t size)
{
    if (!result_is_float(oracle->operation))
        snprintf(text, size, "%s", grouped(oracle->number));
    else if (!float_sum_say_special(&oracle->floats, text, size))
        snprintf(text, size, "%.9g", oracle->floats.sum);
}

void result_say_held(const struct oracle *oracle, const unsigned char *held, char *text,
                     size_t size)
{
    if (oracle->operation == DOT)
        snprintf(text, size, "(%.9g, %.9g)", float_at(held, 0), float_at(held, 1));
    else if (oracle->operation == FLOAT_SUM)
        snprintf(text, size, "%.9g", float_at(held, 0));
    else
        snprintf(text, size, "%s", grouped(word_at(held, 0)));
}

static struct oracle *values_oracle(const struct input *input)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    *oracle = result_of(input);
    return oracle;
}

/* A value may pass through so many additions in every kernel: those of a tree over 2^32 values, and as many again. */
enum { DEPTH_OF_ANY = 64 };

/* How many additions a value passes through in the kernel at hand, by how it shares the work, for which reduce() runs
 * once, watched. A thread adds the values that it reads; the threads of a block add theirs, in the worst case one
 * after the other; and each warp of the grid adds to the result by itself. So a kernel with a tree in between, which
 * has far fewer, is never near the bound; and a thread or an address to which all values come one by one is beyond it,
 * unless it is the only thread. A real GPU counts nothing, and there any order is right. */
static double depth_of_kernel(const struct input *input)
{
    enum { WARP = 32 };
    struct measurement seen;
    if (!place_and_measure(input, &seen))
        return (double)input->length;
    return (double)(seen.most_by_thread + seen.threads_per_block + seen.threads / WARP +
                    DEPTH_OF_ANY);
}

/* The shape of a kernel is asked for only where rounding may explain what is off. */
static double bound_of(const struct difference *d)
{
    const struct oracle *oracle = d->oracle;
    const double strict = result_bound(oracle, DEPTH_OF_ANY);
    if (result_agrees(oracle, d->held, strict))
        return strict;
    if (!result_agrees(oracle, d->held, result_bound(oracle, (double)oracle->length)))
        return strict;
    return result_bound(oracle, depth_of_kernel(d->input));
}

static bool compare_values(struct difference *d)
{
    if (d->bound == 0)
        d->bound = bound_of(d);
    d->wrong = !result_agrees(d->oracle, d->held, d->bound);
    return d->wrong == 0;
}

/* Threads share the values, so that none passes through nearly all additions; what the kernel did
 * would tell through how many. */
static bool values_may_hold(const struct oracle *oracle, size_t unused, const unsigned char *held)
{
    enum { A_FEW = 128, LEAST_THREADS = 32 };
    (void)unused;
    return result_agrees(oracle, held,
                         result_bound(oracle, A_FEW + (double)oracle->length / LEAST_THREADS));
}

static void values_say(const struct oracle *oracle, size_t unused, const unsigned char *held,
                       char *should, char *holds, size_t size)
{
    (void)unused;
    result_say_expected(oracle, should, size);
    result_say_held(oracle, held, holds, size);
}

static void explain_values(const struct difference *d, char *message, size_t size)
{
    enum { A_VALUE = 80 };
    char should[A_VALUE], holds[A_VALUE], give[A_VALUE] = "";
    values_say(d->oracle, 0, d->held, should, holds, A_VALUE);
    if (d->bound > 0 && isfinite(d->bound))
        snprintf(give, sizeof give, ", give or take %.3g", d->bound);
    snprintf(message, size, "wrong on %s: should be %s%s, is %s; likeliest cause: %s",
             d->input->name, should, give, holds, d->cause);
}

static struct input draw_values(uint64_t seed, size_t length)
{
    return input_of_values(VALUES_SMALL, seed, length);
}

static const struct count columns[] = {
    {"operation", {0}, print_operation},
    {"passes", {0}, print_passes},
    {"launches", {OF(launches)}, NULL},
    {"cooperative_launches", {OF(cooperative_launches)}, NULL},
    {"grid_barriers", {OF(grid_barriers)}, NULL},
    {"barriers_a_block", {OF(most_barriers)}, NULL},
    {"shared_words", {OF(most_words)}, NULL},
    {"bank_conflicts", {OF(conflicts)}, NULL},
    {"shuffles", {OF(shuffles)}, NULL},
    {"global_atomics", {OF(result.atomic.lanes), OF(elsewhere.atomic.lanes)}, NULL},
    {"atomics_on_result", {OF(result.atomic.lanes)}, NULL},
    {"shared_atomics", {OF(shared.atomic.lanes)}, NULL},
    {"reading_threads", {OF(threads)}, NULL},
    {"blocks", {OF(blocks)}, NULL},
    {"threads_per_block", {OF(threads_per_block)}, NULL},
    {NULL, {0}, NULL},
};

static const struct count costs[] = {
    {"atomics on the result", {OF(result.atomic.lanes)}, NULL},
    {"global atomics elsewhere", {OF(elsewhere.atomic.lanes)}, NULL},
    {"accesses of shared memory",
     {OF(shared.load.lanes), OF(shared.store.lanes), OF(shared.atomic.lanes)},
     NULL},
    {"loads of values", {OF(values.load.lanes)}, NULL},
    {NULL, {0}, NULL},
};

static void set_guard_values(struct input *before, size_t i)
{
    enum { ODD = 12345 };
    if (before->operation == MAX)
        value_set(before, i, UINT32_MAX, 0);
    else
        value_set_number(before, i, ODD, 1);
}

static void shapes_of_values(enum operation operation, struct shape *unit, struct shape *output)
{
    *unit = operation == DOT
                ? (struct shape){8, 8, 2, {{"x", FIELD_FLOAT, 0, 32}, {"y", FIELD_FLOAT, 32, 32}}}
            : operation == FLOAT_SUM ? (struct shape){4, 4, 1, {{"value", FIELD_FLOAT, 0, 32}}}
                                     : (struct shape){4, 4, 1, {{"value", FIELD_UNSIGNED, 0, 32}}};
    *output = *unit;
}

/* A block of the largest grid that just fits a device has a share of 16 million values, which takes a second; in a
 * smaller grid it never comes to the end. A thread may go back once, from a rest to the beginning. One that goes back
 * twice began anew. */
static void look_far_values(struct far_plan *plan)
{
    plan->limits.laps = 2;
}

const struct contract reduce_contract = {
    .words = {.function = "reduce()",
              .unit = "value",
              .units = "values",
              .input = "array",
              .done = "combined",
              .output = "result",
              .output_is = "the result is",
              .begins_with = "neutral()",
              .by_kernel = "the values have to be reduced by a kernel, on the device",
              .when_empty = "without values the grid has 0 blocks, which CUDA refuses; but the "
                            "result has to become neutral()"},
    .oracle = values_oracle,
    .may_hold = values_may_hold,
    .say = values_say,
    .causes = &causes_of_values,
    .has_operation = true,
    .looks_again = true,
    .compare = compare_values,
    .explain = explain_values,
    .costs = costs,
    .longest_part = 1 << 18,
    .later_schedules = 4,
    .calls = 50,
    .draw = draw_values,
    .columns = columns,
    .shapes = shapes_of_values,
    .sets = true,
    .set_guard = set_guard_values,
    .look_far = look_far_values,
};
