/* 29_choosing.c - right, and what is done follows from the number of bins and a sample of the keys.
 *
 * Operations: count saturate float_sum wide_sum argmax vector_sum minmax
 *
 * The edge cases of tests/reduce_by_index.c catch here a range of bins that no pass has, a frequent key
 * whose register is lost, a copy that nobody joins. */
#define _POSIX_C_SOURCE 200809L // setenv
#include "reduce_by_index/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LENGTH = 5 << 12,
    LENGTH_OF_VECTORS = LENGTH / 3, // more than a sample, and each has eight floats
    MANY = 505,
    SAMPLE = 4096,  // keys that an inspector may read, at most
    BEYOND = 14000, // bins of 32 bytes that more passes would take than pay
    FACTOR_8 = 8,
    FLOATS = 8,
    ENOUGH_FOR = 1,   // multiprocessor: LENGTH elements are not few for it
    ON_THE_SAMPLE = 4 // atomics at most for each key of it
};

/* Bins that shared memory does not hold in so many passes as pay: of the small card, and of an H200. */
#ifdef SIMULATED_GPU
enum { MANY_FLOATS = 78003, MANY_SUMS = 69801, MANY_PAIRS = 28801 };
#else
enum { MANY_FLOATS = 800003, MANY_SUMS = 153601, MANY_PAIRS = 70001 };
#endif

/* As operation_choose(); but a simulated card is a small one, where fewer bins are many. Vectors stay on the other: the
 * small one has no atomicAdd of float4. To be called before the operation's kernel is asked for the first time. */
static void choose_on_small_card(size_t i)
{
    static const char *asked_for;
    if (!asked_for)
        asked_for = getenv("SIM_CARD") ? getenv("SIM_CARD") : "";
    operation_choose(i);
    setenv("SIM_CARD", operation_chosen() == VECTOR_SUM ? asked_for : "RTX3060_LAPTOP", 1);
}

static uint64_t atomics_of(const struct measurement *cost)
{
    return cost->bins.atomic.lanes + cost->shared.atomic.lanes + cost->elsewhere.atomic.lanes;
}

static size_t length_of_inputs(void)
{
    return operation_chosen() == VECTOR_SUM ? LENGTH_OF_VECTORS : LENGTH;
}

/* Whether hardware adds, so that lanes with one key wait for each other. */
static bool is_sum(void)
{
    return operation_chosen() == FLOAT_SUM || operation_chosen() == WIDE_SUM ||
           operation_chosen() == VECTOR_SUM;
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
        input_set(&input, 1000 * i, (uint32_t)(bins - 1), 65535, 0);
    set_multiprocessors(ENOUGH_FOR);
    expect_right_once_on(&input);
    input_free(&input);
}

/* One pass over the elements reads each once; what is read more often is the sample. There are no more
 * keys in it than there are bins, since a race factor speaks of as many. What it tells is used on the device:
 * a copy to the host would make it wait for the kernel before. Catches an inspector that reads all keys, or one
 * for each block; a model that asks for the sample's result. */
Test(chapter29, looks_at_a_sample_only_and_does_not_wait_for_it)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of(KEYS_UNIFORM, 1, length_of_inputs(), MANY);
        set_multiprocessors(ENOUGH_FOR);
        struct measurement cost = measure(&input);
        const uint64_t read = cost.bytes_read / operation_element_bytes(operation_chosen());
        const uint64_t sample = MANY < SAMPLE ? MANY : SAMPLE;
        expect_at_most(
            read, "elements read", length_of_inputs() + sample,
            "%s: each of %s once, and a sample of at most as many as there are bins = %s",
            operation_name(operation_chosen()), grouped(length_of_inputs()), grouped(sample));
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
        struct input input = input_of(KEYS_ZIPF, 1, LENGTH, MANY);
        set_multiprocessors(ENOUGH_FOR);
        struct measurement cost = measure(&input);
        const uint64_t words = operation_chosen() == VECTOR_SUM ? FLOATS : 2;
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
        struct input input = input_within(kind, 3, length_of_inputs(), MANY);
        set_multiprocessors(ENOUGH_FOR);
        struct measurement cost = measure(&input);
        const uint64_t others = of_others == 0 ? 0 : length_of_inputs() / of_others;
        const uint64_t words = operation_chosen() == VECTOR_SUM ? FLOATS
                               : operation_chosen() == WIDE_SUM ? 2
                                                                : 1;
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

