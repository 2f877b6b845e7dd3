/* 11_lane_private.c - going further: a row for each bin, and no longer for each value of a byte. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 16, LANES = 32, ALL_ELSE = 1024 };

/* A counter of 4 bytes for each bin and lane, and a KiB for all else. Catches the chapter's table,
 * but with 256 bins, where it is the same one. */
Test(further11, has_a_counter_for_each_bin_and_lane)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 14);
    struct measurement cost = measure(&text);
    expect_at_most(cost.shape.dynamic_shared + cost.shape.static_shared,
                   "bytes of shared memory a block", num_bins() * LANES * 4 + ALL_ELSE,
                   "a counter for each bin and lane takes bins x lanes x 4, and 1,024 for all else "
                   "= %s x 32 x 4 + 1,024",
                   grouped(num_bins()));
    text_free(&text);
}

/* One wavefront for each request, but for the fold, where a block adds a row for each bin. Catches
 * a small table whose lanes meet. */
Test(further11, keeps_lanes_apart_on_uniform_bytes)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    for (size_t i = 0; i < LENGTH; i++) /* of letters, or of bytes, come bytes */
        text.bytes[i] = (unsigned char)((text.bytes[i] * 2654435761u + i * 40503u) >> 7);
    struct measurement cost = measure(&text);
    expect_at_least(cost.shared.atomic.lanes, "shared atomics", cost.counted,
                    "a lane's counters in shared memory get one for each counted character");
    expect_at_most(cost.shared.atomic.wavefronts, "wavefronts of shared atomics",
                   cost.shared.atomic.requests + cost.blocks * num_bins(),
                   "one for each of %s requests, since a column is a bank, and %s x %s when blocks "
                   "add their rows to their bins",
                   grouped(cost.shared.atomic.requests), grouped(cost.blocks), grouped(num_bins()));
    technique_is("%s bytes of shared memory a block, %s wavefronts for %s shared atomic requests",
                 grouped(cost.shape.dynamic_shared + cost.shape.static_shared),
                 grouped(cost.shared.atomic.wavefronts), grouped(cost.shared.atomic.requests));
    text_free(&text);
}
