/* verify.c - the independent count, and the causes that it names for planted mistakes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "binning.h"
#include "grouped.h"
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
    const struct input input = input_of_text(text->name, text->bytes, text->length, 0);
    d.input = &input;
    d.oracle = &oracle;
    d.cause = cause;
    d.size = sizeof cause;
    verify_count(text->bytes, text->length, oracle.bins);
    cr_assert(!bins_are_right(&d), "was taken for right");
    first_cause(likely_causes, &d);
    explain_bins(&d, words, sizeof words);
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

#define EXPECT_SAID(words, part)                                                                   \
    cr_expect(strstr(words, part) != NULL, "expected \"%s\" in:\n%s", part, words)

/* Counts what `skips` does not skip: a kernel with a planted mistake. */
static void count_without(const struct text *text, unsigned int *bins, bool (*skips)(size_t i))
{
    struct text kept = text_from("", text->bytes, text->length);
    kept.length = 0;
    for (size_t i = 0; i < text->length; i++)
        if (!skips(i))
            kept.bytes[kept.length++] = text->bytes[i];
    verify_count(kept.bytes, kept.length, bins);
    text_free(&kept);
}

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
    char words[64] = "";
    verify_count(text.bytes, text.length, bins);
    struct verify_result result = {
        .input = "", .text = text.bytes, .length = text.length, .counted = bins};
    cr_expect(verify_is_right(&result, words, sizeof words));
}

Test(check, names_input_bins_expected_and_counted)
{
    struct text text = text_from("five letters", "yyzzb", 5);
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[NUM_BINS == 256 ? 'y' : NUM_BINS == 26 ? 24 : 4] -= 1;
    const char *words = explanation(&text, bins, NULL);
    EXPECT_SAID(words, "wrong on five letters: 1 of");
    EXPECT_SAID(words, NUM_BINS == 256  ? "bin 121 ('y'): expected 2, counted 1"
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

/* What is said of bins that are all 0, when somebody has watched. */
static const char *said_of_zeros(uint64_t launches, uint64_t updates)
{
    const unsigned int bins[NUM_BINS] = {0};
    const struct measurement seen = {.launches = launches, .bins.atomic.lanes = updates};
    struct text text = the_text();
    return explained(&text,
                     (struct difference){.held = (const unsigned char *)bins, .seen = &seen});
}

Test(check, sees_that_nothing_was_committed)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS] = {0};
    EXPECT_SAID(explanation(&text, bins, bins), "nothing was added to d_bins");
    EXPECT_SAID(said_of_zeros(0, 0), "no kernel was launched");
    EXPECT_SAID(said_of_zeros(1, 0), "no thread has added anything to d_bins");
    EXPECT_SAID(said_of_zeros(1, 5), "only zeros were added to d_bins");
}

Test(check, says_the_cause_in_its_first_line)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS] = {0};
    const char *words = explanation(&text, bins, bins), *cause = strstr(words, "likeliest cause");
    cr_expect(cause && cause < strchr(words, '\n'), "%s", words);
}

Test(check, sees_that_every_thread_of_a_block_merges)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] *= THREADS;
    EXPECT_SAID(explanation(&text, bins, bins), "every thread of a block merges");
}

Test(check, sees_counts_too_many_and_too_few)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[bin_of('a')] += 7;
    bins[bin_of('z')] -= 3;
    EXPECT_SAID(explanation(&text, bins, bins),
                "7 counts too many in some bins, 3 too few in others");
}

Test(check, sees_counts_merged_twice)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] *= 2;
    EXPECT_SAID(explanation(&text, bins, bins), "exactly 2 times too large");
}

Test(check, sees_that_every_block_counts_everything)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] *= BLOCKS;
    EXPECT_SAID(explanation(&text, bins, bins), "every block counts the whole text");
}

static bool in_tail(size_t i)
{
    return i >= LENGTH - 3;
}

Test(check, sees_a_dropped_tail)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    count_without(&text, bins, in_tail);
    EXPECT_SAID(explanation(&text, bins, bins), "first 4,997 characters");
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
    char words[256];
    count_without(&text, bins, in_tail);
    const struct verify_result result = {
        .input = "a text", .text = text.bytes, .length = text.length, .counted = bins};
    cr_assert(!verify_is_right(&result, words, sizeof words));
    EXPECT_SAID(words, "wrong on a text: ");
    EXPECT_SAID(words, "first 4,997 characters");
    text_free(&text);
}