/* The share of the atomics that goes to the bins themselves, and not to copies of them in the cache: of
 * 8 blocks the first, and each that comes to the first copy again. In percent. */
static uint64_t share_of_the_bins(struct input *input)
{
    struct measurement cost = measure(input);
    const uint64_t all = cost.bins.atomic.lanes + cost.elsewhere.atomic.lanes;
    input_free(input);
    return all == 0 ? 0 : cost.bins.atomic.lanes * 100 / all;
}

/* Race factors that are known: keys spread evenly over the bins have 1 / (1 - 1/e) = 1.58, and one copy
 * of the bins is enough; over every 63rd bin 63, and each block may have its own; over every 8th bin 8,
 * which are five copies, so that a quarter of 8 blocks uses the bins. Nine of ten keys are one key and
 * the others are even: not a race factor of 10, for the one key is in a register. Catches a sample that
 * is smaller than the bins and is taken for as many keys; a frequent key that is counted among the
 * others; 1 for keys that are even. */
Test(chapter29, estimates_race_factors_that_are_known)
{
    enum { LONG = 1 << 14, COPIES = 8 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        const size_t copies = COPIES * BEYOND * operation_bin_bytes(operation_chosen());
        if (operation_chosen() != VECTOR_SUM ||
            copies > (size_t)sim_card_chosen()->l2_bytes / 5 * 2)
            continue; /* where the cache of a card has no room for copies, none are asked for */
        struct input input = input_within(KEYS_UNIFORM, 4, LONG, BEYOND);
        expect_at_least(
            share_of_the_bins(&input), "percent of the atomics on the bins themselves", 100,
            "even keys have a race factor of 1.58, for which one copy is enough, that is");
        input = input_within(KEYS_STRIDE_63, 4, LONG, BEYOND);
        expect_at_most(
            share_of_the_bins(&input), "percent of the atomics on the bins themselves", 15,
            "every 63rd bin has all keys: a race factor of 63 asks for as many copies as "
            "the cache holds, so that of 8 blocks one uses the first");
        input = input_within(KEYS_UNIFORM, 4, LONG, BEYOND);
        for (size_t at = 0; at < LONG; at++)
            input_set(&input, at, input_key(&input, at) / FACTOR_8 * FACTOR_8, 0x3f000000, 0);
        const uint64_t share = share_of_the_bins(&input);
        expect_that(share >= 18 && share <= 40,
                    "every 8th bin has all keys: a race factor of 8 asks for about five copies, so "
                    "that 2 of 8 blocks use the first, 25 percent; here %s percent of the atomics "
                    "are on the bins themselves",
                    grouped(share));
        input = input_within(KEYS_NINETY, 4, LONG, BEYOND);
        expect_at_least(share_of_the_bins(&input), "percent of the atomics on the bins themselves",
                        100,
                        "without the one key that nine of ten have, keys are even, and one copy is "
                        "enough, that is");
    }
}

/* Bytes of shared memory that the blocks of the last launch have for each byte of a block's bins: its
 * copies. */
