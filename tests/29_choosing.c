/* 29_choosing.c - right, and what is done follows from the number of bins and a sample of the keys.
 *
 * Operations: count saturate float_sum wide_sum argmax
 *
 * The edge cases of tests/reduce_by_index.c catch here a range of bins that no pass has, a frequent key
 * whose register is lost, a copy that nobody joins. */
#include "reduce_by_index/harness.h"

#include <math.h>
#include <string.h>

enum {
    LENGTH = 5 << 12,
    MANY = 505,
    SAMPLE = 4096,    // keys that an inspector may read, at most
    ENOUGH_FOR = 1,   // multiprocessor: LENGTH elements are not few for it
    ON_THE_SAMPLE = 4 // atomics at most for each key of it
};

static uint64_t atomics_of(const struct measurement *cost)
{
    return cost->bins.atomic.lanes + cost->shared.atomic.lanes + cost->elsewhere.atomic.lanes;
}

/* Whether hardware adds, so that lanes with one key wait for each other. */
static bool is_sum(void)
{
    return operation_chosen() == FLOAT_SUM || operation_chosen() == WIDE_SUM;
}

/* An odd number of bins, which take two passes: bins of 4 bytes, or of 8. Catches ranges that are too
 * small by a remainder: the last bin belongs to none. There are more elements than bins, so that ranges
 * pay. */
Test(chapter29, loses_no_bin_behind_the_ranges)
{
    enum { ELEMENTS = 60000 };
    operation_choose(0);
    const size_t bins = operation_bin_bytes(operation_chosen()) == 4 ? 58113 : 49145;
    struct input input = input_within(KEYS_UNIFORM, 5, ELEMENTS, bins);
    for (size_t i = 0; i < 8; i++)
        element_set(&input, 1000 * i, (uint32_t)(bins - 1), 65535, 0);
    set_multiprocessors(ENOUGH_FOR);
    expect_right_once_on(&input);
    input_free(&input);
}

/* One pass over the elements reads each once; what is read more often is the sample. What it tells is used on the device:
 * a copy to the host would make it wait for the kernel before. Catches an inspector that reads all keys, or one
 * for each block; a model that asks for the sample's result. */
Test(chapter29, looks_at_a_sample_only_and_does_not_wait_for_it)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_UNIFORM, 1, LENGTH, MANY);
        set_multiprocessors(ENOUGH_FOR);
        struct measurement cost = measure_input(&input);
        const uint64_t read = cost.bytes_read / operation_element_bytes(operation_chosen());
        expect_at_most(read, "elements read", LENGTH + SAMPLE,
                       "%s: each of %s once, and a sample of at most %s",
                       operation_name(operation_chosen()), grouped(LENGTH), grouped(SAMPLE));
        expect_exactly(cost.host_visible, "bytes that kernels stored for the host", 0,
                       "%s: the next kernel reads them where they are",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* Bins that fit in shared memory are combined there: the final ones get at most one update for each
 * block and each word of a bin. Catches a choice of the cache where shared memory would do. */
Test(chapter29, uses_shared_memory_where_bins_fit)
{
    uint64_t in_shared = 0;
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_keys(KEYS_ZIPF, 1, LENGTH, MANY);
        set_multiprocessors(ENOUGH_FOR);
        struct measurement cost = measure_input(&input);
        const uint64_t words = 2;
        expect_at_most(
            cost.bins.atomic.lanes + cost.elsewhere.atomic.lanes, "atomics in global memory",
            cost.blocks * MANY * words,
            "%s: %s bins fit in shared memory, and each block commits them once: at most "
            "blocks x bins x words of a bin = %s x %s x %s",
            operation_name(operation_chosen()), grouped(MANY), grouped(cost.blocks), grouped(MANY),
            grouped(words));
        in_shared += cost.shared.atomic.lanes;
        input_free(&input);
    }
    technique_is("%s atomics in shared memory where bins fit, and a sample of at most %s keys",
                 grouped(in_shared), grouped(SAMPLE));
}

