/* picture.c - what the first warp asks of the memory, for common/pictures/warp.py, which draws it.
 *
 *     picture TEXT
 *
 * Runs histogram() on the file TEXT, with 5 bins, and prints lines of words:
 *
 *     request WHAT SPACE COST BYTES NAME ADDRESS...   of the first warp, in order: load, store or add; shared
 *                                                     or global; sectors or wavefronts; bytes of a lane; the
 *                                                     variable in shared memory, or -; an address for each
 *                                                     lane, or - for one that has no part in it
 *     bins N...                                       the result
 *     addresses TEXT BINS COPIES SHARED               of the text and the bins; the lowest global one that is
 *                                                     neither, and the lowest in shared memory, of all blocks
 *     table N                                         1: a block shares more than one copy of the bins */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "letters.h"
#include "histogram.h"
#include "sim.h"
#include "target.h"
#include "text.h"

enum { WARP = 32, MOST_REQUESTS = 4096 };

static struct text text;
static uintptr_t text_address, bins_address, copies_address = UINTPTR_MAX,
                                             shared_address = UINTPTR_MAX;

static void print_request(const struct sim_event *event)
{
    const bool adds = event->access == SIM_RED || event->access == SIM_ATOM;
    printf("request %s %s %u %u %s",
           adds                        ? "add"
           : event->access == SIM_LOAD ? "load"
                                       : "store",
           event->space == SIM_SHARED ? "shared" : "global", event->cost, event->bytes,
           event->shared ? event->shared : "-");
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1)
            printf(" %" PRIuPTR, event->address[lane]);
        else
            printf(" -");
    printf("\n");
}

static void note(const struct sim_event *event, void *requests)
{
    if (event->active == 0)
        return;
    const uintptr_t first = event->address[__builtin_ctz(event->active)];
    const bool is_shared = event->space == SIM_SHARED;
    uintptr_t *lowest = is_shared ? &shared_address : &copies_address;
    const bool is_known = !is_shared && (first - text_address < text.length ||
                                         first - bins_address < num_bins() * sizeof(unsigned int));
    for (unsigned int lane = 0; lane < WARP && !is_known; lane++)
        if (event->active >> lane & 1 && event->address[lane] < *lowest)
            *lowest = event->address[lane];
    if (event->block == 0 && event->warp == 0 && (*(unsigned int *)requests)++ < MOST_REQUESTS)
        print_request(event);
}

static void run(void)
{
    char error[256];
    unsigned int bins[MOST_BINS], requests = 0;
    const size_t bytes = num_bins() * sizeof *bins;
    unsigned char *d_text = target_allocate(text.length);
    unsigned int *d_bins = target_allocate(bytes);
    target_write(d_text, text.bytes, text.length);
    target_fill(d_bins, 0, bytes);
    text_address = (uintptr_t)d_text;
    bins_address = (uintptr_t)d_bins;
    sim_observe(note, &requests);
    histogram(d_text, text.length, d_bins);
    if (!target_finish(error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    sim_observe(NULL, NULL);
    const struct sim_launch_shape shape = sim_last_launch();
    target_read(bins, d_bins, bytes);
    printf("bins");
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        printf(" %u", bins[bin]);
    printf("\naddresses %" PRIuPTR " %" PRIuPTR " %" PRIuPTR " %" PRIuPTR "\ntable %d\n",
           text_address, bins_address, copies_address, shared_address,
           shape.static_shared + shape.dynamic_shared > 2 * bytes);
    target_free(d_text);
    target_free(d_bins);
}

int main(int count, char **arguments)
{
    char error[256];
    if (count != 2 || num_bins() != 5) {
        fprintf(stderr, "usage: %s TEXT, and 5 bins\n", arguments[0]);
        return 2;
    }
    text = text_read(arguments + 1, 1, 0, error, sizeof error);
    if (!text.bytes) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    run();
    text_free(&text);
    return 0;
}
