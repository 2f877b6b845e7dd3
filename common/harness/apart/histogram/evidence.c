/* evidence.c - whether it was the kernels that counted, and each character once. */
#include "evidence.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "binning.h"
#include "facts.h"
#include "grouped.h"

uint64_t run_draw(void)
{
    const char *chosen = getenv("DRAW");
    return chosen && *chosen ? strtoull(chosen, NULL, 10) : 1;
}

void expect_kernels_counted(const char *what, size_t length, uint64_t launches,
                            const struct copies *copies)
{
    enum { A_FEW = 4096 };
    if (length == 0)
        return;
    if (copies->from_text > 0 || copies->to_host > A_FEW + length / 2) {
        facts_add("failed host");
        cr_assert_fail("%s bytes were copied to the host on %s: the characters have to be counted "
                       "by a kernel, on the device",
                       grouped(copies->from_text ? copies->from_text : copies->to_host), what);
    }
    if (copies->into_bins > 0) {
        facts_add("failed host");
        cr_assert_fail("host code wrote %s bytes into d_bins on %s: a kernel has to add to the "
                       "bins",
                       grouped(copies->into_bins), what);
    }
    if (launches == 0) {
        facts_add("failed host");
        cr_assert_fail("no kernel was launched on %s: histogram() has to launch one", what);
    }
}

static void expect_text_read(const char *what, const struct measurement *cost)
{
    const uint64_t length = cost->length, read = cost->reading.bytes;
    if (read >= length / 2 && read < 2 * length - length / 16)
        return;
    facts_add("failed counter");
    if (read < length / 2)
        cr_assert_fail("of %s characters (%s) the kernels read %s: they have to read each of them",
                       grouped(length), what, grouped(read));
    cr_assert_fail("of %s characters (%s) the kernels read %s: each has to be read once, by the "
                   "thread that counts it",
                   grouped(length), what, grouped(read));
}

/* An atomic for each character, and what folding and committing may take: a warp or a thread may
 * add up several times. */
static uint64_t most_atomics(const struct measurement *cost)
{
    return cost->length + cost->length / 4 + cost->threads * NUM_BINS + 2 * cost->blocks * NUM_BINS;
}

static void expect_no_counting_twice(const char *what, const struct measurement *cost)
{
    const uint64_t atomics =
        cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes + cost->shared.atomic.lanes;
    const uint64_t most = most_atomics(cost), stores = cost->elsewhere.store.lanes;
    if (atomics > most) {
        facts_add("failed counter");
        cr_assert_fail("%s atomics in all for %s characters (%s): some of them count what others "
                       "have counted; one each, and a quarter and threads x bins + 2 x blocks x "
                       "bins to add them up, are at most %s",
                       grouped(atomics), grouped(cost->length), what, grouped(most));
    }
    if (stores > cost->counted / 2 + cost->threads * NUM_BINS) {
        facts_add("failed counter");
        cr_assert_fail("%s stores to global memory for %s counted characters (%s): counting there "
                       "is not the technique of this chapter",
                       grouped(stores), grouped(cost->counted), what);
    }
    if (cost->host_visible > cost->length / 2) {
        facts_add("failed host");
        cr_assert_fail("the kernels wrote %s bytes to where the host reads them (%s): the "
                       "characters have to be counted by a kernel, on the device",
                       grouped(cost->host_visible), what);
    }
}

void expect_each_counted_once(const char *what, const struct measurement *cost)
{
    enum { SHORT = 4096 }; /* a text that is no evidence */
    expect_kernels_counted(what, cost->length, cost->launches, &cost->copies);
    if (cost->length < SHORT)
        return;
    expect_text_read(what, cost);
    expect_no_counting_twice(what, cost);
}

/* Characters to leave out at the beginning: another number in each run, so that no length is always
 * the same, and the rest begins as the whole did. */
static size_t part_left_out(size_t length)
{
    enum { A_WARPS_WORDS = 512, LONG = 1 << 18 };
    const size_t drawn = A_WARPS_WORDS * (1 + (size_t)(run_draw() * 2654435761u >> 7) % 16);
    return length < LONG ? drawn : length / 4 * 3 / A_WARPS_WORDS * A_WARPS_WORDS + drawn;
}

static void expect_no_more(const char *what, uint64_t part, uint64_t whole, size_t length,
                           const struct measurement *cost)
{
    enum { A_FEW = 2048 };
    if (part <= whole + whole / 4 + A_FEW)
        return;
    facts_add("failed counter");
    cr_assert_fail("%s %s for %s characters, and %s for %s of them: the technique has to be the "
                   "same for every text (DRAW=%llu)",
                   grouped(whole), what, grouped(cost->length), grouped(part), grouped(length),
                   (unsigned long long)run_draw());
}

void expect_same_on_a_part(const struct text *text, size_t misalignment,
                           const struct measurement *whole)
{
    enum { SHORT = 1 << 15, LONG = 1 << 21 };
    static bool done;
    struct measurement part;
    unsigned int bins[NUM_BINS];
    char error[256];
    if (done || text->length < SHORT || text->length > LONG)
        return;
    done = true;
    const size_t cut = part_left_out(text->length);
    struct text rest = {.bytes = text->bytes + cut, .length = text->length - cut};
    if (!measure_run(&rest, misalignment, &part, bins, error, sizeof error))
        return;
    expect_no_more("global atomics on the bins", part.bins.atomic.lanes, whole->bins.atomic.lanes,
                   rest.length, whole);
    expect_no_more("global atomics elsewhere", part.elsewhere.atomic.lanes,
                   whole->elsewhere.atomic.lanes, rest.length, whole);
    expect_no_more("shared atomics", part.shared.atomic.lanes, whole->shared.atomic.lanes,
                   rest.length, whole);
    expect_no_more("load requests", part.text.load.requests, whole->text.load.requests, rest.length,
                   whole);
    expect_no_more("sectors loaded", part.text.load.sectors, whole->text.load.sectors, rest.length,
                   whole);
}
