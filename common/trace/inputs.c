/* inputs.c - inputs that break kernels, tried until one does. */
#include <string.h>

#include "trial.h"

enum { SCHEDULES = 4, FOR_A_RACE = 24, SHORT = 1000, SECONDS = 2 };

/* How much of what is wanted a failure shows: a race that costs a result more than one that does
 * not; and what takes long for a long input may be wrong in another way on a short one. */
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

/* Takes the outcome. */
static void keep(struct failing *failing, const struct trial *trial, struct outcome *outcome)
{
    traced_free(&failing->trial.input);
    outcome_free(&failing->outcome);
    *failing = (struct failing){.trial = *trial, .outcome = *outcome};
    failing->trial.input = traced_copy(&trial->input);
    outcome->held = NULL;
}

/* Tries an input on its schedules, and keeps the trial that shows more than the best so far. */
static enum shows try(struct traced_input input, const struct wanted *wanted, uint64_t seed,
                      struct failing *failing, enum shows best)
{
    uint64_t end = seed + SCHEDULES;
    for (uint64_t schedule = seed; schedule < end && best < ENOUGH; schedule++) {
        struct outcome outcome;
        const struct trial trial = {.input = input, .seed = schedule};
        trial_run(&trial, &outcome, NULL);
        const enum shows now = shown(wanted, &outcome);
        if (now > best) {
            keep(failing, &trial, &outcome);
            best = now;
        }
        if (now == THE_SAME && input.length <= SHORT)
            end = seed + FOR_A_RACE;
        outcome_free(&outcome);
        if (now == SOMETHING)
            break; /* another schedule tells the same */
    }
    traced_free(&input);
    return best;
}

/* Once something is found, what is better must not take long. */
bool failing_find(const struct wanted *wanted, uint64_t seed, struct failing *failing)
{
    enum shows best = NOTHING;
    const struct trial_time begun = trial_time();
    struct traced_input input;
    *failing = (struct failing){.trial.seed = seed};
    for (size_t i = 0; best < ENOUGH && traced.draw(i, &input); i++)
        if (best < THE_SAME || !trial_time_is_up(begun, SECONDS))
            best = try(input, wanted, seed, failing, best);
        else
            traced_free(&input);
    return best > NOTHING;
}
