/* 13_pipeline.c - further: eight words are on their way in shared memory while one is counted. */
#include "histogram/harness.h"

/* What a block of 1,024 threads with four words of 16 characters each takes in a round, and eight
 * rounds of a single block. */
enum { ROUND = 4 * 16 * 1024, LENGTH = 8 * ROUND };

/* As chapter 13 asks. Catches a copy into shared memory that is waited for at once. */
Test(further13, loads_before_it_counts_the_last)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.reading.caught_up, "loads of threads that had counted all they had read",
                   cost.threads, "in 8 rounds a thread makes at most one, after the last: threads");
    text_free(&text);
}

/* A word that is copied is stored to shared memory once, and loaded from there once. Catches the
 * solution of chapter 13, whose words go to registers. */
Test(further13, takes_the_text_through_shared_memory)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(cost.shared.store.lanes, "stores to shared memory", LENGTH / 16,
                    "each word of 16 characters is copied there: %s / 16", grouped(LENGTH));
    expect_at_least(cost.shared.load.lanes, "loads from shared memory", LENGTH / 16,
                    "each word is taken from there to be counted: %s / 16", grouped(LENGTH));
    text_free(&text);
}

/* Eight words and the one that is counted: before its first atomic a thread has sent for nine. Catches
 * a ring of four, and places that are filled one word too late. */
Test(further13, has_eight_words_on_their_way)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(
        cost.reading.in_a_row, "loads of a thread before it counts", 9,
        "the word that it is about to count and those that are on their way make 1 + 8");
    technique_is(
        "%s loads of a thread before it counts, and %s words of 16 taken from shared memory",
        grouped(cost.reading.in_a_row), grouped(LENGTH / 16));
    text_free(&text);
}
