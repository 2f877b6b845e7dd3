/* The time by the clock: that of all cells of which a card has told the time of the kernels. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clocked.h"
#include "csv.h"

static double factor_of(const struct csv *card, const struct csv *own)
{
    static const double ns_per_ms = 1e6, picoseconds_per_ns = 1e3;
    const double ns = csv_number(own, "ns_by_the_clock");
    const uint64_t launches = strtoull(csv_text(card, "launches"), NULL, 10);
    return clocked_ms(launches, (uint64_t)(ns * picoseconds_per_ns)) * ns_per_ms /
           csv_number(card, "gpu__time_duration.sum");
}

static bool is_of(const struct csv *one, const struct csv *other)
{
    static const char *const key[] = {"chapter", "operation", "bins", "input", "length", "shift"};
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (strcmp(csv_text(one, key[i]), csv_text(other, key[i])) != 0)
            return false;
    return true;
}

/* Both files have their cells in one order, and the card's has more. A clock that takes accesses for free, or
 * waits for all of them one after the other, is far off. */
Test(clocked, is_within_half_as_much_again_of_the_card_in_nine_of_ten_cells)
{
    static struct csv card, own;
    size_t cells = 0, near = 0;
    cr_assert(csv_open(&card, "docs/results/h200/cells.csv"));
    cr_assert(csv_open(&own, "docs/results/sim/cells.csv"));
    while (csv_next(&own)) {
        while (csv_next(&card) && !is_of(&card, &own))
            continue;
        if (csv_number(&card, "gpu__time_duration.sum") <= 0 || !*csv_text(&card, "operation") ||
            csv_number(&own, "ns_by_the_clock") <= 0)
            continue;
        const double factor = factor_of(&card, &own);
        cells++;
        near += factor < 1.5 && factor > 1 / 1.5;
    }
    csv_close(&card);
    csv_close(&own);
    cr_expect_gt(cells, 260);
    cr_expect_geq(10 * near, 9 * cells, "%zu of %zu", near, cells);
}

/* A time of a launch that is not the median of the file, which common/proofs/cell.py takes. */
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
