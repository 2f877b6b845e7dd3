/* evidence.c - whether it was the kernels that counted, and each character once. */
#include "evidence.h"

#include <criterion/criterion.h>

#include "binning.h"
#include "facts.h"
#include "grouped.h"
#include "host_work.h"

static const struct host_words words = {
    "histogram()", "the characters have to be counted by a kernel, on the device"};

void expect_kernels_counted(const char *what, size_t length, uint64_t launches,
                            const struct copies *copies)
{
    expect_kernels_worked(what, &(struct host_work){.bytes = length, .launches = launches}, copies,
                          &words);
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
    expect_written_on_device(what, cost->host_visible, cost->length / 2, &words);
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

static void expect_no_more(const char *what, uint64_t part, uint64_t whole, size_t length,
                           const struct measurement *cost)
{
    expect_part_costs_no_more(what, "characters",
                              &(struct part_cost){part, whole, length, cost->length});
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
