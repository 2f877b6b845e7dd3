/* 13_pipeline.c - right, and a thread has its next loads on their way while it counts the last. */
#include "histogram/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block whose threads read four words of 16 characters each takes so many in a round. */
enum { WORDS_OF_A_BLOCK = 1024 * 16, ROUND = 4 * WORDS_OF_A_BLOCK };

/* With one multiprocessor this is eight rounds for its block. With all of them it would not even be
 * one, and the main loop would not be judged. */
enum { LENGTH = 8 * ROUND };

/* Each counter of the table by itself: each value of a byte in the word of each lane, in numbers
 * that differ from lane to lane. Catches a fold that leaves out a counter, or adds one twice. */
Test(chapter13, loses_no_counter_of_a_row)
{
    enum { WORD = 16, LANES = 32, BYTE_VALUES = 256, TEXT = BYTE_VALUES * LANES * WORD };
    unsigned char *text = malloc(TEXT);
    set_multiprocessors(1);
    for (size_t place = 0; place < TEXT; place++) {
        const size_t value = place / (LANES * WORD), lane = place / WORD % LANES;
        const size_t most = (lane * 5 + value) % WORD;
        text[place] = (unsigned char)(place % WORD <= most ? value : value + 1);
    }
    expect_right_on("every byte in the word of every lane", text, TEXT);
    free(text);
}

/* Lengths at which a thread has one word of 16 more or fewer, or a block one round, and texts
 * that begin between two words. Catches a head, a tail or words after the last whole round that are
 * lost, or counted twice, or counted with what was loaded before, and loads behind the end. */
Test(chapter13, is_right_where_words_and_rounds_end)
{
    expect_right_where_rounds_end(WORDS_OF_A_BLOCK, ROUND);
}

/* Reading as in chapter 10: each character once, 16 by a lane, 16 sectors a request. */
Test(chapter13, reads_each_character_once_and_16_at_a_time)
{
    expect_reads_16_at_a_time(LENGTH);
}

/* A block commits once: at most blocks x bins global atomics, or one for each row that has a bin, and
 * none before. */
Test(chapter13, touches_global_bins_only_to_commit)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.global_atomics, "global atomics in the main loop", 0,
                   "the main loop counts on the multiprocessor and needs none");
    expect_commits_once(&cost, "rows", num_bins() < 26 ? 26 : num_bins());
    expect_no_counting_in_global_memory(&cost);
    text_free(&text);
}

/* As in chapter 11 an update is one wavefront, whatever the text. In the fold rows of one bin may
 * meet. Catches columns that lanes share, or that share a bank. */
Test(chapter13, lets_no_two_lanes_meet_in_a_bank)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_ENGLISH, TEXT_SINGLE};
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_at_most(
            cost.shared.atomic.wavefronts, "wavefronts of shared atomics",
            cost.shared.atomic.requests + cost.blocks * 256,
            "on %s text: one for each of %s requests, since a column is a bank, and %s x "
            "256 when blocks add their rows to their bins",
            text_kind_name(contents[i]), grouped(cost.shared.atomic.requests),
            grouped(cost.blocks));
        text_free(&text);
    }
}

/* A row is 128 bytes, and so all 32 banks: eight lanes that load four counters each need one
 * wavefront, when no two begin at the same place. A ring that lies in shared memory is loaded from there
 * in the main loop, and the last two rounds behind it. Catches rows that all begin with their first. */
Test(chapter13, folds_without_bank_conflicts)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, ROUND);
    struct measurement cost = measure(&text);
    const uint64_t ring = cost.reading.shared_loads > 0 ? cost.threads : 0;
    expect_at_most(cost.shared.load.wavefronts - cost.reading.shared_loads,
                   "wavefronts of loads from shared memory", cost.blocks * (256 + 64) + ring,
                   "a row takes one when no lanes conflict, and a block may load its bins, "
                   "too: blocks x (256 + 64) = %s x 320%s%s",
                   grouped(cost.blocks), ring ? ", and 128 bytes for each thread's ring: " : "",
                   ring ? grouped(ring) : "");
    text_free(&text);
}

/* Each character adds one to the table, so a thread has caught up when it has made as many
 * shared atomics as it has read characters. If it then loads again, it waits for memory with
 * nothing else to do. With the next round on its way before the last is counted that
 * happens after the last round at most. Catches a loop that loads, counts, and loads. */
Test(chapter13, loads_the_next_round_before_it_counts_the_last)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(cost.reading.shared_atomics, "shared atomics in the main loop",
                    LENGTH - cost.threads * 2 * 64,
                    "each character makes one, but for those of the last two rounds: length - "
                    "threads x 2 rounds x 64 = %s - %s x 2 x 64",
                    grouped(LENGTH), grouped(cost.threads));
    expect_at_most(cost.reading.caught_up, "loads of threads that had counted all they had read",
                   cost.threads, "in 8 rounds a thread makes at most one, after the last: threads");
    technique_is("%s load requests for %s characters, the next before the last is counted",
                 grouped(cost.text.load.requests), grouped(text.length));
    text_free(&text);
}
