/* contract.c - what the judge knows of histogram(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cards.h"
#include "measure.h"
#include "verdict_log.h"
#include "grouped.h"
#include "histogram/harness.h"
#include "must_have.h"
#include "predicted_time.h"
#include "verify.h"

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    uint64_t counts[MOST_BINS];
    letters_count(text, 0, length, counts);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] = (unsigned int)counts[bin];
}

static struct oracle *characters_oracle(const struct input *input)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    verify_count(input->values, input->length, oracle->bins);
    return oracle;
}

static bool characters_may_hold(const struct oracle *oracle, size_t bin, const unsigned char *held)
{
    return word_at(held, 0) == oracle->bins[bin];
}

static void characters_say(const struct oracle *oracle, size_t bin, const unsigned char *held,
                           char *should, char *holds, size_t size)
{
    snprintf(should, size, "%u", oracle->bins[bin]);
    snprintf(holds, size, "%u", word_at(held, 0));
}

static void explain_text(const struct difference *d, char *message, size_t size)
{
    uint64_t expected[MOST_BINS], counted[MOST_BINS];
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        expected[bin] = d->oracle->bins[bin];
        counted[bin] = word_at(d->held, bin);
    }
    snprintf(message, size, "wrong on %s: %zu of %u bins; likeliest cause: %s", d->input->name,
             d->wrong, num_bins(), d->cause);
    letters_list_wrong(expected, counted, message, size);
}

static uint64_t counted_of_text(const struct oracle *oracle)
{
    uint64_t sum = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        sum += oracle->bins[bin];
    return sum;
}

static bool is_read_once(const char *name, const struct measurement *cost, char *what, size_t size)
{
    const uint64_t length = cost->length, read = cost->reading.bytes;
    if (read >= length / 2 && read < 2 * length - length / 16)
        return true;
    snprintf(what, size, "of %s characters (%s) the kernels read %s: %s", grouped(length), name,
             grouped(read),
             read < length / 2 ? "they have to read each of them"
                               : "each has to be read once, by the thread that counts it");
    return false;
}

/* How many atomics a kernel may make: one for each character, and what folding and committing take, where a warp or a
 * thread may add up several times. */
static uint64_t most_atomics(const struct measurement *cost)
{
    return cost->length + cost->length / 4 + cost->threads * num_bins() +
           2 * cost->blocks * num_bins();
}

static bool is_counted_once(const char *name, const struct measurement *cost, char *what,
                            size_t size)
{
    const uint64_t atomics =
        cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes + cost->shared.atomic.lanes;
    const uint64_t most = most_atomics(cost), stores = cost->elsewhere.store.lanes;
    if (!is_read_once(name, cost, what, size))
        return false;
    if (atomics > most)
        snprintf(what, size,
                 "%s atomics in all for %s characters (%s): some of them count what others have "
                 "counted; one each, and a quarter and threads x bins + 2 x blocks x bins to add "
                 "them up, are at most %s",
                 grouped(atomics), grouped(cost->length), name, grouped(most));
    else if (stores > cost->counted / 2 + cost->threads * num_bins())
        snprintf(what, size,
                 "%s stores to global memory for %s counted characters (%s): counting there is not "
                 "the technique of this chapter",
                 grouped(stores), grouped(cost->counted), name);
    else
        return true;
    return false;
}

static struct input draw_a_text(uint64_t seed, size_t length)
{
    struct text text = text_of(TEXT_UNIFORM, seed, length);
    struct input input = input_of_text(&histogram_contract, text.name, text.bytes, text.length, 0);
    input.bins =
        must_have(calloc(num_bins(), sizeof(unsigned int)), "to count what a kernel should");
    return input;
}

/* Milliseconds on an H200; 0 when the counters do not tell, or are those of another card. */
static double predicted(const struct input *input, const struct measurement *cost)
{
    struct predict_work work = {.counters = cost->counters,
                                .blocks = cost->blocks,
                                .threads_per_block = cost->threads_per_block,
                                .bins = num_bins(),
                                .text_bytes = input->length,
                                .atomic_stripes = cost->atomic_stripes,
                                .busiest_stripe = cost->busiest_stripe,
                                .bins_in_turn = cost->bins_in_turn,
                                .busiest_of_bins = cost->busiest_of_bins,
                                .runs = cost->reading.runs,
                                .atomics = cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes +
                                           cost->shared.atomic.lanes};
    return !sim_card_is_measured(sim_card_chosen()) || predict_doubt(&work) ? 0
                                                                            : predict(&work).total;
}

