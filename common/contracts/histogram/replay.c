/* replay.c - shows a race of one chapter happen, step by step.
 *
 *     replay TEXT
 *
 * TEXT is a file that input wrote; SIM_SEED picks the schedule. Prints at most a
 * screen: the threads, what each read and wrote, and what was lost. Some races need a
 * text that begins between two words, so where there is none it begins so. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "placed.h"
#include "text.h"
#include "text_input.h"

/* Runs histogram() on the text and shows the race, if there is one. */
static bool show(const struct text *text, size_t misalignment)
{
    char error[512];
    struct measurement cost;
    const struct input input = input_of_text(text->name, text->bytes, text->length, misalignment);
    struct placed placed = place(&input);
    place_output(&placed);
    printf("Schedule of seed %llu, %zu characters", (unsigned long long)sim_seed(), text->length);
    if (misalignment > 0)
        printf(", %zu bytes after a multiple of 256", misalignment);
    printf(".\n");
    sim_explain_start();
    if (!measure_run(&placed.call, &cost, error, sizeof error))
        printf("histogram() stopped: %s\n", error);
    const bool raced = sim_explain(stdout);
    place_free(&placed);
    return raced;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s TEXT\n", arguments[0]);
        return 2;
    }
    struct text text = text_read_input(arguments[1]);
    if (!show(&text, 0) && !show(&text, 3))
        printf("No race: nothing that two threads did to one element was left without an order.\n");
    sim_reset_errors(); /* they have just been shown */
    text_free(&text);
    return 0;
}
