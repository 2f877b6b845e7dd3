/* long_run.c - whether a counter overflows when the last block counts a text of one letter.
 *
 * What that block should count is not known unless the others run, but it reads as many characters of a text in which
 * all bins take turns. There each counter stays small. */
#include <stdbool.h>
#include <string.h>

#include "contract.h"
#include "verdict_log.h"
#include "histogram/harness.h"
#include "settings.h"

enum { A_FEW_MULTIPROCESSORS = 3 }; /* a grid that follows the card is small, and so is the text */
enum { OF_A_THREAD = 300, OF_A_BLOCK = 70 * 1000, BUDGET = 16 * 1000 * 1000 };

/* Only the last block of a kernel runs, and nothing that it does is told. Returns false when it did not come to its end,
 * else what it has counted of a text that repeats these characters; "" is a text that nobody writes. */
static bool run_long_text(const struct measurement *own, size_t length, uint64_t budget,
                          const char *text, struct outcome *outcome, uint64_t *counted)
{
    unsigned int bins[MOST_BINS] = {0};
    struct job job = job_on_text(length);
    job.content = text[0] ? REPEATED : UNWRITTEN;
    job.input_bytes = strlen(text);
    job_tries(&job, &(struct sim_trial){.last = 1, .kernel = own->reader}, budget, "");
    *outcome = job_run(&job, "a long text", text, bins);
    *counted = 0;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        *counted += bins[bin];
    return outcome->finished && !outcome->stopped[0];
}

/* Writes characters by which the bins take turns. */
static void write_turns(char turns[257])
{
    const unsigned int period = num_bins() == 256 ? 255 : 26;
    for (unsigned int i = 0; i < period; i++)
        turns[i] = (char)(period == 255 ? 1 + i * 7 % 255 : 'a' + i * 7 % 26);
    turns[period] = '\0';
}

static void compare_long_text(const struct measurement *own, size_t length)
{
    char turns[257];
    uint64_t of_turns, of_one_letter;
    struct outcome outcome;
    write_turns(turns);
    if (!run_long_text(own, length, BUDGET, turns, &outcome, &of_turns))
        return;
    if (!run_long_text(own, length, BUDGET, "a", &outcome, &of_one_letter) ||
        of_turns == of_one_letter)
        return;
    fail_as("bins",
            "of %s characters that are all the same a block counts %s, and %s when the bins "
            "take turns; likeliest cause: a counter of 8 or 16 bits overflows; count in "
            "unsigned int",
            grouped(length), grouped(of_one_letter), grouped(of_turns));
}

/* How long the text has to be for a grid that does not grow any more; 0 for one that does. */
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
    struct input input = histogram_contract.draw(1, histogram_contract.ordinary);
    const bool ran = place_and_measure(&input, own);
    input_free(&input);
    return ran && own->blocks > 0;
}

void expect_no_small_counters(void)
{
    enum { LONG = 64 << 20 };
    struct measurement own;
    uint64_t counted;
    struct outcome outcome;
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
    if (!runs_on_device(&histogram_contract) || !learn(&own))
        return;
    run_long_text(&own, LONG, 0, "", &outcome,
                  &counted); /* nothing of it runs: to see the grid is enough */
    const size_t length = length_for(&own, &outcome.shape);
    if (length > 0)
        compare_long_text(&own, length);
}
