/* timing.c - rounds of runs, with a check before and after. */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "grouped.h"
#include "run.h"
#include "text_input.h"
#include "verify.h"

/* The text several times over; the runs take turns. */
enum { COPIES_BYTES = 512 << 20, MOST_COPIES = 256 };
struct copies {
    unsigned char *text[MOST_COPIES];
    size_t count, length, next;
};

static void free_copies(struct copies *copies)
{
    while (copies->count > 0)
        free(copies->text[--copies->count]);
}

/* Returns false when there is no memory for them. */
static bool make_copies(struct copies *copies, const struct text *text)
{
    const size_t wanted = COPIES_BYTES / (text->length + 1) + 1;
    *copies = (struct copies){.length = text->length};
    while (copies->count < (wanted < MOST_COPIES ? wanted : MOST_COPIES)) {
        unsigned char *copy = copy_on_all_cores(text->bytes, text->length);
        if (!copy) {
            free_copies(copies);
            return false;
        }
        copies->text[copies->count++] = copy;
    }
    return true;
}

/* A text and what is in it. */
struct task {
    const struct text *text;
    unsigned int expected[NUM_BINS];
};

static void run_once(const struct contestant *who, struct copies *copies, unsigned int *bins)
{
    const unsigned char *text = copies->text[copies->next++ % copies->count];
    memset(bins, 0, NUM_BINS * sizeof *bins);
    if (who->all_cores)
        on_all_cores(who->run, text, copies->length, bins);
    else
        who->run(text, copies->length, bins);
}

static bool is_right(const struct contestant *who, struct copies *copies, const struct task *task,
                     char *error, size_t size)
{
    unsigned int bins[NUM_BINS];
    struct run run = {.input = input_of_text(&histogram_contract, task->text->name,
                                             task->text->bytes, task->text->length, 0),
                      .finished = true};
    run_once(who, copies, bins);
    if (!who->counts || memcmp(bins, task->expected, sizeof bins) == 0)
        return true;
    run_compare(&run, bins, NULL);
    snprintf(error, size, "%s%s: %s", who->name, who->all_cores ? ", all cores" : "", run.why);
    return false;
}

static int time_rounds(struct contestant *contestants, size_t count, struct copies *copies,
                       double seconds)
{
    unsigned int bins[NUM_BINS];
    double ms[MOST_CONTESTANTS][MOST_RUNS];
    const double end = wall_now() + seconds * 1e3;
    int round = 0;
    for (; round < LEAST_RUNS || (round < MOST_RUNS && wall_now() < end); round++)
        for (size_t i = 0; i < count; i++) {
            const double start = wall_now();
            run_once(&contestants[i], copies, bins);
            ms[i][round] = wall_now() - start;
        }
    for (size_t i = 0; i < count; i++)
        contestants[i].ms = spread_of(ms[i], round);
    return round;
}

int time_all(struct contestant *contestants, size_t count, const struct text *text, double seconds,
             char *error, size_t error_size)
{
    struct task task = {.text = text};
    struct copies copies;
    int rounds = 0;
    if (!make_copies(&copies, text)) {
        snprintf(error, error_size, "no memory for more copies of %s characters",
                 grouped(text->length));
        return 0;
    }
    verify_count(text->bytes, text->length, task.expected);
    bool right = true;
    for (size_t i = 0; i < count && right; i++)
        right = is_right(&contestants[i], &copies, &task, error, error_size);
    if (right)
        rounds = time_rounds(contestants, count, &copies, seconds);
    for (size_t i = 0; i < count && right; i++)
        right = is_right(&contestants[i], &copies, &task, error, error_size);
    free_copies(&copies);
    return right ? rounds : 0;
}
