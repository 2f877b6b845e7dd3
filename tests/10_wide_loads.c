/* 10_wide_loads.c - right, and the text is read in words of 16 characters, several at a time. */
#include "histogram/harness.h"

#include <string.h>

/* 4,096 words of 16, and no tail. */
enum { LENGTH = 1 << 16 };

/* Words that have no factor in common with any grid, so that some threads have one more than
 * others; and more than two for each of the 132 x 2,048 = 270,336 threads of a large GPU. */
enum { WORDS = 589829, LONG = 16 * WORDS };

/* Catches a head that is longer than the text, a head or a tail that is lost or counted twice,
 * and a word that reaches over either end. */
Test(chapter10, is_right_where_words_begin_and_end)
{
    expect_right_on_short_texts();
}

/* Catches words that are lost where a thread has fewer left than it loads at a time. */
Test(chapter10, is_right_where_rounds_end)
{
    expect_right_around_rounds();
}

/* A lane's load brings 16 characters, but for those before the first aligned word, at most 15,
 * and after the last, at most 15 again. So a text of n characters takes at most n / 16 + 30
 * loads of lanes, and each character is read once. */
static void expect_loads_of_16(const struct measurement *cost, const char *where)
{
    expect_at_most(cost->text.load.lanes, "loads of the threads", cost->length / 16 + 30,
                   "with 16 characters a load, each uint4 loaded as a whole, a text that begins "
                   "%s takes %s / 16 + 15 before the first aligned word + 15 after the last",
                   where, grouped(cost->length));
    expect_exactly(cost->reading.bytes, "characters read", cost->length,
                   "each character is read once, and there are %s", grouped(cost->length));
}

/* Neighboring lanes read neighboring words: the 512 characters of a request lie in 16 sectors, or
 * 17 where it begins in the middle of one, as in a part of the text that belongs to a block. The head and the tail may touch two sectors each, once for each character if a single thread
 * reads them all: 30 more. */
static void expect_words_together(const struct measurement *cost)
{
    expect_at_most(cost->text.load.sectors, "sectors loaded",
                   cost->length / 32 + cost->text.load.requests + 30,
                   "neighboring words fill their sectors of 32 characters: %s / 32 + %s requests "
                   "that may begin in the middle of one + 30 for the head and the tail",
                   grouped(cost->length), grouped(cost->text.load.requests));
}

/* As in chapter 6: at most blocks x bins atomics on the final bins, and none while the threads
 * still read. */
static void expect_bins_touched_to_commit(const struct measurement *cost)
{
    expect_exactly(cost->elsewhere.atomic.lanes, "global atomics elsewhere than on the final bins",
                   0, "a block's bins lie in shared memory, and none is needed");
    expect_commits_once(cost, "bins", num_bins());
}

/* Catches reading byte by byte, in words of 4 or 8, or one component of a uint4 at a time; a kernel
 * that reads words only where the text happens to be aligned; threads that read a section of several
 * words each, where every lane touches a sector of its own; and kernels that count in global memory. */
Test(chapter10, reads_16_characters_a_load)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    const struct measurement cost = measure(&text), elsewhere = measure_at(&text, 5);
    expect_loads_of_16(&cost, "at a multiple of 16");
    expect_loads_of_16(&elsewhere, "5 bytes after a multiple of 16");
    expect_words_together(&cost);
    expect_bins_touched_to_commit(&cost);
    technique_is("%s load requests for %s characters, %.1f sectors each",
                 grouped(cost.text.load.requests), grouped(cost.length),
                 (double)cost.text.load.sectors / (double)cost.text.load.requests);
    text_free(&text);
}

/* A loop that loads one word a round and counts it has one load in flight. Several are, when a
 * thread makes them before it counts; and when a round of its loop has several, each counted before
 * the next, since a compiler that unrolls the round moves the loads to its front. Here nobody
 * unrolls, but a thread makes whole rounds only. Every word of this text has one letter, so that
 * whoever counts it makes an atomic. Catches a loop over single words, and one word a thread. */
Test(chapter10, has_several_loads_in_flight)
{
    struct text text = text_of(TEXT_SINGLE, 1, LONG);
    memset(text.bytes, ',', LONG);
    for (size_t i = 0; i < LONG; i += 16)
        text.bytes[i] = 'k';
    set_multiprocessors(8);
    const struct reading reading = measure(&text).reading;
    expect_at_least(reading.in_a_row > 1 ? reading.in_a_row : reading.in_a_round,
                    "load of a thread at a time", 2,
                    "several are in flight when a thread makes them before it counts the first of "
                    "their words, at least");
    text_free(&text);
}

/* As in chapter 6: each counted character adds one in shared memory. Catches counting in
 * registers, and atomics for several characters, which belong to other chapters. */
Test(chapter10, makes_one_shared_atomic_for_each_counted_character)
{
    expect_counted_by_shared_atomics(LENGTH, "a block's bins in shared memory");
}
