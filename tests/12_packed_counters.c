/* 12_packed_counters.c - right, and one update of a small counter counts two characters.
 *
 * Bins: 5 26 */
#include "histogram/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block whose threads read four words of 16 characters each takes so many in a round. */
enum { WORDS_OF_A_BLOCK = 1024 * 16, ROUND = 4 * WORDS_OF_A_BLOCK };

/* With one multiprocessor this is eight rounds for its block. With all of them it would not even be
 * one, and the main loop would not be judged. */
enum { LENGTH = 8 * ROUND };

/* Each pair of bytes, in numbers that differ, so that no two can be exchanged unseen. Catches a
 * byte that is taken for a letter, a key that is another pair's too, and a letter that is
 * added where the other one of its pair belongs. */
Test(chapter12, is_right_on_pairs_of_any_bytes)
{
    enum { MOST = 7, PAIRS = 256 * 256 };
    unsigned char *text = malloc(2 * MOST * PAIRS);
    size_t length = 0;
    for (unsigned int first = 0; first < 256; first++)
        for (unsigned int second = 0; second < 256; second++)
            for (unsigned int i = 0; i <= (first + 3 * second) % MOST; i++) {
                text[length++] = (unsigned char)first;
                text[length++] = (unsigned char)second;
            }
    expect_right_once_at("all pairs of two bytes", text, length, 0);
    free(text);
}

/* Lengths at which a thread has one word of 16 more or fewer, or a block one round, and texts
 * that begin between two words. Catches a head, a tail or words after the last whole round that are
 * lost, or counted twice, or counted with what was loaded before. */
Test(chapter12, is_right_where_words_and_rounds_end)
{
    expect_right_where_rounds_end(WORDS_OF_A_BLOCK, ROUND);
}

/* 65,536 updates of one counter are one too many for 16 bits. A round makes 1,024 of them when
 * all its pairs are alike: 32 warps have a lane that shares it, with 4 words of 8 pairs. So
 * 64 rounds overflow, unless the table is emptied before. One multiprocessor has one block;
 * a GPU that cannot be told to has more, up to two on each. */
static void expect_no_overflow_in(size_t rounds, const char *pair)
{
#ifdef SIMULATED_GPU
    const size_t length = rounds * ROUND;
#else
    const size_t length = rounds * ROUND * 132 * 2;
#endif
    char name[64];
    snprintf(name, sizeof name, "%zu rounds of '%s', %s updates of a counter", rounds, pair,
             grouped(rounds * 1024));
    struct text text = text_from(name, pair, strlen(pair));
    text_resize(&text, length);
    set_multiprocessors(1);
    expect_right_once_at(name, text.bytes, text.length, 0);
    text_free(&text);
}

/* The key of "aa" is odd and that of "by" even: they count in the two halves of a word. Catches a
 * table that is not emptied, or once only, or a round too late, or not zeroed then. After 62 rounds the
 * last flush of a block may find nothing but zeros. */
Test(chapter12, survives_more_updates_than_a_counter_holds)
{
    expect_no_overflow_in(2 * 64 - 1, "a");
    expect_no_overflow_in(64, "by");
    expect_no_overflow_in(62, "ya");
}

/* One update counts two characters: in the main loop there are at most length / 2. On a text of
 * letters no pair can be left out, so there are that many, but for those of the last four words
 * of a thread, after which it reads no more. Catches an update for each character, and counting
 * without shared memory. */
Test(chapter12, makes_one_update_for_two_characters)
{
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

/* Each lane has counters of its own, in its bank: an update is one wavefront, whatever the
 * text. When the table is emptied lanes may meet: two requests for each of its 392 rows, each a
 * wavefront more. Catches counters that lanes share, or that lie in one
 * bank. */
Test(chapter12, lets_no_two_lanes_meet_in_a_bank)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_ENGLISH, TEXT_SINGLE};
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_at_most(cost.shared.atomic.wavefronts, "wavefronts of shared atomics",
                       cost.shared.atomic.requests + cost.blocks * 392 * 2,
                       "on %s text one for each of %s requests, and one more for each 2 letters of "
                       "392 rows in each of %s blocks",
                       text_kind_name(contents[i]), grouped(cost.shared.atomic.requests),
                       grouped(cost.blocks));
        text_free(&text);
    }
}

/* 28 x 28 keys, a counter of 2 bytes each for 32 lanes, and a KiB for all else. Catches counters
 * of 32 bits, which would take twice as much. */
Test(chapter12, packs_two_counters_into_a_word)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 14);
    struct measurement cost = measure(&text);
    expect_at_most(cost.shape.dynamic_shared + cost.shape.static_shared,
                   "bytes of shared memory a block", 28 * 28 * 32 * 2 + 1024,
                   "counters of 16 bits take keys x lanes x 2 + 1,024 for all else = 28 x 28 x 32 "
                   "x 2 + 1,024");
    text_free(&text);
}

/* Reading as in chapter 10: each character once, 16 by a lane, 16 sectors a request. */
Test(chapter12, reads_each_character_once_and_16_at_a_time)
{
    expect_reads_16_at_a_time(LENGTH);
}

/* A block commits its letters once: at most blocks x 26 global atomics, and none before. */
Test(chapter12, touches_global_bins_only_to_commit)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.global_atomics, "global atomics in the main loop", 0,
                   "the main loop counts in shared memory and needs none");
    expect_commits_once(&cost, "letters", 26);
    text_free(&text);
}