static bool interleaved_block_0(size_t i)
{
    return i / THREADS % BLOCKS == 0;
}

Test(check, sees_that_block_0_is_lost)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    count_without(&text, bins, interleaved_block_0);
    EXPECT_SAID(explanation(&text, bins, bins), "exactly what block 0 read is missing");
}

static bool contiguous_last_block(size_t i)
{
    size_t section = (LENGTH + BLOCKS * THREADS - 1) / (BLOCKS * THREADS);
    return i / (section * THREADS) == BLOCKS - 1;
}

Test(check, sees_that_the_last_of_contiguous_blocks_is_lost)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    count_without(&text, bins, contiguous_last_block);
    EXPECT_SAID(explanation(&text, bins, bins), "exactly what block 7 read is missing");
}

static bool end_of_section(size_t i)
{
    size_t section = (LENGTH + BLOCKS * THREADS - 1) / (BLOCKS * THREADS);
    return i % section == section - 1;
}

Test(check, sees_a_section_that_is_one_too_short)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    count_without(&text, bins, end_of_section);
    EXPECT_SAID(explanation(&text, bins, bins), "last character of each thread's section");
}

static bool some_block(size_t i)
{
    return i * 7919 % BLOCKS == 3;
}

Test(check, sees_that_about_a_block_is_missing)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    count_without(&text, bins, some_block);
    EXPECT_SAID(explanation(&text, bins, bins), "the share of one of the 8 blocks");
}

Test(check, sees_a_loop_over_the_bins_that_is_too_short)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[NUM_BINS - 1] = 0;
    EXPECT_SAID(explanation(&text, bins, bins), "only bin");
}

Test(check, sees_updates_that_are_lost_by_a_race)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS], again[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    memcpy(again, bins, sizeof again);
    bins[1] /= 2;
    again[1] /= 3;
    EXPECT_SAID(explanation(&text, bins, again), "though no race was seen: too few");
}

Test(check, sees_counters_that_are_used_too_early)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS], again[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    memcpy(again, bins, sizeof again);
    bins[1] += 5;
    EXPECT_SAID(explanation(&text, bins, again), "though no race was seen: too many");
}

Test(check, sees_counters_that_nobody_zeroed)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[2] += 0xdeadbeef;
    EXPECT_SAID(explanation(&text, bins, bins), "were not zeroed");
}

Test(check, sees_too_much_in_a_text_that_has_nothing_to_count)
{
    struct text text = text_from("nothing", "", 0);
    unsigned int bins[NUM_BINS] = {0};
    bins[0] = 1;
    EXPECT_SAID(explanation(&text, bins, bins), "were not zeroed");
}

Test(check, says_whether_counts_are_missing_or_too_many)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[0] -= 2;
    EXPECT_SAID(explanation(&text, bins, bins), "2 of 5,000 characters are missing");
    bins[0] += 4;
    EXPECT_SAID(explanation(&text, bins, bins), "2 counts too many");
    bins[0] -= 3;
    bins[1] += 1;
    EXPECT_SAID(explanation(&text, bins, bins), "came to a wrong bin");
}

#if BINS == 256
Test(check, sees_signed_characters)
{
    struct text text = the_text();
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    memset(bins + 128, 0, 128 * sizeof *bins);
    EXPECT_SAID(explanation(&text, bins, bins), "signed char");
}
#else
Test(check, sees_that_skipped_characters_are_counted)
{
    struct text text = text_from("a sentence", "one two three", 13);
    unsigned int bins[NUM_BINS];
    verify_count(text.bytes, text.length, bins);
    bins[0] += 2; /* the blanks */
    EXPECT_SAID(explanation(&text, bins, bins), "must be skipped");
}
#endif

Test(check, groups_digits_by_three)
{
    cr_expect_str_eq(grouped(0), "0");
    cr_expect_str_eq(grouped(999), "999");
    cr_expect_str_eq(grouped(1000), "1,000");
    cr_expect_str_eq(grouped(1048576), "1,048,576");
    cr_expect_str_eq(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}
