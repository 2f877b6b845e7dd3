/* failing.c - finds an input on which a kernel is wrong, and makes it small: delta debugging, as Zeller and
 * Hildebrandt describe it in "Simplifying and Isolating Failure-Inducing Input" (2002).
 *
 * What counts is the same failure: the same kind, of a check the same lines. A shorter input is
 * another schedule, so each is tried on a few. */
#include <string.h>

#include "trace.h"

/* To find one: schedules of an input, of a short one that may race; units; seconds. */
enum { FOUND_SCHEDULES = 4, FOR_A_RACE = 24, SHORT_TO_FIND = 1000, SECONDS_TO_FIND = 2 };

/* How much of what is wanted a failure shows: a race that costs a result more than one that does
 * not; and what takes long for a long input may be wrong in another way on a short one. */
enum shows { NOTHING, SOMETHING, THE_SAME, ENOUGH };
static enum shows shown(const struct wanted *wanted, const struct trial_outcome *outcome)
{
    if (outcome->kind == RIGHT)
        return NOTHING;
    if (wanted->kind == RIGHT || strcmp(wanted->check, "progress") == 0)
        return ENOUGH;
    const bool races = strcmp(outcome->check, "racecheck") == 0;
    if (wanted->kind != outcome->kind ||
        (strcmp(wanted->check, outcome->check) != 0 &&
         !(races && strcmp(wanted->check, "initcheck") == 0))) /* what is read too early */
        return SOMETHING;
    return !races || outcome->miscounted ? ENOUGH : THE_SAME;
}

/* Takes the outcome. */
static void keep(struct failing *failing, const struct trial *trial, struct trial_outcome *outcome)
{
    input_free(&failing->trial.input);
    outcome_free(&failing->outcome);
    *failing = (struct failing){.trial = *trial, .outcome = *outcome};
    failing->trial.input = input_copy(&trial->input);
    outcome->held = NULL;
}

/* Tries an input on its schedules, and keeps the trial that shows more than the best so far. */
static enum shows try(struct input input, const struct wanted *wanted, uint64_t seed,
                      struct failing *failing, enum shows best)
{
    uint64_t end = seed + FOUND_SCHEDULES;
    for (uint64_t schedule = seed; schedule < end && best < ENOUGH; schedule++) {
        struct trial_outcome outcome;
        const struct trial trial = {.input = input, .seed = schedule};
        trial_run(&trial, &outcome, NULL);
        const enum shows current = shown(wanted, &outcome);
        if (current > best) {
            keep(failing, &trial, &outcome);
            best = current;
        }
        if (current == THE_SAME && input.length <= SHORT_TO_FIND)
            end = seed + FOR_A_RACE;
        outcome_free(&outcome);
        if (current == SOMETHING)
            break; /* another schedule tells the same */
    }
    input_free(&input);
    return best;
}

/* Once something is found, what is better must not take long. */
bool failing_find(const struct wanted *wanted, uint64_t seed, struct failing *failing)
{
    enum shows best = NOTHING;
    const struct trial_time begun = trial_time();
    struct input input;
    *failing = (struct failing){.trial.seed = seed};
    for (size_t i = 0; best < ENOUGH && traced_draw(i, &input); i++)
        if (best < THE_SAME || !trial_time_is_up(begun, SECONDS_TO_FIND))
            best = try(input, wanted, seed, failing, best);
        else
            input_free(&input);
    return best > NOTHING;
}

/* To make it small. */
enum {
    MOST_TRIALS = 1200,
    SECONDS = 6,
    SCHEDULES = 3,
    MORE_SCHEDULES = 12,
    LONG = 256,
    SHORT = 48
};

struct search {
    struct failing *failing;
    struct shape of_input, of_output;
    unsigned int trials;
    struct trial_time begun;
};

/* Whether a failure is the same: it is of the same kind, and one that cost a result still does. */
static bool is_same(const struct trial_outcome *one, const struct trial_outcome *first)
{
    return one->kind == first->kind && strcmp(one->check, first->check) == 0 &&
           memcmp(one->place, first->place, sizeof one->place) == 0 &&
           one->miscounted >= first->miscounted;
}

