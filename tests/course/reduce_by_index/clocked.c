/* The time by the clock. How near the card it is in all cells is proved by tests/proofs/test_cells.py. */
#include <criterion/criterion.h>

#include "csv.h"
#include "run.h"

/* A time of a launch that is not the median of the file, which common/bench/cells.py takes. */
Test(clocked, takes_the_card_s_time_of_a_launch)
{
    static const double ns_per_ms = 1e6;
    static struct csv launches;
    const double launch = clocked_ms(1, 0) * ns_per_ms;
    size_t rows = 0, below = 0, above = 0;
    cr_assert(csv_open(&launches, "docs/results/h200/launches.csv"));
    for (; csv_next(&launches); rows++) {
        below += csv_number(&launches, "gpu__time_duration.sum") <= launch;
        above += csv_number(&launches, "gpu__time_duration.sum") >= launch;
    }
    csv_close(&launches);
    cr_expect(2 * below >= rows && 2 * above >= rows, "%zu and %zu of %zu", below, above, rows);
}

/* A launch that is free. */
Test(clocked, counts_each_launch)
{
    cr_expect_gt(clocked_ms(2, 0), clocked_ms(1, 0) + 0.001);
    cr_expect_gt(clocked_ms(1, 1000000), clocked_ms(1, 0));
}
