/* 12_packed_counters.c - going further: joint keys with a counter of 32 bits each. */
#include "histogram/harness.h"

/* As in the chapter: what a block of 1,024 threads reads in a round, and keys of at least 27 codes,
 * the letters and one for all else. */
enum { ROUND = 4 * 1024 * 16, KEYS = 27 * 27, MOST_KEYS = 28 * 28, LANES = 32 };

/* Catches counters of 16 bits. */
Test(further12, has_a_whole_word_for_each_counter)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 14);
    struct measurement cost = measure(&text);
    expect_at_least(cost.shape.dynamic_shared + cost.shape.static_shared,
                    "bytes of shared memory a block", KEYS * LANES * 4,
                    "counters of 32 bits take keys x lanes x 4, at least 27 x 27 x 32 x 4");
    text_free(&text);
}

/* 64 rounds of one pair make a counter of 16 bits overflow; one of 32 bits holds 2^32 - 1 updates,
 * more than any text has pairs. So a block empties its table once, at the end: a load of a warp for
 * each key, and some for the letters. Catches a flush in the loop. */
Test(further12, empties_its_table_once)
{
    enum { FOR_LETTERS = 64 };
    struct text text = text_from("64 rounds of 'a'", "a", 1);
    text_resize(&text, 64 * ROUND);
    set_multiprocessors(1);
    struct measurement cost = measure(&text);
    expect_at_most(cost.shared.load.requests, "loads of warps from shared memory",
                   cost.blocks * (MOST_KEYS + FOR_LETTERS),
                   "a block that empties its table once makes one for each key and some for the "
                   "letters, at most %s x (28 x 28 + 64)",
                   grouped(cost.blocks));
    text_free(&text);
}

/* As in the chapter. */
Test(further12, makes_one_update_for_two_characters)
{
    enum { LENGTH = 8 * ROUND };
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.reading.shared_atomics, "shared atomics in the main loop", LENGTH / 2,
                   "one for two characters makes at most length / 2 = %s / 2", grouped(LENGTH));
    expect_at_least(cost.reading.shared_atomics, "shared atomics in the main loop",
                    LENGTH / 2 - cost.threads * 4 * 8,
                    "a block's counters in shared memory get one for each two characters, but for "
                    "those that its threads read last: length / 2 - threads x 4 words x 8 pairs = "
                    "%s / 2 - %s x 4 x 8",
                    grouped(LENGTH), grouped(cost.threads));
    technique_is("%s shared atomics in the main loop for %s characters, %s bytes of counters",
                 grouped(cost.reading.shared_atomics), grouped(LENGTH),
                 grouped(cost.shape.dynamic_shared + cost.shape.static_shared));
    text_free(&text);
}
