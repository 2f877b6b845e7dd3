/* uncounted.c - what measure.h promises, on a real GPU.
 *
 * A GPU counts no accesses. So the suites run here for their results alone; expect_right.c skips what
 * needs a count. */
#include <stdint.h>

#include "binning.h"
#include "histogram.h"
#include "measure.h"
#include "target.h"

bool measure_run(const struct text *text, size_t misalignment, struct measurement *result,
                 unsigned int *bins, char *error, size_t error_size)
{
    unsigned char *space = target_allocate(misalignment + text->length);
    unsigned char *d_text = space + misalignment;
    unsigned int *d_bins = target_allocate(NUM_BINS * sizeof *d_bins);
    target_write(d_text, text->bytes, text->length);
    target_fill(d_bins, 0, NUM_BINS * sizeof *d_bins);
    *result = (struct measurement){.length = text->length};
    histogram(d_text, text->length, d_bins);
    bool ran = target_finish(error, error_size);
    if (ran)
        target_read(bins, d_bins, NUM_BINS * sizeof *d_bins);
    target_free(space);
    target_free(d_bins);
    return ran;
}

/* Here the whole of the longest text can be counted: one letter, 2^32 - 1 times. As
 * far as the bins are right, all of it was read. */
bool measure_far_end(const struct sim_trial *trial, struct measurement *result,
                     const char **stopped, char *error, size_t error_size)
{
    (void)trial;
    if (stopped)
        *stopped = NULL;
    const size_t length = UINT32_MAX;
    unsigned int bins[NUM_BINS];
    unsigned char *d_text = target_allocate(length);
    unsigned int *d_bins = target_allocate(sizeof bins);
    target_fill(d_text, 'a', length);
    target_fill(d_bins, 0, sizeof bins);
    *result = (struct measurement){.length = length, .blocks = 1, .threads = 1};
    histogram(d_text, length, d_bins);
    bool ran = target_finish(error, error_size);
    if (ran) {
        target_read(bins, d_bins, sizeof bins);
        result->reading.bytes = result->reading.end = bins[bin_of('a')];
    }
    target_free(d_text);
    target_free(d_bins);
    return ran;
}
