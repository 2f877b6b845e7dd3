/* once.c - runs one chapter once on a GPU: for the profiler and the sanitizer.
 *
 *     once KIND SIZE      KIND of generated text, from seed 1
 *
 * Prints whether the bins are right; status 1 when they are not. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "verify.h"
#include "histogram.h"
#include "target.h"
#include "text.h"

int main(int count, char **arguments)
{
    size_t length;
    if (count != 3 || text_kind_named(arguments[1]) == TEXT_KINDS ||
        text_parse_size(arguments[2], &length) != 0) {
        fprintf(stderr, "usage: %s english|uniform|zipf|single|runs SIZE\n", arguments[0]);
        return 2;
    }
    struct text text = text_of(text_kind_named(arguments[1]), 1, length);
    unsigned int bins[NUM_BINS];
    char why[1024];
    unsigned char *d_text = target_allocate(length);
    unsigned int *d_bins = target_allocate(sizeof bins);
    target_write(d_text, text.bytes, length);
    target_fill(d_bins, 0, sizeof bins);
    histogram(d_text, length, d_bins);
    if (!target_finish(why, sizeof why)) {
        fprintf(stderr, "stopped: %s\n", why);
        return 1;
    }
    target_read(bins, d_bins, sizeof bins);
    target_free(d_text);
    target_free(d_bins);
    struct verify_result check = {
        .input = text.name, .text = text.bytes, .length = length, .counted = bins};
    bool right = verify_is_right(&check, why, sizeof why);
    text_free(&text);
    puts(right ? "right" : why);
    return right ? 0 : 1;
}