/* All elements have one key, or nine of ten: the sample has it as often, and a thread keeps it in a
 * register. Counts merge in hardware in shared memory, and maxima are tried only if they can win, so
 * this is asked of sums. One of `of_others` elements at most has another key; of 0 none. Catches a frequent
 * key that is not found. */
static void expect_few_atomics(enum keys kind, size_t of_others)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (!is_sum())
            continue;
        struct input input = input_within(kind, 3, LENGTH, MANY);
        set_multiprocessors(ENOUGH_FOR);
        struct measurement cost = measure_input(&input);
        const uint64_t others = of_others == 0 ? 0 : LENGTH / of_others;
        const uint64_t words = operation_chosen() == WIDE_SUM ? 2 : 1;
        const uint64_t most =
            (others + cost.threads / 32 + (cost.blocks + ON_THE_SAMPLE) * MANY) * words;
        expect_at_most(atomics_of(&cost), "atomics", most,
                       "%s: a thread keeps the frequent key in a register; there remain at most "
                       "%s elements, one for each warp, the commit, and %d for each of %s keys of "
                       "a sample, each with %s words = %s",
                       input.name, grouped(others), ON_THE_SAMPLE, grouped(MANY), grouped(words),
                       grouped(most));
        input_free(&input);
    }
}

Test(chapter29, keeps_the_only_key_in_a_register)
{
    expect_few_atomics(KEYS_SINGLE, 0);
}

Test(chapter29, keeps_a_key_that_nine_of_ten_have_in_a_register)
{
    expect_few_atomics(KEYS_NINETY, 5);
}

/* The share of the atomics that goes to the bins themselves, and not to copies of them in the cache, in percent. */
static uint64_t share_of_the_bins(enum keys kind, size_t length, size_t bins)
{
    struct input input = input_within(kind, 4, length, bins);
    set_multiprocessors(ENOUGH_FOR);
    const struct measurement cost = measure_input(&input); /* which judges the bins, too */
    const uint64_t all = cost.bins.atomic.lanes + cost.elsewhere.atomic.lanes;
    input_free(&input);
    return all == 0 ? 0 : cost.bins.atomic.lanes * 100 / all;
}

/* More bins than passes pay for, and elements for two copies of them, or three. Keys that are spread evenly over all bins
 * need one; over every 63rd bin they need as many as there may be. Catches a model that always copies, or never, and one that
 * takes the sample for as many keys as there are bins. */
Test(chapter29, uses_copies_in_the_cache_for_few_different_keys)
{
    enum { COPIES = 3 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != WIDE_SUM)
            continue;
        const size_t bins = 25 * bins_of_a_block() / 8; /* four passes */
        const size_t for_two = 2 * 2 * bins, for_all = 2 * COPIES * bins;
        expect_at_least(
            share_of_the_bins(KEYS_UNIFORM, for_two, bins),
            "percent of the atomics on the bins themselves", 100,
            "even keys have a race factor of 1.58, for which one copy is enough, that is");
        expect_at_least(share_of_the_bins(KEYS_NINETY, for_two, bins),
                        "percent of the atomics on the bins themselves", 100,
                        "without the one key that nine of ten have, keys are even, and one copy is "
                        "enough, that is");
        expect_at_most(
            share_of_the_bins(KEYS_STRIDE_63, for_all, bins),
            "percent of the atomics on the bins themselves", 100 / COPIES + 10,
            "every 63rd bin has all keys: a race factor of 63 asks for all %d copies for "
            "which there are elements",
            COPIES);
    }
}

/* Bytes of shared memory that the blocks of the last launch have for each byte of a block's bins: its
 * copies. */