static void print_predicted(FILE *file, const struct input *input, const struct measurement *cost)
{
    fprintf(file, "%.5f", predicted(input, cost));
}

static const struct count columns[] = {
    {"blocks", {OF(blocks)}, NULL},
    {"threads_per_block", {OF(threads_per_block)}, NULL},
    {"global_atomics", {OF(bins.atomic.lanes), OF(elsewhere.atomic.lanes)}, NULL},
    {"atomics_on_bins", {OF(bins.atomic.lanes)}, NULL},
    {"shared_atomics", {OF(shared.atomic.lanes)}, NULL},
    {"votes", {OF(counters.votes)}, NULL},
    {"atomic_stripes", {OF(atomic_stripes)}, NULL},
    {"busiest_stripe", {OF(busiest_stripe)}, NULL},
    {"predicted_ms", {0}, print_predicted},
    {NULL, {0}, NULL},
};

static const struct count costs[] = {
    {"global atomics on the bins", {OF(bins.atomic.lanes)}, NULL},
    {"global atomics elsewhere", {OF(elsewhere.atomic.lanes)}, NULL},
    {"shared atomics", {OF(shared.atomic.lanes)}, NULL},
    {"stores", {OF(bins.store.lanes), OF(elsewhere.store.lanes), OF(shared.store.lanes)}, NULL},
    {"loads of the text", {OF(text.load.lanes)}, NULL},
    {"sectors loaded", {OF(text.load.sectors)}, NULL},
    {NULL, {0}, NULL},
};

/* Sets a character that would be counted. */
static void set_guard_text(struct input *before, size_t i)
{
    before->values[i] = 'a';
}

/* Where all lanes of a warp count in one bin and take turns at it, as in chapter 33, each of them tries
 * in vain until its turn comes, and waits at the barriers of each try. A long text has other
 * characters enough, or is known beforehand. */
static uint64_t limit_of_text(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000, A_CHARACTER = 16, IN_VAIN = 256, MOST_IN_TURN = 1 << 16 };
    const uint64_t in_turn = call->length < MOST_IN_TURN ? call->length : MOST_IN_TURN;
    return AT_LEAST + A_CHARACTER * call->length + IN_VAIN * in_turn;
}

static void shapes_of_text(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape)TEXT_SHAPE;
    *output = (struct shape){4, 4, 1, {{"count", FIELD_UNSIGNED, 0, 32}}};
}

/* Says how the far end is looked at. */
static void look_far_text(struct far_plan *plan)
{
    plan->limits = (struct far_limits){.laps = 3, .most = UINT64_MAX, .much = 6 * 1000 * 1000};
    plan->budget = 24 * 1000 * 1000; /* which is enough without .most */
}

const struct contract histogram_contract = {
    .words = {.function = "histogram()",
              .unit = "character",
              .units = "characters",
              .input = "text",
              .done = "counted",
              .output = "bins",
              .output_is = "it counted",
              .begins_with = "0",
              .by_kernel = "the characters have to be counted by a kernel, on the device",
              .when_empty = "an empty text gives a grid of 0 blocks, which CUDA refuses; return "
                            "before the launch"},
    .oracle = characters_oracle,
    .may_hold = characters_may_hold,
    .say = characters_say,
    .causes = &causes_of_characters,
    .looks_again = true,
    .explain = explain_text,
    .counted = counted_of_text,
    .costs = costs,
    .longest_part = 1 << 21,
    .has_done = is_counted_once,
    .calls = 50,
    .draw = draw_a_text,
    .ordinary = 16381,
    .has_bins = true,
    .columns = columns,
    .race_shift = 3,
    .shapes = shapes_of_text,
    .set_guard = set_guard_text,
    .limit = limit_of_text,
    .look_far = look_far_text,
};