static bool may_go_on(const struct search *search)
{
    return search->trials < MOST_TRIALS && !trial_time_is_up(search->begun, SECONDS);
}

/* Takes the trial and its input. If it still fails in the same way, it becomes the smallest so far. */
static bool fails(struct search *search, struct trial trial)
{
    struct trial_outcome outcome;
    const uint64_t seed = trial.seed;
    const struct trial_outcome *first = &search->failing->outcome;
    const bool much_less = search->failing->trial.input.length >= trial.input.length + LONG;
    const bool other_grid = trial.blocks != search->failing->trial.blocks;
    const uint64_t schedules = first->kind != REPORTED                          ? 1
                               : other_grid || (much_less && first->miscounted) ? MORE_SCHEDULES
                                                                                : SCHEDULES;
    for (uint64_t i = 0; i < schedules && may_go_on(search); i++) {
        trial.seed = seed + i;
        search->trials++;
        trial_run(&trial, &outcome, NULL);
        if (is_same(&outcome, first)) {
            input_free(&search->failing->trial.input);
            outcome_free(&search->failing->outcome);
            search->failing->trial = trial;
            search->failing->outcome = outcome;
            return true;
        }
        outcome_free(&outcome);
    }
    input_free(&trial.input);
    return false;
}

/* The smallest trial so far, with an input of its own, to be changed. */
static struct trial another(const struct search *search)
{
    struct trial trial = search->failing->trial;
    trial.input = input_copy(&trial.input);
    trial.input.drawn[0] = '\0';
    return trial;
}

static size_t rows_of(const struct input *input)
{
    return input->batch > 0 ? input->batch : 1;
}

/* Takes elements [from, from + count) out of each of so many rows of an array. */
static void cut(unsigned char *array, size_t bytes, size_t rows, size_t row, size_t from,
                size_t count)
{
    for (size_t i = 0; i < rows; i++) {
        unsigned char *to = array + i * (row - count) * bytes;
        const unsigned char *begin = array + i * row * bytes;
        memmove(to, begin, from * bytes);
        memmove(to + from * bytes, begin + (from + count) * bytes, (row - from - count) * bytes);
    }
}

/* What an input can be made smaller in. */
enum part { UNITS, ROWS };

static size_t parts_of(const struct input *input, enum part part)
{
    return part == ROWS ? input->batch : input->length / rows_of(input);
}

/* Leaves out units [from, from + count) of each row, or these rows. */
static bool fails_without(struct search *search, enum part part, size_t from, size_t count)
{
    struct trial trial = another(search);
    struct input *input = &trial.input;
    const size_t rows = rows_of(input), bins = input->num_bins / rows, row = input->length / rows;
    const size_t unit = search->of_input.bytes;
    if (part == UNITS) {
        cut(input->elements, unit, rows, row, from, count);
        input->length -= count * rows;
    } else {
        cut(input->elements, unit * row, 1, rows, from, count);
        cut(input->bins, search->of_output.bytes * bins, 1, rows, from, count);
        input->length -= count * row;
        input->num_bins -= count * bins;
        input->batch -= count;
    }
    return fails(search, trial);
}

/* Halves, quarters, ... down to single ones, from the end, and again while anything helps. */
static void drop(struct search *search, enum part which)
{
    const struct input *input = &search->failing->trial.input;
    const size_t least = which == ROWS ? 1 : 0; /* without rows it is no batch */
    if (input->more[0] > 0) /* these numbers say how its units and outputs belong together */
        return;
    for (size_t part = (parts_of(input, which) + 1) / 2; part > 0 && may_go_on(search);) {
        bool helped = false;
        for (size_t end = parts_of(input, which); end > least && may_go_on(search);) {
            const size_t count = part < end - least ? part : end - least;
            helped |= fails_without(search, which, end - count, count);
            end -= count;
            end = end < parts_of(input, which) ? end : parts_of(input, which);
        }
        if (part == 1 && !helped)
            break;
        part = helped && part > 1 && part <= parts_of(input, which) ? part : part / 2;
        if (part > parts_of(input, which))
            part = (parts_of(input, which) + 1) / 2;
        if (part == 0 && helped)
            part = 1;
    }
}