static uint64_t copies_on(unsigned int multiprocessors, size_t bins)
{
    struct input input = input_within(KEYS_UNIFORM, 6, LENGTH, bins);
    set_multiprocessors(multiprocessors);
    const struct measurement cost = measure_input(&input);
    input_free(&input);
    return (cost.shape.dynamic_shared + cost.shape.static_shared) /
           (bins * operation_bin_bytes(operation_chosen()));
}

/* The model on other cards. What a multiprocessor reads of so many elements is 1/1 or 1/132 of them, and a
 * copy is cleared and joined for half as many at most. Catches as many as
 * fit, and those of a card with one multiprocessor. */
Test(chapter29, makes_copies_by_what_a_multiprocessor_reads)
{
    enum { BINS = 31, LANES = 32 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM && operation_chosen() != WIDE_SUM)
            continue;
        expect_at_most(copies_on(1, BINS), "copies of the bins in shared memory", LANES,
                       "%s: a warp has no more lanes that could contend",
                       operation_name(operation_chosen()));
        const uint64_t most = LENGTH / (2 * BINS * 132);
        expect_at_most(copies_on(132, BINS), "copies of the bins in shared memory", most,
                       "%s: of %s elements each of 132 multiprocessors reads so few that to clear "
                       "and to join copies of %s bins is half the work with",
                       operation_name(operation_chosen()), grouped(LENGTH), grouped(BINS));
    }
}

/* Two ranges of bins cost two passes, and less than the cache. Catches a model that knows one pass only. */
Test(chapter29, makes_passes_where_they_cost_less)
{
    enum { TWO_PASSES = 30000, LONG = 40000 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != WIDE_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 7, LONG, TWO_PASSES);
        set_multiprocessors(20); // for which they are too few for buckets
        const struct measurement cost = measure_input(&input);
        expect_at_least(cost.shared.atomic.lanes, "atomics in shared memory", cost.counted,
                        "%s: bins of %s x 8 bytes are two ranges that fit, and two passes cost "
                        "less than bins in the cache: one for each element at least",
                        operation_name(operation_chosen()), grouped(TWO_PASSES));
        input_free(&input);
    }
}

/* Every 16th element has one key, and a sample has it as often: it is hot. Catches a model that keeps only
 * keys which nearly all elements have. */
Test(chapter29, keeps_a_key_that_every_16th_has_in_a_register)
{
    enum { LONG = 1 << 16, HOT = 7, ONE_IN = 16 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM)
            continue;
        struct input input = input_within(KEYS_UNIFORM, 8, LONG, MANY);
        uint64_t hot = 0;
        for (size_t at = 0; at < LONG; at++)
            if ((uint32_t)at * 2654435761u >> 28 == 0) {
                element_set(&input, at, HOT, 0x3f800000, 0);
                hot++;
            }
        set_multiprocessors(1);
        const struct measurement cost = measure_input(&input);
        expect_at_most(atomics_of(&cost), "atomics",
                       LONG - hot + cost.threads / 32 + (1 + ON_THE_SAMPLE) * MANY,
                       "%s: %s of %s elements have one key, that a thread keeps in a register; "
                       "there remain the others, one for each warp, the commit, and %d for each of "
                       "%s keys of a sample",
                       operation_name(operation_chosen()), grouped(hot), grouped(LONG),
                       ON_THE_SAMPLE, grouped(MANY));
        input_free(&input);
    }
}

/* Spread so that samples of each distance have what all elements have. */
static uint32_t spread(uint32_t number)
{
    number = (number ^ number >> 15) * 2246822519u;
    number = (number ^ number >> 13) * 3266489917u;
    return number ^ number >> 16;
}

/* Atomics on sums of LONG even keys, of which one in `of` is one key; none is with 0. */
static uint64_t atomics_with_a_key(uint32_t of)
{
    enum { LONG = 1 << 17, KEY = 7 };
    struct input input = input_within(KEYS_UNIFORM, 12, LONG, MANY);
    for (uint32_t at = 0; of > 0 && at < LONG; at++)
        if (spread(at) < UINT32_MAX / of)
            element_set(&input, at, KEY, 0x3f800000, 0);
    set_multiprocessors(1);
    const struct measurement cost = measure_input(&input);
    input_free(&input);
    return atomics_of(&cost);
}

