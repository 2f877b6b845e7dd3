/* replay.c - shows a race of one chapter happen, step by step.
 *
 *     replay TEXT
 *
 * TEXT is a file that input wrote; SIM_SEED picks the schedule. Prints at most a
 * screen: the threads, what each read and wrote, and what was lost. */
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "measure.h"
#include "text.h"

int main(int count, char **arguments)
{
    unsigned int bins[NUM_BINS];
    char error[512];
    struct measurement cost;
    if (count != 2) {
        fprintf(stderr, "usage: %s TEXT\n", arguments[0]);
        return 2;
    }
    struct text text = text_read_input(arguments[1]);
    printf("Schedule of seed %llu, %zu characters.\n", (unsigned long long)sim_seed(), text.length);
    sim_explain_start();
    if (!measure_run(&text, 0, &cost, bins, error, sizeof error))
        printf("histogram() stopped: %s\n", error);
    if (!sim_explain(stdout))
        printf("No race: nothing that two threads did to one element was left without an order.\n");
    sim_reset_errors(); /* they have just been shown */
    text_free(&text);
    return 0;
}