/* Makes units [from, from + count) plainer. */
static bool fails_with(struct search *search, size_t from, size_t count, unsigned int way)
{
    struct trial trial = another(search);
    const size_t bytes = trial.input.length * search->of_input.bytes;
    if (kernel_to_run()->simplify)
        kernel_to_run()->simplify(&trial.input, from, count, way);
    if (memcmp(trial.input.elements, search->failing->trial.input.elements, bytes) != 0)
        return fails(search, trial);
    input_free(&trial.input);
    return false;
}

static bool is_plainest(const struct search *search, size_t i)
{
    struct input copy = input_copy(&search->failing->trial.input);
    const size_t unit = search->of_input.bytes;
    if (kernel_to_run()->simplify)
        kernel_to_run()->simplify(&copy, i, 1, 0);
    const bool same = memcmp(copy.elements + i * unit,
                             search->failing->trial.input.elements + i * unit, unit) == 0;
    input_free(&copy);
    return same;
}

static void simplify_units(struct search *search)
{
    const size_t length = search->failing->trial.input.length;
    if (fails_with(search, 0, length, 0))
        return;
    for (size_t i = 0; i < length && length <= SHORT && may_go_on(search); i++)
        if (!is_plainest(search, i) && !fails_with(search, i, 1, 0))
            fails_with(search, i, 1, 1);
}

/* Keeps fewer bins: the first ones of each row. */
static bool drop_outputs(struct search *search)
{
    const struct input *current = &search->failing->trial.input;
    const size_t rows = rows_of(current), bins = current->num_bins / rows;
    if (current->more[0] > 0 || traced_counts_text()) /* as above; or bins are typed */
        return false;
    for (size_t fewer = 1; current->bins && fewer < bins && may_go_on(search);
         fewer += (fewer + 1) / 2) {
        struct trial trial = another(search);
        cut(trial.input.bins, search->of_output.bytes, rows, bins, fewer, bins - fewer);
        trial.input.num_bins = fewer * rows;
        if (fails(search, trial))
            return true;
    }
    return false;
}

static void drop_misalignment(struct search *search)
{
    const size_t most = search->failing->trial.input.misalignment;
    for (size_t less = 0; less < most && less < 2; less++) {
        struct trial trial = another(search);
        trial.input.misalignment = less;
        if (fails(search, trial))
            return;
    }
}

static void drop_devices(struct search *search)
{
    const unsigned int most = search->failing->trial.input.devices;
    for (unsigned int fewer = 1; fewer < most && may_go_on(search); fewer++) {
        struct trial trial = another(search);
        trial.input.devices = fewer;
        if (fails(search, trial))
            return;
    }
}

/* Tries a smaller grid, which is sound where a check still reports the same. */
static void drop_blocks(struct search *search)
{
    const struct trial_outcome *outcome = &search->failing->outcome;
    const unsigned int *grid = outcome->shape.grid;
    if (outcome->kind != REPORTED || traced_on_devices() || grid[1] * grid[2] != 1)
        return;
    for (unsigned int blocks = 1; blocks < grid[0] && may_go_on(search); blocks *= 2) {
        struct trial trial = another(search);
        trial.blocks = blocks;
        memcpy(trial.kernel, outcome->shape.kernel, sizeof trial.kernel);
        if (fails(search, trial))
            return;
    }
}

void failing_shrink(struct failing *failing)
{
    struct search search = {.failing = failing, .begun = trial_time()};
    traced_shapes(&search.of_input, &search.of_output);
    drop_misalignment(&search);
    fails_with(&search, 0, failing->trial.input.length, 0);
    if (failing->trial.input.batch > 1)
        drop(&search, ROWS);
    do { /* a kernel may choose its way by how many elements come to a bin */
        drop(&search, UNITS);
        simplify_units(&search);
    } while (drop_outputs(&search));
    drop_devices(&search);
    drop_blocks(&search);
}
