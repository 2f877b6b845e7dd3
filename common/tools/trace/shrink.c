/* shrink.c - a failing input made small: delta debugging, as Zeller and Hildebrandt describe it in
 * "Simplifying and Isolating Failure-Inducing Input" (2002).
 *
 * What counts is the same failure: the same kind, of a check the same lines. A shorter text is
 * another schedule, so each is tried on a few. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"

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
    unsigned char *text; /* of the failing trial: its own, to be changed */
    unsigned int trials;
    struct trial_time begun;
};

/* A failure is of the same kind; and what cost a count goes on to do so. */
static bool is_same(const struct outcome *one, const struct outcome *first)
{
    return one->kind == first->kind && strcmp(one->check, first->check) == 0 &&
           memcmp(one->place, first->place, sizeof one->place) == 0 &&
           one->miscounted >= first->miscounted;
}

static bool may_go_on(const struct search *search)
{
    return search->trials < MOST_TRIALS && !trial_time_is_up(search->begun, SECONDS);
}

/* Whether the trial still fails so; then it is the smallest so far, but for its text. */
static bool fails(struct search *search, const struct trial *trial)
{
    struct trial other = *trial;
    struct outcome outcome;
    const struct outcome *first = &search->failing->outcome;
    const bool much_less = search->failing->trial.length >= trial->length + LONG;
    const uint64_t schedules = first->kind != REPORTED          ? 1
                               : much_less && first->miscounted ? MORE_SCHEDULES
                                                                : SCHEDULES;
    for (uint64_t i = 0; i < schedules && may_go_on(search); i++) {
        other.seed = trial->seed + i;
        search->trials++;
        trial_run(&other, &outcome, NULL);
        if (!is_same(&outcome, &search->failing->outcome))
            continue;
        other.text = search->text;
        search->failing->trial = other;
        search->failing->outcome = outcome;
        return true;
    }
    return false;
}

/* Without the characters [from, from + count). */
static bool fails_without(struct search *search, size_t from, size_t count)
{
    struct trial trial = search->failing->trial;
    unsigned char *shorter = malloc(trial.length + 1);
    if (!shorter)
        abort();
    memcpy(shorter, trial.text, from);
    memcpy(shorter + from, trial.text + from + count, trial.length - from - count);
    trial.text = shorter;
    trial.length -= count;
    bool failed = fails(search, &trial);
    if (failed)
        memcpy(search->text, shorter, trial.length);
    free(shorter);
    return failed;
}

/* Halves, quarters, ... down to characters, from the end, and again while anything helps. */
static void drop_characters(struct search *search)
{
    const struct trial *trial = &search->failing->trial;
    for (size_t part = (trial->length + 1) / 2; part > 0 && may_go_on(search);) {
        bool helped = false;
        for (size_t end = trial->length; end > 0 && may_go_on(search);) {
            size_t count = part < end ? part : end;
            helped |= fails_without(search, end - count, count);
            end -= count;
            end = end < trial->length ? end : trial->length;
        }
        if (part == 1 && !helped)
            break;
        part = helped && part > 1 && part <= trial->length ? part : part / 2;
        if (part > trial->length)
            part = (trial->length + 1) / 2;
        if (part == 0 && helped)
            part = 1;
    }
}

/* Characters [from, from + count) all `c`. */
static bool fails_with(struct search *search, size_t from, size_t count, unsigned char c)
{
    struct trial trial = search->failing->trial;
    unsigned char *simpler = malloc(trial.length + 1);
    if (!simpler)
        abort();
    memcpy(simpler, trial.text, trial.length);
    memset(simpler + from, c, count);
    bool changed = memcmp(simpler, trial.text, trial.length) != 0;
    trial.text = simpler;
    bool failed = changed && fails(search, &trial);
    if (failed)
        memcpy(search->text, simpler, trial.length);
    free(simpler);
    return failed;
}

static void simplify_characters(struct search *search)
{
    const size_t length = search->failing->trial.length;
    if (fails_with(search, 0, length, 'a'))
        return;
    for (size_t i = 0; i < length && length <= SHORT && may_go_on(search); i++)
        if (search->text[i] != 'a' && !fails_with(search, i, 1, 'a') && search->text[i] != ' ')
            fails_with(search, i, 1, ' ');
}

static void drop_misalignment(struct search *search)
{
    struct trial trial = search->failing->trial;
    for (size_t less = 0; less < search->failing->trial.misalignment && less < 2; less++) {
        trial.misalignment = less;
        if (fails(search, &trial))
            return;
    }
}

/* In a smaller grid, where what a check reports stays the same: then it is sound. */
static void drop_blocks(struct search *search)
{
    const struct outcome *outcome = &search->failing->outcome;
    const unsigned int *grid = outcome->shape.grid;
    struct trial trial = search->failing->trial;
    if (outcome->kind != REPORTED || grid[1] * grid[2] != 1)
        return;
    memcpy(trial.kernel, outcome->shape.kernel, sizeof trial.kernel);
    for (trial.blocks = 1; trial.blocks < grid[0] && may_go_on(search); trial.blocks *= 2)
        if (fails(search, &trial))
            return;
}

void failing_shrink(struct failing *failing)
{
    unsigned char *text = malloc(failing->trial.length + 1);
    if (!text)
        abort();
    memcpy(text, failing->trial.text, failing->trial.length);
    free((void *)(uintptr_t)failing->trial.text);
    failing->trial.text = text;
    struct search search = {.failing = failing, .text = text, .begun = trial_time()};
    drop_misalignment(&search);
    fails_with(&search, 0, failing->trial.length, 'a');
    drop_characters(&search);
    simplify_characters(&search);
    drop_blocks(&search);
}
