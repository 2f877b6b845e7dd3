/* row.c - runs one chapter once, on several devices or ranks, and writes its row of the ladder.
 *
 *     row TEXT CHAPTER NAME OUT.csv
 *
 * TEXT is a file that input wrote; its name stands in TEXT.name. SIM_DEVICES in the environment says on
 * how many; 4 without it. OUT.csv gets a header and one row, of all of them together. Why a result is
 * wrong goes to standard error; the status is 0 then, too, since the row says so. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "counted_call.h"
#include "grouped.h"
#include "ladder_row.h"

static const char more_columns[] = ",devices,launches,copied_bytes,most_copied_bytes,collectives"
                                   ",collective_bytes,global_atomics,shared_atomics,blocks"
                                   ",threads_per_block";

static void print_cost(FILE *file, const void *context)
{
    const struct counted_call *call = context;
    const struct sim_counters *of = &call->counters;
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t numbers[] = {call->units,
                                of->launches,
                                call->copied_bytes,
                                call->most_copied_bytes,
                                call->collectives,
                                call->collective_bytes,
                                of->global[SIM_RED].lanes + of->global[SIM_ATOM].lanes,
                                of->shared[SIM_RED].lanes + of->shared[SIM_ATOM].lanes,
                                of->blocks,
                                (uint64_t)shape.block[0] * shape.block[1] * shape.block[2]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(file, ",%" PRIu64, numbers[i]);
}

/* Whether the bins are those of the text; else says which is not. */
static bool is_right(const struct text *text, const struct counted_call *call, char *why,
                     size_t size)
{
    unsigned long long expected[NUM_BINS] = {0};
    for (size_t i = 0; i < text->length; i++) {
        const int counted_in = bin_of(text->bytes[i]);
        if (counted_in < 0)
            continue;
        expected[counted_in] += 1;
    }
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        if (expected[bin] != call->bins[bin]) {
            snprintf(why, size, "bin %u holds %s, and the text has %s of its characters", bin,
                     grouped(call->bins[bin]), grouped(expected[bin]));
            return false;
        }
    if (call->reports > sim_error_count())
        snprintf(why, size, "a rank has reported what stands above");
    return call->reports == sim_error_count();
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: %s TEXT CHAPTER NAME OUT.csv\n", arguments[0]);
        return 2;
    }
    static struct counted_call call;
    if (!counted_begin(arguments)) {
        counted_run(&(struct text){.length = 0}, arguments[1], &call);
        counted_end();
        return 0;
    }
    struct text text = text_read_input(arguments[1]);
    char bins[16], why[256] = "";
    snprintf(bins, sizeof bins, "%d", (int)NUM_BINS);
    struct ladder_row row = {.file = arguments[4],
                             .chapter = arguments[2],
                             .name = arguments[3],
                             .bins = bins,
                             .input = text.name,
                             .length = text.length,
                             .more = more_columns};
    row_write(&row, &call.counters, print_cost, &call); /* stays when the program is ended */
    counted_run(&text, arguments[1], &call);
    row_judge(&row, !call.error[0], call.error, is_right(&text, &call, why, sizeof why), why);
    row_write(&row, &call.counters, print_cost, &call);
    counted_end();
    text_free(&text);
    return 0;
}
