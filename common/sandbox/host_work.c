/* host_work.c - whether it was the kernels that worked, and on all inputs in the same way. */
#include "host_work.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "facts.h"
#include "grouped.h"
#include "random_numbers.h"

uint64_t run_draw(void)
{
    const char *chosen = getenv("DRAW");
    return chosen && *chosen ? strtoull(chosen, NULL, 10) : 1;
}

void expect_kernels_worked(const char *what, const struct host_work *work,
                           const struct copies *copies, const struct host_words *words)
{
    enum { A_FEW = 4096 };
    if (work->bytes == 0)
        return;
    if (copies->from_input > work->sample ||
        copies->to_host > A_FEW + work->sample + work->bytes / 2) {
        facts_add("failed host");
        cr_assert_fail("%s bytes were copied to the host on %s: %s",
                       grouped(copies->from_input ? copies->from_input : copies->to_host), what,
                       words->by_kernel);
    }
    if (copies->into_bins > 0) {
        facts_add("failed host");
        cr_assert_fail("host code wrote %s bytes into d_bins on %s: a kernel has to add to the "
                       "bins",
                       grouped(copies->into_bins), what);
    }
    if (work->launches == 0) {
        facts_add("failed host");
        cr_assert_fail("no kernel was launched on %s: %s has to launch one", what, words->function);
    }
}

void expect_written_on_device(const char *what, uint64_t host_visible, uint64_t most,
                              const struct host_words *words)
{
    if (host_visible <= most)
        return;
    facts_add("failed host");
    cr_assert_fail("the kernels wrote %s bytes to where the host reads them (%s): %s",
                   grouped(host_visible), what, words->by_kernel);
}

size_t part_left_out(size_t length, uint64_t *state)
{
    enum { MOST = 8192, LONG = 1 << 17 };
    const size_t drawn = 1 + random_below(state, MOST);
    return length < LONG ? drawn : length / 4 * 3 + drawn;
}

void expect_part_costs_no_more(const char *what, const char *units, const struct part_cost *cost)
{
    enum { A_FEW = 2048 };
    if (cost->part <= cost->whole + cost->whole / 4 + A_FEW)
        return;
    facts_add("failed counter");
    cr_assert_fail("%s %s for %s %s, and %s for %s of them%s%s%s: the technique has to be the "
                   "same for every %s (DRAW=%llu)",
                   grouped(cost->whole), what, grouped(cost->length), units, grouped(cost->part),
                   grouped(cost->part_length), cost->misalignment ? ", beginning " : "",
                   cost->misalignment ? grouped(cost->misalignment) : "",
                   cost->misalignment ? " after a multiple of 256 bytes" : "",
                   units[0] == 'c' ? "text" : "input", (unsigned long long)run_draw());
}
