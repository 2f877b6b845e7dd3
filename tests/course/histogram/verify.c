/* verify.c - the independent count, and causes that it names. Others are proved by planted mistakes: tests/advice. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "binning.h"
#include "grouped.h"
#include "run.h"
#include "text.h"
#include "text_input.h"
#include "verify.h"

enum { BLOCKS = 8, THREADS = 32, LENGTH = 5000 };

static struct text the_text(void)
{
    return text_of(TEXT_UNIFORM, 11, LENGTH);
}

/* What is said of a difference; the test fails when it is taken for right. */
static const char *explained(const struct text *text, struct difference d)
{
    static char words[1024];
    char cause[256] = "";
    struct oracle oracle;
    const struct input input =
        input_of_text(&histogram_contract, text->name, text->bytes, text->length, 0);
    d.input = &input;
    d.oracle = &oracle;
    d.cause = cause;
    d.size = sizeof cause;
    verify_count(text->bytes, text->length, oracle.bins);
    cr_assert(!contract_compare(&d), "was taken for right");
    first_cause(&d);
    contract_explain(&d, words, sizeof words);
    return words;
}

/* The explanation of `counted`; the test fails when it is taken for right. */
static const char *explanation(const struct text *text, const unsigned int *counted,
                               const unsigned int *again)
{
    return explained(text, (struct difference){.held = (const unsigned char *)counted,
                                               .again = (const unsigned char *)again,
                                               .blocks = BLOCKS,
                                               .threads_per_block = THREADS});
}

#define EXPECT_MESSAGE(words, part)                                                                \
    cr_expect(strstr(words, part) != NULL, "expected \"%s\" in:\n%s", part, words)

/* Counts what `skips` does not skip: a kernel with a planted mistake. */
typedef bool skipping(size_t i, unsigned char byte);
static void count_without(const struct text *text, unsigned int *bins, skipping *skips)
{
    struct text kept = text_from("", text->bytes, text->length);
    kept.length = 0;
    for (size_t i = 0; i < text->length; i++)
        if (!skips || !skips(i, text->bytes[i]))
            kept.bytes[kept.length++] = text->bytes[i];
    verify_count(kept.bytes, kept.length, bins);
    text_free(&kept);
}

#define SKIPS(name, which)                                                                         \
    static bool name(size_t i, unsigned char byte)                                                 \
    {                                                                                              \
        (void)i, (void)byte;                                                                       \
        return which;                                                                              \
    }
enum { OF_A_THREAD = (LENGTH + BLOCKS * THREADS - 1) / (BLOCKS * THREADS) };
SKIPS(everything, true)
SKIPS(in_tail, i >= LENGTH - 3)
SKIPS(contiguous_last_block, i / (OF_A_THREAD * THREADS) == BLOCKS - 1)
SKIPS(of_last_bin, bin_of(byte) == NUM_BINS - 1)

Test(check, counts_as_the_binning_says)
{
    for (int byte = 0; byte < 256; byte++) {
        unsigned char character = (unsigned char)byte;
        unsigned int bins[NUM_BINS];
        verify_count(&character, 1, bins);
        for (int bin = 0; bin < NUM_BINS; bin++)
            cr_expect((bins[bin] == 1) == (bin == bin_of(character)), "byte %d, bin %d: %u", byte,
                      bin, bins[bin]);
    }
}

Test(check, counts_nothing_in_an_empty_text)
{
    unsigned int bins[NUM_BINS], zero[NUM_BINS] = {0};
    memset(bins, 1, sizeof bins);
    verify_count((const unsigned char *)"", 0, bins);
    cr_expect(memcmp(bins, zero, sizeof bins) == 0);
}

Test(check, takes_right_counts_for_right)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    struct run run = {.input = input_of_text(&histogram_contract, "", text.bytes, text.length, 0),
                      .finished = true};
    verify_count(text.bytes, text.length, bins);
    run_compare(&run, bins, NULL);
    cr_expect(run.right);
}

Test(check, names_input_bins_expected_and_counted)
{
    struct text text = text_from("five letters", "yyzzb", 5);
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[NUM_BINS == 256 ? 'y' : NUM_BINS == 26 ? 24 : 4] -= 1;
    const char *words = explanation(&text, bins, NULL);
    EXPECT_MESSAGE(words, "wrong on five letters: 1 of");
    EXPECT_MESSAGE(words, NUM_BINS == 256  ? "bin 121 ('y'): expected 2, counted 1"
                          : NUM_BINS == 26 ? "bin 24 (y): expected 2, counted 1"
                                           : "bin 4 (y-z): expected 4, counted 3");
}

