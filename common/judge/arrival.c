/* arrival.c - undoes a part of what a technique does, and looks whether the output notices; and whether
 * all threads take part. */
#include "arrival.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "bounds.h"
#include "contract.h"
#include "expect_right.h"
#include "verdict_log.h"
#include "grouped.h"
#include "placed.h"

static void compare(struct arrival *arrival, const struct placed *placed,
                    const unsigned char *right, const unsigned char *held)
{
    uint32_t missing = 0;
    for (size_t i = 0; i < place_output_bytes(placed) / sizeof missing; i++) {
        const uint32_t should = word_at(right, i), is = word_at(held, i);
        missing += should - is;
        arrival->off += should > is ? should - is : is - should;
    }
    arrival->missing = missing;
}

struct arrival arrival_of(const struct input *input, enum spoil what)
{
    struct arrival arrival = {.missing = 0};
#ifndef SIMULATED_GPU
    verdict_log_add("unjudged");
    cr_skip_test("only the simulated GPU can undo what a kernel does");
#endif
    struct placed placed = place(input);
    place_output(&placed);
    expect_to_end(&placed, input->name);
    unsigned char *const right = place_read(&placed);
    place_output_again(&placed);
    placed.job.watch = WATCH_SPOIL;
    placed.job.spoil = what;
    placed.job.is_trial = 1;
    place_run(&placed, input->name);
    arrival.seen = placed.last.spoiled;
    compare(&arrival, &placed, right, placed.output);
    free(right);
    place_free(&placed);
    return arrival;
}

/* Who does nothing of the kind, or comes to no end without, is judged by other tests. */
static bool was_spoiled(const struct arrival *arrival)
{
    return arrival->seen.finished && arrival->seen.undone > 0;
}

void expect_shared_adds_arrive(const struct input *input, uint64_t counted, const char *where)
{
    const struct arrival arrival = arrival_of(input, SPOIL_SHARED_ADDS);
    expect_at_least(arrival.seen.done, "shared atomics that add something", counted,
                    "%s get one for each counted %s", where, layout.unit);
    const bool arrives = arrival.missing == arrival.seen.amount ||
                         arrival.missing == arrival.seen.in_parts[0] ||
                         arrival.missing == arrival.seen.in_parts[1];
    expect_that(!was_spoiled(&arrival) || arrives,
                "%s shared atomics that had added %s were undone, and the output had %s less; what "
                "is counted for the output is added to it, and nothing for show",
                grouped(arrival.seen.undone), grouped(arrival.seen.amount),
                grouped(arrival.missing));
}

void expect_votes_arrive_on(const struct input *input, const char *why)
{
    enum {
        SHARE = 16
    }; /* of those that are false the least that show: a vote may be about a bit */
    const struct arrival arrival = arrival_of(input, SPOIL_VOTES);
    expect_that(!was_spoiled(&arrival) || arrival.off > arrival.seen.undone / SHARE,
                "%s votes of warps were told something else, and the output was off by %s; %s",
                grouped(arrival.seen.undone), grouped(arrival.off), why);
}

void expect_shuffles_arrive_on(const struct input *input, const char *why)
{
    const struct arrival arrival = arrival_of(input, SPOIL_SHUFFLES);
    expect_that(!was_spoiled(&arrival) || arrival.off > 0,
                "%s shuffles of warps gave something else, and the output was the same; %s",
                grouped(arrival.seen.undone), why);
}

void expect_found_is_shared(const struct measurement *cost)
{
    enum { FEW = 32, SHARERS = 4 };
    expect_that(
        cost->most_found <= FEW || cost->most_found < cost->found_beside / SHARERS,
        "%sone thread makes %s of the %s loads by which a block reads what others have left, "
        "and the other threads wait: the threads of a block share these loads, or those of a "
        "warp",
        operation_prefix(), grouped(cost->most_found), grouped(cost->found_beside));
}

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
    expect_that(
        cost->busy_threads >= cost->busy_of / 2,
        "%sonly %s of the %s threads of blocks with many %s load some, take what others have put "
        "in shared memory, or count there: the others do nothing, and half of them have to do "
        "something",
        operation_prefix(), grouped(cost->busy_threads), grouped(cost->busy_of),
        contract.words.units);
    expect_found_is_shared(cost);
}