/* Every 64th element has one key, which a sample of 505 meets eight times: more than four times, and less often than
 * every 32nd. It is not hot, and there are as many atomics as without it; half of its 2,048 may be saved by warps
 * that join equal keys. Catches a rule of which one half is enough. */
Test(chapter29, keeps_no_key_that_every_64th_has_in_a_register)
{
    enum { ONE_IN = 64, SAVED = 1024 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM)
            continue;
        const uint64_t without = atomics_with_a_key(0);
        expect_at_least(atomics_with_a_key(ONE_IN), "atomics", without - SAVED,
                        "%s: every %dth element has one key, which is less than every 32nd: it is "
                        "not hot, and its elements are atomics, too; without it there are %s",
                        operation_name(operation_chosen()), ONE_IN, grouped(without));
    }
}

/* What the model says to `count` numbers; false where the kernel has no such function. */
static bool asked(enum model_function function, const double *numbers, size_t count,
                  double *answers)
{
    struct model model = {.function = function};
    memcpy(model.asked, numbers, count * sizeof *numbers);
    ask_model(&reduce_by_index_contract, &model);
    memcpy(answers, model.answers, sizeof model.answers);
    return model.is_there;
}

/* Keys that are spread evenly over every `factor`-th bin: of a sample so many different ones are expected, and
 * of as many keys as there are bins. The bins are more than anybody counts here. A float has 24 bits, and the
 * search 30 steps: 5 percent. Catches the wrong half of the search, and k for the race factor. */
Test(chapter29, knows_the_race_factor_of_even_keys)
{
    const double factors[] = {1, 2, 7, 63, 1000, 8191}, bins[] = {30000, 1 << 20, 1 << 24};
    operation_choose(0);
    for (size_t i = 0; i < 18; i++) {
        const double n = bins[i % 3], k = floor(n / factors[i / 3]), sample = 2048;
        if (k > 40000 || k < 2) /* all that are drawn differ, and tell nothing; or none does */
            continue;
        const double different = k * -expm1(-sample / k), right = n / (k * -expm1(-n / k));
        double answers[MODEL_NUMBERS];
        if (!asked(MODEL_RACE_FACTOR, (const double[]){sample, different, n}, 3, answers))
            return;
        expect_that(fabs(answers[0] - right) <= right / 20,
                    "race_factor(%.0f, %.1f, %.0f) is %.2f; keys that are spread evenly over %.0f "
                    "of %.0f bins have %.2f",
                    sample, different, n, answers[0], k, n, right);
    }
}

/* Even keys have 1.58, and one copy. Catches no copy at all, and more than there is room for. */
Test(chapter29, makes_copies_by_the_race_factor)
{
    const double factors[] = {1, 1.5, 1.58, 4, 16, 50, 1e6}, most[] = {1, 2, 8, 32};
    operation_choose(0);
    for (size_t i = 0; i < 28; i++) {
        const double factor = factors[i % 7], room = most[i / 7], even = 1.58;
        const double copies = factor / even < 1 ? 1 : factor / even < room ? factor / even : room;
        double answers[MODEL_NUMBERS];
        if (!asked(MODEL_COPIES_IN_CACHE, (const double[]){factor, room}, 2, answers))
            return;
        expect_that(answers[0] >= 1 && answers[0] <= room && fabs(answers[0] - copies) <= 1,
                    "copies_in_cache(%g, %.0f) is %.0f; there are %g times fewer different keys "
                    "than where keys are even, which asks for %.1f",
                    factor, room, answers[0], factor / even, copies);
    }
}

/* Cards with other memories, and more elements than anybody counts here. Bins that fit into shared memory are
 * there, in one pass and in copies that fit, and that are no more work than half of the elements; what is in
 * passes has ranges that fit. Catches a card that is built into the model, and copies where there is no room. */
