/* inputs.c - inputs that break kernels, tried until one does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"
#include "text.h"

enum { SCHEDULES = 4, FOR_A_RACE = 24, SHORT = 1000, LENGTH = 4099, SECONDS = 2 };

/* What kind of text: of text.h, or of these. */
enum content { HIGH = TEXT_KINDS, ALL_VALUES, BRACES, LAST_LETTER, IN_TURN };

static const struct input {
    unsigned int content;
    size_t length, misalignment;
    unsigned int calls;
} inputs[] = {
    {TEXT_UNIFORM, 0, 0, 1},     {TEXT_UNIFORM, 1, 0, 1},      {TEXT_UNIFORM, 2, 0, 1},
    {TEXT_UNIFORM, 31, 0, 1},    {TEXT_UNIFORM, 32, 0, 1},     {TEXT_UNIFORM, 33, 0, 1},
    {TEXT_UNIFORM, 33, 0, 2},    {TEXT_UNIFORM, 255, 0, 1},    {TEXT_UNIFORM, 257, 0, 1},
    {TEXT_ENGLISH, 600, 0, 1},   {TEXT_UNIFORM, 999, 1, 1},    {TEXT_UNIFORM, 999, 3, 1},
    {TEXT_UNIFORM, 999, 8, 1},   {TEXT_UNIFORM, 999, 15, 1},   {HIGH, LENGTH, 0, 1},
    {ALL_VALUES, LENGTH, 0, 1},  {BRACES, LENGTH, 0, 1},       {LAST_LETTER, LENGTH, 0, 1},
    {IN_TURN, LENGTH, 0, 1},     {TEXT_UNIFORM, 4095, 0, 1},   {TEXT_UNIFORM, 4097, 0, 1},
    {TEXT_RUNS, 10007, 0, 1},    {TEXT_ENGLISH, 10007, 0, 1},  {TEXT_UNIFORM, 16381, 0, 1},
    {TEXT_UNIFORM, 16383, 7, 1}, {TEXT_SINGLE, 40009, 0, 1},   {TEXT_UNIFORM, 40009, 0, 1},
    {TEXT_UNIFORM, 65537, 0, 1}, {TEXT_ENGLISH, 300007, 0, 1},
};

static struct text text_with(unsigned int content, size_t length)
{
    if (content < TEXT_KINDS)
        return text_of((enum text_kind)content, 1, length);
    static const char *const names[] = {"bytes above 127", "every value of a byte", "'{' only",
                                        "'z' only", "'`' and 'a' in turn"};
    struct text text = text_of(TEXT_SINGLE, 1, length);
    snprintf(text.name, sizeof text.name, "%s", names[content - HIGH]);
    for (size_t i = 0; i < length; i++)
        text.bytes[i] = (unsigned char)(content == HIGH          ? 128 + i % 128
                                        : content == ALL_VALUES  ? i * 7
                                        : content == BRACES      ? '{'
                                        : content == LAST_LETTER ? 'z'
                                        : i % 2                  ? 'a'
                                                                 : '`');
    return text;
}

/* How much of what is wanted a failure shows: a race that costs a count more than one that does not;
 * and what takes long for a long text may be wrong in another way on a short one. */
enum shows { NOTHING, SOMETHING, THE_SAME, ENOUGH };
static enum shows shown(const struct wanted *wanted, const struct outcome *outcome)
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

static void keep(struct failing *failing, const struct trial *trial, const struct outcome *outcome,
                 const struct text *text)
{
    unsigned char *copy = malloc(trial->length + 1);
    if (!copy)
        abort();
    memcpy(copy, trial->text, trial->length);
    free((void *)(uintptr_t)failing->trial.text);
    *failing = (struct failing){.trial = *trial, .outcome = *outcome};
    failing->trial.text = copy;
    snprintf(failing->what, sizeof failing->what, "%s", text->name);
}

/* Tries an input on its schedules, and keeps the trial that shows more than the best so far. */
static enum shows try(const struct input *input, const struct wanted *wanted, uint64_t seed,
                      struct failing *failing, enum shows best)
{
    struct text text = text_with(input->content, input->length);
    uint64_t end = seed + SCHEDULES;
    for (uint64_t schedule = seed; schedule < end && best < ENOUGH; schedule++) {
        struct outcome outcome;
        struct trial trial = {.text = text.bytes,
                              .length = input->length,
                              .misalignment = input->misalignment,
                              .seed = schedule,
                              .calls = input->calls};
        trial_run(&trial, &outcome, NULL);
        enum shows now = shown(wanted, &outcome);
        if (now > best) {
            keep(failing, &trial, &outcome, &text);
            best = now;
        }
        if (now == THE_SAME && input->length <= SHORT)
            end = seed + FOR_A_RACE;
        if (now == SOMETHING)
            break; /* another schedule tells the same */
    }
    text_free(&text);
    return best;
}

/* Once something is found, what is better must not take long. */
bool failing_find(const struct wanted *wanted, uint64_t seed, struct failing *failing)
{
    enum shows best = NOTHING;
    const struct trial_time begun = trial_time();
    *failing = (struct failing){.what = ""};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs && best < ENOUGH; i++)
        if (best < THE_SAME || !trial_time_is_up(begun, SECONDS))
            best = try(&inputs[i], wanted, seed, failing, best);
    return best > NOTHING;
}
