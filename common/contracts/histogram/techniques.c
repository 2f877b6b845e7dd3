/* techniques.c - what the techniques of several chapters have in common. */
#include "histogram/harness.h"

void expect_commits_once(const struct measurement *cost, const char *what, uint64_t counters)
{
    expect_threads_share(&histogram_contract, cost);
    expect_at_most(cost->bins.atomic.lanes, "global atomics on the final bins",
                   cost->blocks * counters,
                   "when each block commits its %s once, there are at most blocks x %s = %s x %s",
                   what, what, grouped(cost->blocks), grouped(counters));
}

void expect_no_counting_in_global_memory(const struct measurement *cost)
{
    expect_at_most(cost->elsewhere.atomic.lanes, "global atomics elsewhere than on the final bins",
                   2 * cost->blocks * num_bins(),
                   "the threads count on the multiprocessor, and adding up takes at most 2 x "
                   "blocks x bins = 2 x %s x %s",
                   grouped(cost->blocks), grouped(num_bins()));
}

void expect_reads_16_at_a_time(size_t length)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, length);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.bytes, "characters read", length,
                   "each of the text is read once, so there are %s", grouped(length));
    expect_exactly(cost.text.load.requests, "load requests", length / 512,
                   "32 lanes with 16 characters each make it length / 512 = %s / 512",
                   grouped(length));
    expect_exactly(cost.text.load.sectors, "sectors loaded", length / 32,
                   "neighboring lanes load neighboring words, so there are length / 32 = %s / 32",
                   grouped(length));
    text_free(&text);
}

void expect_counted_by_shared_atomics(size_t length, const char *where)
{
    struct text text = text_of(TEXT_RUNS, 1, length);
    const struct measurement cost = measure(&text);
    expect_at_least(cost.shared.atomic.lanes, "shared atomics", cost.counted,
                    "%s get one for each counted character", where);
    text_free(&text);
}
