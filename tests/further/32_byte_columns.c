/* 32_byte_columns.c - going further: the same columns, filled from words of 16 characters. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 16 };

/* Catches a head or a tail that is lost, and a word that reaches over either end. */
Test(further32, is_right_where_words_begin_and_end)
{
    expect_right_on_short_texts();
}

/* As in chapter 10: a word is 16 characters, but for those before the first aligned one and after the
 * last. Catches the chapter's loads of one character; and a thread that counts 16 words, 256
 * characters, before its counters are emptied, by what it does to one letter. */
Test(further32, reads_16_characters_a_load_without_atomics)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_SINGLE};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_at_most(cost.text.load.lanes, "loads of the threads", cost.length / 16 + 30,
                       "with 16 characters a load there are %s / 16 + 15 before the first aligned "
                       "word + 15 after the last",
                       grouped(cost.length));
        expect_exactly(cost.shared.atomic.lanes, "shared atomics", 0,
                       "a byte that one thread alone counts in needs none");
        expect_exactly(cost.reading.shared_conflicts, "wavefronts too many while counting", 0,
                       "lane l of a warp has bank l still: on %s", text.name);
        expect_commits_once(&cost, "bins", num_bins());
        if (i == 0)
            technique_is("%s loads of the threads for %s characters, no atomic and no conflict",
                         grouped(cost.text.load.lanes), grouped(cost.length));
        text_free(&text);
    }
}
