/* longest.c - whether an index wraps: the far end of the longest input.
 *
 * Of 4,294,967,295 characters only a part can be read in a second, so only the last block of the
 * grid runs, and what it reads is judged. A small grid gives it too much. When the kernel is right on
 * short inputs in another grid than its own, it is judged in a larger one. What stays open
 * is held against nobody. */
#include "longest.h"

#include <criterion/criterion.h>
#include <string.h>

#include "facts.h"
#include "grouped.h"

enum {
    ENOUGH_BLOCKS = 1024,    /* then a block's share of the longest text is 4,194,304 */
    ENOUGH_THREADS = 1 << 20 /* then a thread's is 4,096 */
};

enum finding { FINE, OPEN, WRAPPED, OUTSIDE };

/* What is known of the far end. */
struct far_end {
    const struct longest *of;
    struct sim_trial trial;
    struct far_reads seen;
    const char *stopped; /* a check, or NULL */
    char error[256];
    bool any; /* a block reads some of the text */
};

static void look(struct far_end *far)
{
    if (far->of->look(&far->trial, &far->seen, &far->stopped, far->error, sizeof far->error))
        return;
    facts_add("failed far-end");
    cr_assert_fail("%sstopped on 4,294,967,295 %s: %s\nlikeliest cause: an index wrapped; use "
                   "size_t for every position in the %s",
                   far->of->before, far->of->units, far->error, far->of->input);
}

static bool reads_anything(struct far_end *far, uint64_t behind_it)
{
    struct far_reads seen;
    far->trial.skip = behind_it;
    far->of->look(&far->trial, &seen, NULL, far->error, sizeof far->error);
    return seen.units > 0;
}

/* The blocks behind the last that reads some of the text, where those at the end of the grid
 * do not. */
static uint64_t idle_blocks(struct far_end *far, uint64_t blocks)
{
    uint64_t idle = 1, most = blocks - 1;
    far->any = reads_anything(far, most);
    while (far->any && idle < most) {
        uint64_t middle = idle + (most - idle) / 2;
        if (reads_anything(far, middle))
            most = middle;
        else
            idle = middle + 1;
    }
    return idle;
}

/* Reading that ends near 2^31 is that of an int; an end elsewhere may have other reasons. */
static bool ends_where_an_int_does(const struct far_reads *seen)
{
    return seen->end > (size_t)1 << 30 && seen->end <= (size_t)1 << 31;
}

/* Shares are equal, but for a character a thread that rounding up takes from the last. */
static bool has_read_its_share(const struct far_reads *seen)
{
    uint64_t share = seen->length / (seen->blocks ? seen->blocks : 1);
    uint64_t rounding = seen->threads < share / 2 ? seen->threads : share / 2;
    return seen->units >= share - rounding;
}

/* A thread came back to the beginning again and again, or was in the second half of the text, and
 * has read more than a block should. */
static bool never_ends(const struct far_reads *seen)
{
    const uint64_t share = seen->length / seen->blocks;
    return seen->laps > 1 || (seen->end > seen->length / 2 && seen->longest > share + share / 4);
}

/* What the block that ran last has shown. */
static enum finding judge_block(const struct far_end *far)
{
    const struct far_reads *seen = &far->seen;
    if (far->stopped && seen->units > 0 && never_ends(seen))
        return WRAPPED;
    if (far->stopped)
        return strcmp(far->stopped, "memcheck") == 0 ? OUTSIDE : OPEN;
    bool is_last = far->trial.skip == 0;
    if (seen->end == seen->length || (is_last && has_read_its_share(seen)))
        return FINE;
    return ends_where_an_int_does(seen) ? WRAPPED : OPEN;
}

static enum finding judge_grid(struct far_end *far)
{
    far->trial.last = 1;
    look(far);
    far->any = far->seen.units > 0;
    if (far->any || far->stopped || far->seen.blocks < 2)
        return judge_block(far);
    far->trial.skip = idle_blocks(far, far->seen.blocks);
    if (!far->any)
        return WRAPPED;
    look(far);
    return judge_block(far);
}

/* The same once more, so that the reader sees which line it is. */
static void tell(struct far_end *far)
{
    far->trial.aloud = 1;
    look(far);
    far->of->expect_no_reports(far->of->units);
}

static void fail(struct far_end *far)
{
    const struct far_reads *seen = &far->seen;
    const char *blocks = grouped(seen->blocks), *before = far->of->before;
    const char *units = far->of->units, *input = far->of->input;
    char where[256];
    facts_add("failed far-end");
    if (!far->any)
        cr_assert_fail("%sof 4,294,967,295 %s none is read, by no block of %s\nlikeliest "
                       "cause: the length or an index is an int; use size_t for every position in "
                       "the %s",
                       before, units, blocks, input);
    if (far->stopped && strcmp(far->stopped, "memcheck") != 0)
        cr_assert_fail(
            "%sof 4,294,967,295 %s a thread reads %s, at %s\n"
            "likeliest cause: an index has 32 bits and wraps, so that the loop never ends; "
            "use size_t for every position in the %s",
            before, units,
            seen->laps > 0 ? "the first again when it has come to the last"
                           : "far more than its share",
            sim_locate(seen->last_load, where, sizeof where), input);
    cr_assert_fail("%sof 4,294,967,295 %s those from %s on are not read; the last of %s blocks "
                   "that reads any is number %s\nlikeliest cause: an index is an int, which wraps "
                   "there; use size_t for every position in the text",
                   before, units, grouped(seen->end), blocks,
                   grouped(seen->blocks - far->trial.skip));
}

void longest_judge(const struct longest *longest)
{
    const struct longest_kernel *own = &longest->own;
    struct far_end far = {.of = longest, .trial = {.kernel = own->name}, .any = true};
    enum finding finding = judge_grid(&far);
    bool is_small = far.stopped && far.seen.blocks > 0 && far.seen.blocks < ENOUGH_BLOCKS;
    if (finding == OPEN && is_small && longest->works_in(3 * (unsigned int)own->blocks)) {
        const unsigned int enough = ENOUGH_THREADS / (unsigned int)own->threads_per_block;
        far = (struct far_end){.of = longest, .trial = {.kernel = own->name, .blocks = enough}};
        finding = judge_grid(&far);
        if (finding == OUTSIDE) /* that grid is not its own: only an end at 2^31 says enough */
            finding = ends_where_an_int_does(&far.seen) ? WRAPPED : OPEN;
    }
    if (finding == OUTSIDE)
        tell(&far);
    if (finding == WRAPPED)
        fail(&far);
    if (finding == FINE)
        facts_add("input %sthe far end of 4,294,967,295 %s", longest->before, longest->units);
}
