/* long_inputs.c - whether the technique is another one on long inputs.
 *
 * To run all of one takes too long, so 64 blocks run, somewhere in its grid, and each for a part of its share.
 * What they do for a unit that they read, and for each block or thread, is compared with the same of a short
 * input. More units for a block make that less, never more. What a kernel does is told by its accesses, as in
 * evidence.c; by sectors only where that is asked for, since a long section of a thread is far from its neighbor's. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#include "cases.h"
#include "contract.h"
#include "evidence.h"
#include "expect_right.h"
#include "verdict_log.h"
#include "grouped.h"
#include "placed.h"
#include "random_numbers.h"
#include "sample.h"

enum {
    SHORT = 1 << 18, /* as long as what techniques are measured on */
    CONTENT = 512,   /* units that come again and again, */
    EQUAL = 8, /* so many equal ones in a row: techniques differ in what they make of neighbors */
    BUDGET = 200000, /* accesses: some 0.1 s */
    A_LITTLE = 32,   /* of any access, on top */
    SECTOR = 32
};

static struct input draw_content(void)
{
    struct input input = contract.draw(run_draw(), CONTENT);
    const size_t bytes = unit_bytes();
    for (size_t i = 0; i < CONTENT; i++)
        memcpy(input.elements + i * bytes, input.elements + i / EQUAL * EQUAL * bytes, bytes);
    return input;
}

static uint64_t units_of(const struct measurement *seen)
{
    return seen->bytes_read / unit_bytes();
}

/* What some blocks do, those at the very end left out. */
static struct measurement sample(const struct placed *content, const struct call *call,
                                 uint64_t skip, uint64_t budget)
{
    struct job job = job_of(call);
    job.watch = WATCH_SAMPLE;
    job.content = UNWRITTEN;
    job.input_bytes = content->job.input_bytes;
    job.skip = skip;
    job_tries(&job, &(struct sim_trial){.last = SAMPLE_BLOCKS, .skip = skip}, budget,
              "memcheck,synccheck"); /* nobody has written it all */
    return job_run(&job, "a long input", content->units, NULL).cost;
}

/* Blocks somewhere in the grid on an input of so many units; the first ones where those there have none. */
static struct measurement sample_of(const struct placed *content, size_t length, uint64_t *state)
{
    const size_t bins = layout.one_each ? length : content->job.call.num_bins;
    const struct call call = call_of(length, bins, 0);
    struct measurement seen = sample(content, &call, 0, 0); /* without a budget, to see the grid */
    const uint64_t others = seen.blocks > SAMPLE_BLOCKS ? seen.blocks - SAMPLE_BLOCKS - 1 : 0;
    const uint64_t skip = others > 0 ? 1 + random_below(state, (uint32_t)others) : 0;
    seen = sample(content, &call, skip, BUDGET);
    return units_of(&seen) == 0 && skip > 0 ? sample(content, &call, 0, BUDGET) : seen;
}

/* What so many units, blocks and threads may take at most, after what they took on a short input. */
static uint64_t most_of(uint64_t cost, const struct measurement *on_short,
                        const struct measurement *on_long)
{
    const double a_unit = (double)cost / (double)units_of(on_short);
    const double a_block = (double)cost / (double)on_short->reading_blocks;
    const double a_thread = (double)cost / (double)on_short->threads;
    const double by_blocks = a_block * (double)on_long->reading_blocks;
    const double by_threads = a_thread * (double)on_long->threads;
    const double all =
        a_unit * (double)units_of(on_long) + (by_blocks > by_threads ? by_blocks : by_threads);
    return (uint64_t)(all + all / 4) + A_LITTLE;
}

static void expect_no_more(const struct count *cost, const struct measurement *on_short,
                           const struct measurement *on_long)
{
    const uint64_t before = count_of(cost, on_short), current = count_of(cost, on_long);
    if (current <= most_of(before, on_short, on_long))
        return;
    const char *units = contract.words.units;
    fail_as(
        "counter",
        "of %s %s %s blocks read %s, with %s %s; of %s they read %s, with %s: the technique has "
        "to be the same for every %s (DRAW=%llu)",
        grouped(on_long->length), units, grouped(on_long->reading_blocks),
        grouped(units_of(on_long)), grouped(current), cost->what, grouped(on_short->length),
        grouped(units_of(on_short)), grouped(before), each_input(), (unsigned long long)run_draw());
}

static void compare(const struct measurement *on_short, const struct measurement *on_long,
                    bool by_sectors)
{
    if (units_of(on_short) == 0 || units_of(on_long) == 0)
        return;
    for (const struct count *cost = contract_costs(); cost->what; cost++)
        if (by_sectors || cost->fields[0] != OF(elements.load.sectors))
            expect_no_more(cost, on_short, on_long);
}

/* From 2^least to 2^most - 1, and as far behind a multiple of a sector's units as `end`: so a kernel that goes from
 * the end to the beginning loads as many sectors on each. */
static size_t draw_length(uint64_t *state, unsigned int least, unsigned int most, uint32_t end)
{
    const unsigned int bits = least + random_below(state, most - least);
    return ((size_t)1 << bits) + random_below(state, (uint32_t)1 << bits) / SECTOR * SECTOR + end;
}

void judge_long_inputs(bool by_sectors)
{
    enum { ABOVE_ALL_SHORT = 20, FAR_ABOVE = 25, LONGEST = 32 }; /* powers of 2 */
#ifndef SIMULATED_GPU
    cr_skip_test("a GPU counts no accesses");
#endif
    uint64_t state = run_draw();
    operation_choose(0);
    if (!runs_on_device())
        return;
    const uint32_t end = random_below(&state, SECTOR);
    struct input input = draw_content();
    struct placed content = place(&input);
    const struct measurement on_short = sample_of(&content, SHORT + end, &state);
    struct measurement on_long =
        sample_of(&content, draw_length(&state, ABOVE_ALL_SHORT, FAR_ABOVE, end), &state);
    compare(&on_short, &on_long, by_sectors);
    on_long = sample_of(&content, draw_length(&state, FAR_ABOVE, LONGEST, end), &state);
    compare(&on_short, &on_long, by_sectors);
    place_free(&content);
    input_free(&input);
}
