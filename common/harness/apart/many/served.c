/* served.c - what the kernel's process does of histogram_many()'s contract: see apart/serve.h. */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "many.h"
#include "remote.h"
#include "serve.h"
#include "sim.h"

static void serve_case(const struct wire_case *asked, const unsigned char *text)
{
    struct many_seen seen = {.returned = false};
    unsigned long long bins[NUM_BINS] = {0};
    sim_set_seed(asked->seed);
    histogram_many(text, asked->length, bins);
    seen.returned = true;
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        seen.bins[bin] = bins[bin];
    serve_answer(0, &seen, sizeof seen);
}

void wire_serve(const struct wire_question *question, const unsigned char *bytes)
{
    struct wire_case asked;
    if (question->what == WIRE_DEVICES)
        sim_set_devices((unsigned int)question->values[0]);
    else if (question->what == WIRE_READS)
        serve_answer(0, NULL, 0);
    else {
        memcpy(&asked, bytes, sizeof asked);
        serve_case(&asked, bytes + sizeof asked);
    }
}