Test(check, lists_five_bins_at_most)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS] = {0};
    const char *words = explanation(&text, bins, NULL);
    size_t lines = 0;
    for (const char *at = words; (at = strstr(at, "\n  bin ")); at++)
        lines++;
    cr_expect(lines == 5, "%s", words);
    cr_expect((strstr(words, "and so on") != NULL) == (NUM_BINS > 5), "%s", words);
}

/* What a kernel has counted wrong, on this schedule and on another, and what is said of it. */
static const struct fault {
    const char *says;
    skipping *skips;
    unsigned int times; /* that it came, 0 for once */
    struct {
        int bin;
        unsigned int more;
    } change[2];
    unsigned int again; /* more in bin 1 on the other schedule */
} fault[] = {
    {"nothing was added to d_bins", .skips = everything},
    {"every block reads all characters", .times = BLOCKS},
    {"first 4,997 characters", .skips = in_tail},
    {"exactly what block 7, the last block, read is missing", .skips = contiguous_last_block},
    {"only bin", .skips = of_last_bin},
    {"7 counts too many in some bins, 3 too few in others",
     .change = {{0, 7}, {NUM_BINS - 2, -3u}}},
    {"though no race was seen: updates are lost", .change = {{1, 5}}, .again = -5u},
    {"do not begin with 0", .change = {{2, 0xdeadbeef}}},
    {"2 of 5,000 characters are missing", .change = {{0, -2u}}},
    {"come to a wrong bin", .change = {{0, -1u}, {1, 1}}},
};

Test(check, names_the_cause_of_each_mistake)
{
    struct text text = the_text();
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++) {
        const struct fault *one = &fault[i];
        unsigned int bins[NUM_BINS], again[NUM_BINS];
        count_without(&text, bins, one->skips);
        for (int bin = 0; bin < NUM_BINS && one->times > 0; bin++)
            bins[bin] *= one->times;
        for (int j = 0; j < 2; j++)
            bins[one->change[j].bin] += one->change[j].more;
        memcpy(again, bins, sizeof again);
        again[1] += one->again;
        EXPECT_MESSAGE(explanation(&text, bins, again), one->says);
    }
}

/* What is said of bins that are all 0, when somebody has watched. */
static const char *printed_for_zeros(uint64_t updates)
{
    const unsigned int bins[NUM_BINS] = {0};
    const struct measurement seen = {.launches = 1, .bins.atomic.lanes = updates};
    struct text text = the_text();
    return explained(&text,
                     (struct difference){.held = (const unsigned char *)bins, .seen = &seen});
}

Test(check, sees_that_nothing_was_committed)
{
    EXPECT_MESSAGE(printed_for_zeros(0), "nothing was added to d_bins");
    EXPECT_MESSAGE(printed_for_zeros(5), "only zeros were added to d_bins");
}

Test(check, says_the_cause_in_its_first_line)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS] = {0};
    const char *words = explanation(&text, bins, bins), *cause = strstr(words, "likeliest cause");
    cr_expect(cause && cause < strchr(words, '\n'), "%s", words);
}

/* Any count of a text of one letter is that of its beginning, which says nothing of a cause. */
Test(check, takes_no_text_of_one_letter_for_one_without_its_tail)
{
    struct text text = text_of(TEXT_SINGLE, 1, LENGTH);
    unsigned int bins[NUM_BINS];
    count_without(&text, bins, in_tail);
    const char *words = explanation(&text, bins, bins);
    cr_expect_null(strstr(words, "tail"), "%s", words);
    text_free(&text);
}

/* Of bins of which no more is known than that they are wrong. */
Test(check, says_of_bins_alone_what_is_wrong)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    struct run run = {.input =
                          input_of_text(&histogram_contract, "a text", text.bytes, text.length, 0),
                      .finished = true};
    count_without(&text, bins, in_tail);
    run_compare(&run, bins, NULL);
    cr_assert(!run.right);
    EXPECT_MESSAGE(run.why, "wrong on a text: ");
    EXPECT_MESSAGE(run.why, "first 4,997 characters");
    text_free(&text);
}

Test(check, groups_digits_by_three)
{
    cr_expect_str_eq(grouped(0), "0");
    cr_expect_str_eq(grouped(999), "999");
    cr_expect_str_eq(grouped(1000), "1,000");
    cr_expect_str_eq(grouped(1048576), "1,048,576");
    cr_expect_str_eq(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}