static uint64_t copies_on(unsigned int multiprocessors, size_t bins)
{
    struct input input = input_within(KEYS_UNIFORM, 6, LENGTH, bins);
    set_multiprocessors(multiprocessors);
    const struct measurement cost = measure(&input);
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

/* Of six elements four have one key, the next one of the first 16, and the last a multiple of 63, or the last
 * one of 4,096, or none of the bins: one bucket has more elements than others, each has some in its last bin, and
 * behind the last bucket are some whose place in it would be the fifth. */
static struct input crowded_in_buckets(uint64_t seed, size_t length, size_t bins)
{
    enum { OF_SIX = 6, WITH_ONE_KEY = 4, A_RANGE = 4096, RANGES = 8 * A_RANGE };
    struct input input = input_of(KEYS_STRIDE_63, seed, length, bins);
    for (size_t at = 0; at < length; at++)
        if (at % OF_SIX < WITH_ONE_KEY)
            input_set(&input, at, (uint32_t)bins / 2, 0x3f800000, 0);
        else if (at % OF_SIX == WITH_ONE_KEY)
            input_set(&input, at, (uint32_t)(at / OF_SIX) * 2654435761u >> 28, 0x3f000000, 0);
        else if (at / OF_SIX % 8 == 0)
            input_set(&input, at, (uint32_t)(at % (bins / A_RANGE) + 1) * A_RANGE - 1, 0x3f00ffff,
                      0);
        else if (at / OF_SIX % 8 == 1)
            input_set(&input, at, (uint32_t)(bins / RANGES + 2) * RANGES + 5, 0x3f00ffff, 0);
    return input;
}

/* The elements are combined in buckets: of the bins themselves each gets an update from the few blocks that share
 * its bucket. A maximum is tried only if it can win, so that its atomics are few anyway. */
static void expect_buckets(size_t length, size_t bins)
{
    const bool is_maximum = operation_chosen() == ARGMAX || operation_chosen() == MINMAX;
    struct input input = crowded_in_buckets(9, length, bins);
    set_multiprocessors(2);
    const struct measurement cost = measure(&input); /* which judges the bins, too */
    const uint64_t words = operation_chosen() == VECTOR_SUM ? FLOATS : 1;
    if (!is_maximum)
        expect_at_most(cost.bins.atomic.lanes + cost.elsewhere.atomic.lanes,
                       "atomics in global memory", length / 4 * words,
                       "%s: of six elements four have one key, and the fifth one of 16; these are "
                       "combined in shared memory or in a register, and there remains less than "
                       "every fourth of %s elements, with %s words",
                       operation_name(operation_chosen()), grouped(length), grouped(words));
    input_free(&input);
}

/* More elements than bins, and several tiles of them for each block that counts keys in buckets. */
static void expect_tiles_in_buckets(size_t bins)
{
    struct input input = input_within(KEYS_UNIFORM, 9, bins + bins / 16, bins);
    set_multiprocessors(1);
    expect_right_untold_on(&input);
    input_free(&input);
}

/* More bins than passes pay for, or 32 buckets hold: buckets take them. Catches the cache, where each element is an
 * atomic on its bin, or on that of a copy, or kept in a register.
 *
 * There are so many bins that passes cost more, and so many elements that these are neither few for the bins nor short
 * for the cache; nor is a part of them, with 8,192 less. The 4,096s of the bins have no divisor with 48 in common, so
 * that the last bins of all buckets get some: crowded_in_buckets(). */
Test(chapter29, takes_buckets_for_many_bins)
{
    static const struct {
        size_t bins, elements;
    } many[] = {
        [VECTOR_SUM] = {21001, 40009},
#ifdef SIMULATED_GPU
        [COUNT] = {816003, 66003},    // more than 32 buckets hold
        [SATURATE] = {103007, 40009}, // which 32 buckets hold, of counts as well
        [FLOAT_SUM] = {MANY_FLOATS, 18503}, [WIDE_SUM] = {MANY_SUMS, 47009},
        [ARGMAX] = {94309, 54503},          [MINMAX] = {MANY_PAIRS, 41009},
#else
        [COUNT] = {1900003, 119003},         [SATURATE] = {243007, 40009},
        [FLOAT_SUM] = {MANY_FLOATS, 102003}, [WIDE_SUM] = {MANY_SUMS, 47009},
        [ARGMAX] = {204007, 118003},         [MINMAX] = {MANY_PAIRS, 58007},
#endif
    };
    for (size_t i = 0; i < operations_asked(); i++) {
        choose_on_small_card(i);
        expect_buckets(many[operation_chosen()].elements, many[operation_chosen()].bins);
        if (operation_chosen() == COUNT || operation_chosen() == SATURATE)
            expect_tiles_in_buckets(many[SATURATE].bins);
    }
}

/* Blocks of equal keys, as sorted elements have them, and between them even keys of which every third is one hot
 * key: all that a warp has at once has one key, then another, then none. Catches a key that a warp has kept and
 * forgets when it keeps the next, or at the end, and one that is kept where a few lanes alone have it. */
Test(chapter29, keeps_keys_that_whole_warps_have)
{
    enum { MANY_VECTORS = 15013, ELEMENTS = 40009, BLOCK = 300 };
    for (size_t i = 0; i < operations_asked(); i++) {
        choose_on_small_card(i);
        const size_t bins = operation_chosen() == WIDE_SUM     ? MANY_SUMS
                            : operation_chosen() == VECTOR_SUM ? MANY_VECTORS
                            : operation_chosen() == MINMAX     ? MANY_PAIRS
                                                               : 0;
        if (bins == 0)
            continue;
        struct input input = input_of(KEYS_UNIFORM, 10, ELEMENTS, bins);
        for (size_t at = 0; at < ELEMENTS; at++) {
            const size_t block = at / BLOCK;
            if (block % 3 != 2)
                input_set(&input, at, (uint32_t)(block * 2654435761u % bins), 0x3f800000,
                          (uint32_t)at);
            else if (at % 3 == 0)
                input_set(&input, at, (uint32_t)bins / 2, 0x3f000000, (uint32_t)at);
        }
        set_multiprocessors(1);
        expect_right_once_on(&input);
        input_free(&input);
    }
}

/* Millions of positive floats with one key, in shared memory and in more bins than that holds. From 2^24 of equal
 * ones on, a float to which they are added one by one grows no more, and long before it rounds each time to the same
 * side: the bound of any order allows it, a user does not. Catches a sum that is not made of parts. */
Test(chapter29, sums_millions_of_one_key_to_a_hundred_thousandth)
{
#ifdef SIMULATED_GPU
    enum { MILLIONS = 1 << 18, VECTORS = 1 << 16 };
#else
    enum { MILLIONS = 1 << 26, VECTORS = MILLIONS };
#endif
    enum { MANY_VECTORS = 20011, BELOW_ONE = 0x3f7ffbff };
    for (size_t i = 0; i < operations_asked(); i++) {
        choose_on_small_card(i);
        const bool floats = operation_chosen() == FLOAT_SUM;
        if (!floats && operation_chosen() != VECTOR_SUM)
            continue;
        const size_t length = floats ? MILLIONS : VECTORS;
        const size_t bins[] = {MANY, floats ? MANY_FLOATS : MANY_VECTORS};
        for (size_t k = 0; k < 2; k++) {
            struct input input = input_of(KEYS_SINGLE, 11, length, bins[k]);
            for (size_t at = 0; at < length; at++)
                input_set(&input, at, (uint32_t)bins[k] / 2, BELOW_ONE, 0);
            input.most_error = 1e-5;
            set_multiprocessors(ENOUGH_FOR);
            expect_right_once_on(&input);
            input_free(&input);
        }
    }
}

/* Few elements for many bins, nearly all with one key; but those of a warp's first lane, whether it has one, two or
 * four at a time, have others. Catches a warp that joins what its lanes have only when its first lane sees a reason. */
Test(chapter29, sums_few_of_one_key_to_a_hundred_thousandth)
{
    enum { SHORT_LENGTH = 1 << 14, MANY_BINS = 100003, BELOW_ONE = 0x3f7ffbff };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != FLOAT_SUM && operation_chosen() != VECTOR_SUM)
            continue;
        struct input input = input_of(KEYS_SINGLE, 12, SHORT_LENGTH, MANY_BINS);
        for (size_t at = 0; at < SHORT_LENGTH; at++) {
            const bool by_first = at % 32 == 0 || at % 64 < 2 || at % 128 < 4;
            input_set(&input, at, (uint32_t)(by_first ? at : MANY_BINS / 2), BELOW_ONE, 0);
        }
        input.most_error = 1e-5;
        expect_right_once_on(&input);
        input_free(&input);
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
        const struct measurement cost = measure(&input);
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
                input_set(&input, at, HOT, 0x3f800000, 0);
                hot++;
            }
        set_multiprocessors(1);
        const struct measurement cost = measure(&input);
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
            input_set(&input, at, KEY, 0x3f800000, 0);
    set_multiprocessors(1);
    const struct measurement cost = measure(&input);
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
    ask_model(&model);
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
 * bins; more than it takes to pay for all copies that fit; floats in ranges, in copies in the cache, and in
 * shares of blocks of which the last gets nothing. Catches a division by no keys, more shared memory than there
 * is, a way that nobody has tried. */
Test(chapter29, is_right_at_the_ends_of_the_model)
{
    const struct {
        enum operation operation;
        enum keys kind;
        size_t length, bins;
        unsigned int multiprocessors;
    } ends[] = {{VECTOR_SUM, KEYS_SINGLE, 1 << 14, BEYOND, 1},
                {FLOAT_SUM, KEYS_UNIFORM, 150001, 14001, 1},
                {FLOAT_SUM, KEYS_SORTED, 3500, 4001, 1},
                {FLOAT_SUM, KEYS_SORTED, 9001, 60013, 1},
                {FLOAT_SUM, KEYS_SINGLE, 30011, 200003, 1},
                {FLOAT_SUM, KEYS_NINETY, 30011, 200003, 1},
                {FLOAT_SUM, KEYS_SORTED, 30011, 200003, 3},
                {FLOAT_SUM, KEYS_UNIFORM, 31 << 11, MANY, 32},
                {COUNT, KEYS_UNIFORM, 3001, 4001, 132}};
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
