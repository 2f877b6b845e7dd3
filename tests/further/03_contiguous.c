/* further/03_contiguous.c - right, by sections as in the chapter, which are read 16 characters at a
 * time. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 20, WIDE = 16 * 32 }; /* characters of a load of a warp */

/* Catches the interleaved partitioning, and words that are read twice where sections meet. */
Test(further03, gives_each_thread_one_contiguous_section)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.contiguous, "threads read one contiguous section",
                   cost.reading.threads,
                   "each thread that reads anything has to read one, and there are");
    expect_exactly(cost.reading.bytes, "characters were read", cost.length,
                   "each character belongs to one section, and the text has");
    text_free(&text);
}

/* Half as many again as the fewest: a section may end within a word. Catches loads of one character,
 * of 4 and of 8, of which 8 need twice the fewest. */
Test(further03, loads_16_characters_at_a_time)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.text.load.requests, "load requests", 3 * LENGTH / WIDE / 2,
                   "with 16 characters for each of 32 lanes they are length / 512, and half as "
                   "many again are allowed: 3 x %s / 512 / 2",
                   grouped(LENGTH));
    technique_is("%s load requests of sections, %s sectors in all",
                 grouped(cost.text.load.requests), grouped(cost.text.load.sectors));
    text_free(&text);
}
