/* times_table.c - the table and the CSV of the benchmark. */
#include "times_table.h"

#include <string.h>

#include "binning.h"
#include "grouped.h"

const char report_columns[] =
    "implementation,input,bins,length,runs,median_ms,low_ms,high_ms,GB_per_s,"
    "correct,percent_of_roofline,ratio_to_CUB,queued,latency_ms,"
    "latency_low_ms,latency_high_ms";

void report_heading(const char *input, size_t length)
{
    printf(
        "\n%s bytes of %s, %d bins: the whole call, on the GPU alone, queued back to back; median\n"
        "of the repetitions. Latency: a single call on an idle GPU, until all is done.\n\n",
        grouped(length), input, (int)NUM_BINS);
    printf("%-24s %10s %17s %9s %11s %8s %8s %10s\n", "", "", "10th to 90th", "", "percent of",
           "ratio", "bins", "latency");
    printf("%-24s %10s %17s %9s %11s %8s %8s %10s\n", "implementation", "ms", "percentile", "GB/s",
           "roofline", "to CUB", "right", "ms");
    fflush(stdout);
}

/* `part` as a share of `whole`, or "-" when one of them is unknown. */
static const char *share(double whole, double part, double scale, const char *format)
{
    static char words[4][32];
    static unsigned int turn;
    char *word = words[turn++ % 4];
    if (whole > 0 && part > 0)
        snprintf(word, sizeof words[0], format, scale * whole / part);
    else
        snprintf(word, sizeof words[0], "-");
    return word;
}

void report_row(FILE *csv, const struct timing *timing, const struct yardsticks *yardsticks)
{
    static const char *const answers[] = {"yes", "no", "-"};
    const struct gpu_times *times = &timing->times;
    const struct spread *run = &times->run, *latency = &times->latency;
    bool reads = strcmp(timing->name, "empty launch") != 0;
    double bytes = reads ? (double)timing->length : 0;
    double reading = reads ? yardsticks->reading : 0, cub = reads ? yardsticks->cub : 0;
    const char *rate = share(bytes, run->median, 1e-6, "%.1f");
    const char *percent = share(reading, run->median, 100, "%.1f");
    const char *ratio = share(cub, run->median, 1, "%.3f");
    fprintf(csv, "%s,%s,%d,%zu,%d,%.5f,%.5f,%.5f,%s,%s,%s,%s,%d,%.5f,%.5f,%.5f\n", timing->name,
            timing->input, (int)NUM_BINS, timing->length, times->repetitions, run->median, run->low,
            run->high, rate, answers[timing->bins], percent, ratio, times->queued, latency->median,
            latency->low, latency->high);
    printf("%-24s %10.4f %8.4f-%8.4f %9s %11s %8s %8s %10.4f%s\n", timing->name, run->median,
           run->low, run->high, rate, percent, ratio,
           timing->bins == WRONG ? "NO" : answers[timing->bins], latency->median,
           times->queued ? "" : " waits for the GPU itself: not queued");
    fflush(csv);
    fflush(stdout);
}

void report_left_out(FILE *csv, const char *name, const char *input, size_t length, const char *why)
{
    printf("%-24s left out: %s\n", name, why);
    fprintf(csv, "%s,%s,%d,%zu,0,-,-,-,-,left out,-,-,0,-,-,-\n", name, input, (int)NUM_BINS,
            length);
    fflush(csv);
    fflush(stdout);
}
