/* shares.c - how the input is shared among threads. */
#include "shares.h"

#include "bounds.h"
#include "call_arrays.h"
#include "contract.h"
#include "grouped.h"

void expect_threads_share(const struct measurement *cost)
{
    enum { WARP = 32, TIMES = 8, A_FEW = 256 };
    const uint64_t read = cost->bytes_read / unit_bytes() + 1;
    const uint64_t share = cost->threads > 0 ? read / cost->threads + 1 : read;
    expect_at_least(cost->threads_per_block, "threads in a block", WARP,
                    "%sa block shares its %s among its threads, a warp at least, so threads",
                    operation_prefix(), contract.words.units);
    expect_at_most(cost->most_by_thread, "of the input read by one thread", TIMES * share + A_FEW,
                   "%s%s threads share %s %s, so that each has about %s, and all wait for the one "
                   "that has most: %d x %s + %d",
                   operation_prefix(), grouped(cost->threads), grouped(read), contract.words.units,
                   grouped(share), TIMES, grouped(share), A_FEW);
}
