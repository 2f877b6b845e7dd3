/* replay.c - shows a race of one chapter happen, step by step.
 *
 *     replay KEYS
 *
 * KEYS is a file that input wrote, OPERATIONS and KEY_BINS in the environment say the operation and
 * the number of bins; SIM_SEED picks the schedule. Prints at most a screen: the threads, what each
 * read and wrote, and what was lost. Some races need elements that begin between two words, so where
 * there is none they begin so. */
#include <stdbool.h>
#include <stdio.h>

#include "keyed_call.h"

/* Runs reduce_by_index() on the elements and shows the race, if there is one. */
static bool show(const struct key_kind *kind, size_t shift)
{
    char error[256];
    struct measurement cost;
    struct keyed_call made;
    keyed_call_make(&made, kind, shift);
    printf("Schedule of seed %llu, %s", (unsigned long long)sim_seed(), made.input.name);
    if (shift > 0)
        printf(", %zu after a multiple of 256 bytes", shift);
    printf(".\n");
    sim_explain_start();
    if (!measure_run(&made.placed.call, &cost, error, sizeof error))
        printf("reduce_by_index() stopped: %s\n", error);
    const bool raced = sim_explain(stdout);
    keyed_call_free(&made);
    return raced;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s KEYS\n", arguments[0]);
        return 2;
    }
    const struct key_kind kind = key_kind_read(arguments[1]);
    if (!show(&kind, 0) && !show(&kind, 1))
        printf("No race: nothing that two threads did to one element was left without an order.\n");
    sim_reset_errors(); /* they have just been shown */
    return 0;
}
