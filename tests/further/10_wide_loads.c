/* 10_wide_loads.c - going further: as many bytes in flight as in the chapter, by half the threads. */
#include "histogram/harness.h"

#include <string.h>

enum { MULTIPROCESSORS = 2, MOST_THREADS = 512, LEAST_LOADS = 8 };

/* Words that no grid divides: 31 or 32 for each thread of two blocks of 512, so that of threads with 8
 * words a round some have a round more than others. */
enum { LONG = 16 * 32261 };

static struct measurement measure_on_two_multiprocessors(void)
{
    struct text text = text_of(TEXT_SINGLE, 1, LONG);
    memset(text.bytes, ',', LONG);
    for (size_t i = 0; i < LONG; i += 16)
        text.bytes[i] = 'k';
    set_multiprocessors(MULTIPROCESSORS);
    struct measurement cost = measure(&text);
    text_free(&text);
    return cost;
}

/* One block of at most 512 threads on each multiprocessor. Catches the chapter's 1,024, and more
 * blocks, which make up for it. */
Test(further10, has_512_threads_on_a_multiprocessor)
{
    struct measurement cost = measure_on_two_multiprocessors();
    expect_at_most(cost.threads, "threads in the grid", MULTIPROCESSORS * MOST_THREADS,
                   "one block of 512 threads on each multiprocessor makes at most %d x %d",
                   MULTIPROCESSORS, MOST_THREADS);
}

/* Half the threads need twice the loads each for the same number of bytes. */
Test(further10, has_eight_loads_in_flight)
{
    struct measurement cost = measure_on_two_multiprocessors();
    const struct reading *reading = &cost.reading;
    const uint64_t loads = reading->in_a_row > 1 ? reading->in_a_row : reading->in_a_round;
    expect_at_least(loads, "loads of a thread at a time", LEAST_LOADS,
                    "half the threads have as many bytes in flight when each makes at least");
    technique_is("%s threads on a multiprocessor x %s loads x 16 = %s bytes in flight",
                 grouped(cost.threads / MULTIPROCESSORS), grouped(loads),
                 grouped(cost.threads / MULTIPROCESSORS * loads * 16));
}
