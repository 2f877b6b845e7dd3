/* 04_interleaved.c - right, and a warp's loads move as few sectors as can be.
 *
 * The edge cases of tests/histogram.c catch here a step that is not the number of threads in the
 * grid, a last round that is left out, a bound that is one too large. */
#include "histogram/harness.h"

/* Long enough for several characters a thread on the largest useful grid: a GPU of 132
 * multiprocessors holds 132 x 2,048 = 270,336 threads, and 2^20 / 270,336 > 3. */
enum { LENGTH = 1 << 20, SECTOR = 32, WARP = 32 };

/* Memory moves in sectors of 32 bytes. The text begins at a multiple of 32, and every one of
 * its characters is counted, so no lane is idle: when the lanes of a warp read neighbors, a
 * request of 32 lanes moves 1 sector, and in all each sector is moved once, length / 32.
 * Catches contiguous sections (up to 32 sectors a request), threads that step by the block
 * instead of by the grid (the text is read several times), any stride but one.
 *
 * Interleaved partitioning, too, gives each thread several characters: on average at least
 * two for each thread that reads. Catches one character a thread, which is coalesced as well,
 * but no partitioning. */
Test(chapter04, moves_each_sector_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(cost.length, "characters in the text", 2 * cost.reading.threads,
                    "%s threads read some of it, and several characters each are at least 2 x %s",
                    grouped(cost.reading.threads), grouped(cost.reading.threads));
    expect_exactly(cost.reading.bytes, "characters were read", cost.length,
                   "each is read by one thread, and the text has");
    expect_at_least(cost.threads_per_block, "threads of a block", WARP,
                    "a block of fewer fills no warp, whose 32 lanes read a sector together");
    expect_at_most(cost.text.load.sectors, "sectors of the text were moved", LENGTH / SECTOR,
                   "when neighboring lanes read neighboring characters, each sector of 32 is moved "
                   "once: %s / 32",
                   grouped(cost.length));
    technique_is("%s sectors in %s load requests, the minimum", grouped(cost.text.load.sectors),
                 grouped(cost.text.load.requests));
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
