/* replay.c - shows a race of one chapter happen, step by step.
 *
 *     replay INPUT
 *
 * INPUT is a file that the program input wrote; the environment is that of row.c, and SIM_SEED picks the
 * schedule. Prints at most a screen: the threads, what each read and wrote, and what was lost. Some races
 * need an input that begins between two wide words, so where there is none it begins so. */
#include <stdbool.h>
#include <stdio.h>

#include "contract.h"
#include "placed.h"
#include "run.h"
#include "to_run.h"
#include "settings.h"

/* Runs the kernel and shows the race, if there is one. */
static bool show(struct run *run, size_t misalignment)
{
    const char *units = kernel_to_run()->contract->words.units;
    run->input.misalignment = misalignment;
    struct placed placed = place(&run->input);
    place_output(&placed);
    placed.job.budget =
        UINT64_MAX; /* a run takes as long as the simulator lets it, a verdict less */
    printf("Schedule of seed %llu, ", (unsigned long long)schedule_now());
    if (kernel_to_run()->contract->has_operation)
        printf("%s", run->input.name);
    else
        printf("%zu %s", run->input.length, units);
    if (misalignment > 0)
        printf(", %zu %s after a multiple of 256 bytes", misalignment, units);
    printf(".\n");
    fflush(stdout); /* what the simulator says of the race goes to stderr */
    sim_explain_start();
    if (!place_measure(&placed, &run->cost))
        printf("%s stopped: %s\n", kernel_to_run()->contract->words.function, placed.last.error);
    const bool raced = sim_explain(stdout);
    place_free(&placed);
    return raced;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s INPUT\n", arguments[0]);
        return 2;
    }
    static struct run run;
    run_begin(arguments);
    sim_refuse_warps_in_step(1); /* as a verdict does */
    run.input = input_read(arguments[1], 0, run.called, sizeof run.called);
    if (!show(&run, 0) &&
        !show(&run, kernel_to_run()->contract->race_shift ? kernel_to_run()->contract->race_shift : 1))
        printf("No race: nothing that two threads did to one element was left without an order.\n");
    sim_reset_errors(); /* they have just been shown */
    input_free(&run.input);
    run_end();
    return 0;
}
