/* The ways in which a CPU counts are right, and what is wrong gets no time. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"
#include "ways.h"
#include "binning.h"
#include "verify.h"
#include "text.h"

static const struct {
    const char *name;
    way *count;
} ways[] = {
    {"16 tables", count_in_16_tables},
#if BINS != 256
    {"comparing", count_by_comparing},
#endif
};
enum { WAYS = sizeof ways / sizeof *ways };

/* On one core and on all, in bins that are not empty. */
static void expect_every_way_right(const char *what, const unsigned char *text, size_t length)
{
    unsigned int expected[NUM_BINS];
    verify_count(text, length, expected);
    for (size_t i = 0; i < 2 * WAYS; i++) {
        unsigned int bins[NUM_BINS];
        for (unsigned int bin = 0; bin < NUM_BINS; bin++)
            bins[bin] = 1000 * bin;
        if (i < WAYS)
            ways[i].count(text, length, bins);
        else
            on_all_cores(ways[i - WAYS].count, text, length, bins);
        for (unsigned int bin = 0; bin < NUM_BINS; bin++)
            cr_expect(bins[bin] - 1000 * bin == expected[bin],
                      "%s%s, %s, %zu characters: bin %u has %u, expected %u", ways[i % WAYS].name,
                      i < WAYS ? "" : " on all cores", what, length, bin, bins[bin] - 1000 * bin,
                      expected[bin]);
    }
}

/* Bytes that are counted stand before and after the text. */
Test(yardstick, counts_every_length_at_every_alignment)
{
    const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 1000};
    unsigned char memory[1100];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t begin = 0; begin <= 33; begin++) {
            struct text text = text_of(TEXT_ZIPF, begin, lengths[i]);
            memset(memory, NUM_BINS == 256 ? 0 : 'a', sizeof memory);
            memcpy(memory + begin, text.bytes, text.length);
            expect_every_way_right(text.name, memory + begin, text.length);
            text_free(&text);
        }
}

/* Byte 0 once, byte 1 twice, and so on: no two values can be mixed up. */
Test(yardstick, tells_every_value_of_a_byte_from_every_other)
{
    static unsigned char text[256 * 257 / 2];
    size_t length = 0;
    for (unsigned int byte = 0; byte < 256; byte++)
        for (unsigned int times = 0; times <= byte; times++)
            text[length++] = (unsigned char)byte;
    expect_every_way_right("a triangle of all bytes", text, length);
}

/* One less, as many, and one more than counters of 8 and of 16 bits could hold, in one table of
 * several and in one lane of a vector. */
Test(yardstick, counts_one_character_more_often_than_small_counters_can)
{
    struct text text = text_of(TEXT_SINGLE, 1, (17u << 16) + 1);
    const size_t limits[] = {255, 255 * 16, 255 * 32, 65535, 65535 * 16};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t length = limits[i] - 1; length <= limits[i] + 33; length += 17)
            expect_every_way_right(text.name, text.bytes, length);
    expect_every_way_right(text.name, text.bytes, text.length);
    text_free(&text);
}

/* Whatever is not read could change without anyone noticing. */
Test(yardstick, reads_every_character)
{
    unsigned char text[67] = {0};
    for (size_t length = 1; length <= sizeof text; length++)
        for (size_t i = 0; i < length; i++) {
            unsigned int before[NUM_BINS] = {0}, after[NUM_BINS] = {0};
            read_only(text, length, before);
            text[i] ^= 0x55;
            read_only(text, length, after);
            cr_expect(before[0] != after[0], "character %zu of %zu is not read", i, length);
        }
}

/* Planted mistakes. */
static void loses_the_tail(const unsigned char *text, size_t length, unsigned int *bins)
{
    count_in_16_tables(text, length / 16 * 16, bins);
}

static int calls;

/* Right when it is checked for the first time. */
static void becomes_wrong(const unsigned char *text, size_t length, unsigned int *bins)
{
    count_in_16_tables(text, calls++ > 0 ? length - 1 : length, bins);
}

static void expect_refused(const char *name, way *wrong, const char *cause)
{
    struct text text = text_of(TEXT_SINGLE, 1, 100001);
    struct contestant contestants[] = {
        {.name = "right", .run = count_in_16_tables, .counts = true},
        {.name = name, .run = wrong, .counts = true},
    };
    char error[2048] = "";
    cr_expect(time_all(contestants, 2, &text, 0, error, sizeof error) == 0, "%s: was timed", name);
    cr_expect(strncmp(error, name, strlen(name)) == 0 && strstr(error, cause), "%s: %s", name,
              error);
    text_free(&text);
}

/* What is refused, and how often is timed, does not depend on the number of bins. */
static void once_for_all_bins(void)
{
    if (NUM_BINS != 5)
        cr_skip_test("done with 5 bins");
}

Test(yardstick, refuses_to_time_what_counts_wrongly, .init = once_for_all_bins)
{
    expect_refused("loses the tail", loses_the_tail, "expected 100,001, counted 100,000");
}

Test(yardstick, refuses_the_times_of_what_becomes_wrong, .init = once_for_all_bins)
{
    expect_refused("becomes wrong", becomes_wrong, "expected 100,001, counted 100,000");
    cr_expect(calls == 2 + LEAST_RUNS, "%d calls", calls);
}

Test(yardstick, refuses_what_is_wrong_on_all_cores_only, .init = once_for_all_bins)
{
    struct text text = text_of(TEXT_SINGLE, 1, 1001);
    struct contestant contestant = {
        .name = "the tail", .run = loses_the_tail, .counts = true, .all_cores = true};
    char error[2048] = "";
    cr_expect(time_all(&contestant, 1, &text, 0, error, sizeof error) == 0);
    cr_expect(strncmp(error, "the tail, all cores:", 20) == 0, "%s", error);
    text_free(&text);
}

Test(yardstick, sorts_the_times_of_as_many_runs_as_there_is_time_for, .init = once_for_all_bins)
{
    struct text text = text_of(TEXT_ENGLISH, 1, 5000);
    struct contestant contestant = {.name = "16", .run = count_in_16_tables, .counts = true};
    char error[2048];
    cr_expect_eq(time_all(&contestant, 1, &text, 0, error, sizeof error), LEAST_RUNS);
    cr_expect_eq(time_all(&contestant, 1, &text, 60, error, sizeof error), MOST_RUNS);
    const struct spread ms = contestant.ms;
    cr_expect(0 < ms.least && ms.least <= ms.low && ms.low <= ms.median);
    cr_expect(ms.median <= ms.high && ms.high <= ms.most);
    text_free(&text);
}
