/* changes.c - finds words for what changed between two rows: see changes.h. */
#include "changes.h"

#include <stdio.h>

#include "rungs.h"

/* Below this a change is not worth a word; a quantity that comes or goes is worth
 * more than one that grows. */
static const double least_factor = 1.25, comes_or_goes = 1e12;

struct change change_of(const char *what, double before, double after)
{
    struct change change = {.weight = 0};
    if (before <= 0 && after <= 0)
        return change;
    if (before <= 0 || after <= 0) {
        change.weight = comes_or_goes + before + after;
        snprintf(change.words, sizeof change.words, before <= 0 ? "%s %s" : "no %s%s",
                 before <= 0 ? whole(after) : "", what);
        return change;
    }
    double factor = before > after ? before / after : after / before;
    if (factor < least_factor)
        return change;
    change.weight = factor;
    char times[32];
    if (factor < 10)
        snprintf(times, sizeof times, "%.1f", factor);
    else
        snprintf(times, sizeof times, "%s", whole(factor));
    snprintf(change.words, sizeof change.words, "%s times %s %s", times,
             before > after ? "fewer" : "more", what);
    return change;
}

void changes_print(struct change changes[], size_t count)
{
    enum { TOLD = 3 };
    printf("      ");
    for (size_t told = 0; told < TOLD; told++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++)
            if (changes[i].weight > changes[most].weight)
                most = i;
        if (changes[most].weight <= 0) {
            printf("%s", told == 0 ? "the same counters as the row above" : "");
            break;
        }
        printf("%s%s", told > 0 ? ", " : "", changes[most].words);
        changes[most].weight = 0;
    }
    printf("\n");
}