Test(chapter29, chooses_on_cards_that_are_not_here)
{
    const double cards[][3] = {
        {49152, 4 << 20, 8}, {101376, 40 << 20, 84}, {232448, 50 << 20, 132}};
    const double lengths[] = {70000, 1 << 24, UINT32_MAX}, bins[] = {5, 505, 6144, 30000, 1 << 24};
    for (size_t o = 0; o < operations_asked(); o++) {
        operation_choose(o);
        for (size_t i = 0; i < 45; i++) {
            const double *card = cards[i % 3], length = lengths[i / 3 % 3], n = bins[i / 9];
            const double bytes = n * (double)operation_bin_bytes(operation_chosen());
            double answers[MODEL_NUMBERS];
            if (!asked(MODEL_CHOOSE, (const double[]){length, n, card[0], card[1], card[2]}, 5,
                       answers))
                return;
            const char *const name = operation_name(operation_chosen());
            const double copies = answers[1], passes = answers[2];
            if (answers[0] == 0)
                continue; /* where else they are is asked on this card */
            expect_that(passes >= 1 && bytes / passes <= card[0],
                        "%s: the model makes %.0f passes over bins of %.0f bytes, on a card with "
                        "%.0f bytes of shared memory: a range does not fit",
                        name, passes, bytes, card[0]);
            expect_that(bytes > card[0] || passes == 1,
                        "%s: the model makes %.0f passes over bins of %.0f bytes, which fit in the "
                        "%.0f bytes of shared memory",
                        name, passes, bytes, card[0]);
            expect_that(copies >= 1 && copies * bytes / passes <= card[0] && copies <= 32,
                        "%s: the model makes %.0f copies of bins of %.0f bytes, on a card with "
                        "%.0f bytes of shared memory",
                        name, copies, bytes, card[0]);
            expect_that(copies == 1 || 2 * copies * n * card[2] <= length,
                        "%s: the model makes %.0f copies of %.0f bins on each of %.0f "
                        "multiprocessors for %.0f elements: to clear and join them is more work "
                        "than half of these",
                        name, copies, n, card[2], length);
        }
    }
}

/* Inputs at the ends of the model: one key, so that no others are left to have a race factor; fewer elements than
 * bins, or than a sample has; floats in ranges, and in copies in the cache. Catches a division by no keys, more shared
 * memory than there is, a way that nobody has tried. */
Test(chapter29, is_right_at_the_ends_of_the_model)
{
    const struct {
        enum operation operation;
        enum keys kind;
        size_t length, bins;
        unsigned int multiprocessors;
    } ends[] = {
        {FLOAT_SUM, KEYS_UNIFORM, 150001, 14001, 1},   {FLOAT_SUM, KEYS_SORTED, 3500, 4001, 1},
        {FLOAT_SUM, KEYS_SORTED, 9001, 60013, 1},      {FLOAT_SUM, KEYS_SINGLE, 30011, 200003, 1},
        {FLOAT_SUM, KEYS_NINETY, 30011, 200003, 1},    {FLOAT_SUM, KEYS_SORTED, 511, 200003, 3},
        {FLOAT_SUM, KEYS_UNIFORM, 31 << 11, MANY, 32}, {COUNT, KEYS_UNIFORM, 3001, 4001, 132},
        {COUNT, KEYS_ZIPF, 30011, 900001, 2},          {ARGMAX, KEYS_ZIPF, 30011, 100003, 2}};
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        for (size_t end = 0; end < sizeof ends / sizeof *ends; end++) {
            if (operation_chosen() != ends[end].operation)
                continue;
            struct input input = input_within(ends[end].kind, 9, ends[end].length, ends[end].bins);
            set_multiprocessors(ends[end].multiprocessors);
            expect_right_untold_on(&input);
            input_free(&input);
        }
    }
}
