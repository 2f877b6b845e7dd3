/* further/02_naive_atomic.c - right, and with an addition that is made of compare-and-swap. */
#include "histogram/harness.h"

/* All lanes of each warp want one bin. Of those that try at the same time one wins, so that a warp
 * needs 32 + 31 + ... + 1 attempts at least. Catches atomicAdd, and a loop that does not try
 * again but adds. */
Test(further02, tries_again_until_the_swap_succeeds)
{
    enum { WARP = 32, WARPS = 64, ATTEMPTS = WARP * (WARP + 1) / 2 };
    struct text text = text_of(TEXT_SINGLE, 1, WARP * WARPS);
    struct measurement cost = measure(&text);
    expect_at_least(cost.bins.atomic.lanes, "atomics on one bin, by lanes", WARPS * ATTEMPTS,
                    "of the lanes that try to swap at the same time one succeeds, so the %s warps "
                    "make at least 32 + 31 + ... + 1 attempts each, %s x %s",
                    grouped(WARPS), grouped(WARPS), grouped(ATTEMPTS));
    expect_exactly(cost.counters.global[SIM_RED].lanes, "atomics whose result nobody uses", 0,
                   "a swap has to look at what it found, so there must be 0");
    technique_is("%s attempts for %s additions to one bin", grouped(cost.bins.atomic.lanes),
                 grouped(cost.counted));
    text_free(&text);
}
