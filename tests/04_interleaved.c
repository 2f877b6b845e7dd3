/* 04_interleaved.c - right, and a warp's loads move as few sectors as can be. */
#include "harness.h"

/* Long enough for several characters a thread on the largest useful grid: a GPU of 132
 * multiprocessors holds 132 x 2,048 = 270,336 threads, and 2^20 / 270,336 > 3. */
enum { LENGTH = 1 << 20, SECTOR = 32 };

/* Catches all that depends on the length, on where the text begins, or on what stands in it:
 * a step that is not the number of threads in the grid, a last
 * round that is left out, a bound that is one too large. */
Test(chapter04, is_right_on_edge_cases)
{
    expect_right_on_edge_cases();
}

/* Catches bins that are set instead of added to. */
Test(chapter04, keeps_what_the_bins_held)
{
    expect_adds_to_bins();
}

/* Catches a missing check of the length, and one that is off by one. */
Test(chapter04, refuses_a_text_of_4294967296_characters, .exit_code = 1)
{
    call_with_too_long_a_text();
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(chapter04, reads_the_far_end_of_the_longest_text)
{
    expect_no_wrapped_index();
}

/* Memory moves in sectors of 32 bytes. The text begins at a multiple of 32, and every one of
 * its characters is counted, so no lane is idle: when the lanes of a warp read neighbors, a
 * request of 32 lanes moves 1 sector, and in all each sector is moved once, length / 32.
 * Catches contiguous sections (up to 32 sectors a request), threads that step by the block
 * instead of by the grid (the text is read several times), any stride but one. */
Test(chapter04, moves_each_sector_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.text.load.sectors, "sectors of the text were moved", LENGTH / SECTOR,
                   "when neighboring lanes read neighboring characters, each sector of 32 is moved "
                   "once: %s / 32",
                   grouped(cost.length));
    technique_is("%s sectors in %s load requests, the minimum", grouped(cost.text.load.sectors),
                 grouped(cost.text.load.requests));
    text_free(&text);
}

/* Interleaved partitioning, too, gives each thread several characters: on average at least
 * two for each thread that reads. Catches one character a thread, which is coalesced as well,
 * but no partitioning. */
Test(chapter04, gives_each_thread_several_characters)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(cost.length, "characters in the text", 2 * cost.reading.threads,
                    "%s threads read some of it, and several characters each are at least 2 x %s",
                    grouped(cost.reading.threads), grouped(cost.reading.threads));
    expect_exactly(cost.reading.bytes, "characters were read", cost.length,
                   "each is read by one thread, and the text has");
    text_free(&text);
}

/* The partitioning is all that changes: each counted character still costs one atomic on the
 * bins. Catches private copies, which belong to the next chapters. */
Test(chapter04, still_makes_one_global_atomic_for_each_counted_character)
{
    struct text text = text_of(TEXT_ENGLISH, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_exactly(cost.bins.atomic.lanes, "global atomics on the bins", cost.counted,
                   "the text has one for each character that is counted");
    text_free(&text);
}
