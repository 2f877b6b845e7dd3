/* 14_slices.c - right, and next to reading nothing takes time: there is no memory traffic but the
 * text.
 *
 * Bins: 5 */
#include "histogram/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block whose threads read four words of 16 characters each takes so many in a round. */
enum { WORDS_OF_A_BLOCK = 1024 * 16, ROUND = 4 * WORDS_OF_A_BLOCK };

/* With one multiprocessor this is eight rounds for its block. With all of them it would not even be
 * one, and the main loop would not be judged. */
enum { LENGTH = 8 * ROUND };

/* Word `number` of a text in which each value of a byte stands at each place of a word once, and
 * `filler` at the others. */
static void write_word(unsigned char *word, size_t number, unsigned char filler)
{
    memset(word, filler, 16);
    word[number % 16] = (unsigned char)(number / 16);
}

/* Each value of a byte at each of the 32 places that a thread turns into slices together, and at
 * each place of each of the four words of a round: the 4,096 words, turned by a quarter from
 * round to round. Catches a bit that does not arrive in its slice or that another character's
 * bit disturbs, a bound that is one off, and upper bits that nobody looks at. */
Test(chapter14, is_right_with_any_byte_at_any_place)
{
    enum { WORDS = 16 * 256, ROUNDS = 4 };
    const unsigned char filler[] = {0, 'z', 255};
    unsigned char *text = malloc(ROUNDS * WORDS * 16);
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof filler; i++) {
        char what[64];
        for (size_t word = 0; word < ROUNDS * WORDS; word++)
            write_word(text + 16 * word, (word + word / WORDS * (WORDS / 4)) % WORDS, filler[i]);
        snprintf(what, sizeof what, "every byte at every place, %u elsewhere", filler[i]);
        expect_right_on(what, text, ROUNDS * WORDS * 16);
    }
    free(text);
}

/* Lengths at which a thread has one word of 16 more or fewer, or a block one round, and texts
 * that begin between two words. Catches a head, a tail or words after the last whole round that are
 * lost, or counted twice, or counted with what was loaded before, and loads behind the end. */
Test(chapter14, is_right_where_words_and_rounds_end)
{
    expect_right_where_rounds_end(WORDS_OF_A_BLOCK, ROUND);
}

/* Reading as in chapter 10: each character once, 16 by a lane, 16 sectors a request. */
Test(chapter14, reads_each_character_once_and_16_at_a_time)
{
    expect_reads_16_at_a_time(LENGTH);
}

/* A block commits its bins once: at most blocks x bins global atomics, and none before. */
Test(chapter14, touches_global_bins_only_to_commit)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.global_atomics, "global atomics in the main loop", 0,
                   "the main loop counts on the multiprocessor and needs none");
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
    text_free(&text);
}

/* Slices are counted in registers. Whatever the length, shared memory is asked for only at
 * the end: once a warp has added up a counter over its lanes, one of them adds it to the
 * block's bins, so there are at most blocks x warps x bins shared atomics. Head and tail need 15
 * each at most, and this text has neither. Catches counters in shared memory, and lanes that each
 * add for themselves. */
Test(chapter14, makes_shared_atomics_only_to_fold)
{
    set_multiprocessors(1);
    for (size_t rounds = 1; rounds <= 8; rounds *= 8) {
        struct text text = text_of(TEXT_UNIFORM, 1, rounds * ROUND);
        struct measurement cost = measure(&text);
        const uint64_t warps = cost.threads_per_block / 32;
        expect_at_most(cost.shared.atomic.lanes, "shared atomics", cost.blocks * warps * num_bins(),
                       "when the lanes of a warp add up their counters first, there are at most "
                       "blocks x warps x bins = %s x %s x %s",
                       grouped(cost.blocks), grouped(warps), grouped(num_bins()));
        if (rounds == 8)
            technique_is("%s load requests for %s characters, and %s shared atomics in all",
                         grouped(cost.text.load.requests), grouped(text.length),
                         grouped(cost.shared.atomic.lanes));
        text_free(&text);
    }
}

/* The other accesses to shared memory: the bins are zeroed, and loaded for the commit. A warp
 * makes at most bins requests for each. Catches counters in shared memory that need no atomic. */
Test(chapter14, uses_shared_memory_only_for_the_bins_of_the_block)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t warps = cost.threads_per_block / 32;
    expect_at_most(cost.shared.load.requests + cost.shared.store.requests,
                   "loads and stores in shared memory", cost.blocks * warps * num_bins() * 2,
                   "to zero the bins and to commit them takes at most blocks x warps x bins x 2 = "
                   "%s x %s x %s x 2",
                   grouped(cost.blocks), grouped(warps), grouped(num_bins()));
    text_free(&text);
}
