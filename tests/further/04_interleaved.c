/* 04_interleaved.c - the exercise of chapter 4: four characters a load, still side by side. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 16, SECTOR = 32, CHARACTERS_PER_LOAD = 4, LANES = 32 };

/* Catches a head that is longer than the text, a head or a tail that is lost or counted twice, and a
 * word that reaches over either end. */
Test(further04, is_right_where_words_begin_and_end)
{
    expect_right_on_short_texts();
}

/* A request of 32 lanes brings 128 characters. Catches a load for each character, and a uchar4
 * whose parts are loaded one by one. */
Test(further04, loads_four_characters_at_a_time)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.text.load.requests, "load requests", LENGTH / (LANES * CHARACTERS_PER_LOAD),
                   "with 4 characters a lane a warp loads 128 at a time, so there are %s / 128",
                   grouped(cost.length));
    expect_exactly(cost.reading.bytes, "characters were read", cost.length,
                   "each is read once, and the text has");
    technique_is("%s load requests for %s characters, %.0f sectors each",
                 grouped(cost.text.load.requests), grouped(cost.length),
                 (double)cost.text.load.sectors / (double)cost.text.load.requests);
    text_free(&text);
}

/* Neighboring lanes load neighboring words: a request has 4 sectors, in all each is moved once.
 * Catches threads that take four sectors in a row each, or any stride but one. */
Test(further04, still_moves_each_sector_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.text.load.sectors, "sectors of the text were moved", LENGTH / SECTOR,
                   "when neighboring lanes load neighboring words, each sector of 32 is moved "
                   "once: %s / 32",
                   grouped(cost.length));
    text_free(&text);
}

/* Words are aligned wherever the text begins: at most 3 characters before them, 3 after them, and
 * one request that is not full. Catches a kernel that goes by single characters when the text is
 * not aligned. */
Test(further04, loads_words_wherever_the_text_begins)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure_at(&text, 5);
    expect_at_most(cost.text.load.lanes, "loads of the threads", LENGTH / CHARACTERS_PER_LOAD + 6,
                   "a text that begins 5 bytes after a multiple of 16 takes at most %s / 4 + 3 "
                   "before the first aligned word + 3 after the last",
                   grouped(cost.length));
    text_free(&text);
}

/* The loads are all that changes. Catches private copies, which belong to the next chapters. */
Test(further04, still_makes_one_global_atomic_for_each_counted_character)
{
    struct text text = text_of(TEXT_ENGLISH, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_exactly(cost.bins.atomic.lanes, "global atomics on the bins", cost.counted,
                   "the text has one for each character that is counted");
    text_free(&text);
}
