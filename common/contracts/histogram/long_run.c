/* long_run.c - whether a counter overflows: the last block on a text of one letter.
 *
 * What a block should count is not known without running the others, but it reads as many
 * characters of a text in which all bins take turns. There each counter stays small. */
#include <stdbool.h>
#include <stdlib.h>

#include "current_input.h"
#include "contract.h"
#include "verdict_log.h"
#include "histogram/harness.h"
#include "target.h"

enum { OF_A_THREAD = 300, OF_A_BLOCK = 70 * 1000, BUDGET = 16 * 1000 * 1000 };

/* Only the last block of a kernel runs, and nothing that it does is told. */
struct last_block {
    struct sim_trial trial;
    unsigned char *d_text;
    unsigned int *d_bins;
    size_t length;
};

/* Runs it on the text as it is. Returns false when it did not come to its end. */
static bool run(const struct last_block *last, uint64_t *counted)
{
    unsigned int bins[MOST_BINS];
    char error[256];
    target_fill(last->d_bins, 0, num_bins() * sizeof *bins);
    sim_try(&last->trial);
    current_input_set("a long text");
    call_on_text(last->d_text, last->length, last->d_bins);
    const bool ran = target_finish(error, sizeof error) && !sim_trial_stopped();
    current_input_set(NULL);
    sim_try(NULL);
    target_read(bins, last->d_bins, num_bins() * sizeof *bins);
    *counted = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        *counted += bins[bin];
    return ran;
}

/* A text in which the bins take turns, in runs of one character. */
static void write_turns(const struct last_block *last)
{
    enum { PIECE = 1 << 20 };
    unsigned char *piece = malloc(PIECE);
    cr_assert(piece, "no memory for a text");
    for (size_t i = 0; i < PIECE; i++)
        piece[i] = (unsigned char)(num_bins() == 256 ? i * 7 : 'a' + i * 7 % 26);
    for (size_t done = 0; done < last->length; done += PIECE)
        target_write(last->d_text + done, piece,
                     last->length - done < PIECE ? last->length - done : PIECE);
    free(piece);
}

static void compare(const struct last_block *last)
{
    uint64_t of_turns, of_one_letter;
    sim_set_budget(BUDGET);
    write_turns(last);
    if (!run(last, &of_turns))
        return;
    target_fill(last->d_text, 'a', last->length);
    if (!run(last, &of_one_letter) || of_turns == of_one_letter)
        return;
    fail_as("bins",
            "of %s characters that are all the same a block counts %s, and %s when the bins "
            "take turns; likeliest cause: a counter of 8 or 16 bits overflows; count in "
            "unsigned int",
            grouped(last->length), grouped(of_one_letter), grouped(of_turns));
}

/* How long the text has to be, for a grid that does not grow any more; 0 when it does. */
static size_t length_for(const struct measurement *own, const struct sim_launch_shape *shape)
{
    enum { MOST_BLOCKS = 2048 };
    const size_t blocks = (size_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    const size_t of_threads = OF_A_THREAD * (size_t)own->threads_per_block;
    if (blocks > MOST_BLOCKS)
        return 0;
    return blocks * (of_threads > OF_A_BLOCK ? of_threads : OF_A_BLOCK);
}

/* What the kernel does on a short text; false when it does not read it, or fails. */
static bool learn(struct measurement *own)
{
    struct input input = contract.draw(1, contract.ordinary);
    const bool ran = place_and_measure(&input, own);
    input_free(&input);
    return ran && own->blocks > 0;
}

void expect_no_small_counters(void)
{
    enum { LONG = 64 << 20 };
    struct measurement own;
    uint64_t counted;
    if (!target_is_device() || !learn(&own))
        return;
    struct last_block last = {.trial = {.last = 1, .kernel = own.reader}, .length = LONG};
    last.d_bins = target_allocate(num_bins() * sizeof *last.d_bins);
    last.d_text = target_allocate(LONG);
    sim_set_budget(0); /* to see the grid is enough */
    run(&last, &counted);
    target_free(last.d_text);
    const struct sim_launch_shape shape = sim_last_launch();
    last.length = length_for(&own, &shape);
    if (last.length > 0) {
        last.d_text = target_allocate(last.length);
        compare(&last);
        target_free(last.d_text);
    }
    target_free(last.d_bins);
}
