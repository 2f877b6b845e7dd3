/* The texts that are timed hold what their names say. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "binning.h"
#include "kinds.h"

/* How many of `length` characters are the letter that is hot. */
static size_t hot_letters(const char *name, size_t length)
{
    char copy[16];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", name);
    struct text text = kind_of_text(copy, length);
    cr_assert_eq(text.length, length);
    for (size_t i = 0; i < length; i++)
        count += text.bytes[i] == 'e';
    text_free(&text);
    return count;
}

/* One letter in place of so many of 100 characters, and that letter among the others as often as
 * any. Catches a share of the wrong characters, or one that is cut off. */
Test(kinds, have_one_hot_letter)
{
    const size_t length = 1 << 16, alphabet = NUM_BINS == 256 ? 256 : 26;
    const unsigned int percents[] = {0, 25, 50, 99, 100};
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        char name[16];
        snprintf(name, sizeof name, "hot%u", percents[i]);
        const size_t hot = length * percents[i] / 100, expected = hot + (length - hot) / alphabet;
        const size_t counted = hot_letters(name, length);
        cr_expect(counted + length / 100 > expected && counted < expected + length / 100,
                  "%s: %zu of %zu characters are the letter, expected about %zu", name, counted,
                  length, expected);
    }
}
