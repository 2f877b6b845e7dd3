/* keyed_once.c - runs one chapter once on elements with keys, on a GPU: for the sanitizer.
 *
 *     keyed_once KEYS LENGTH BINS      KEYS as in keyed.h
 *
 * Prints whether the bins are right; status 1 when they are not. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "keyed.h"
#include "reduce_by_index.h"

static size_t reduce_once(enum crowd crowd, size_t length, size_t num_bins)
{
    element_t *elements;
    bin_t *bins;
    size_t first;
    must(cudaMalloc((void **)&elements, length * sizeof *elements), "cudaMalloc");
    must(cudaMalloc((void **)&bins, num_bins * sizeof *bins), "cudaMalloc");
    keyed_fill(elements, length, num_bins, crowd);
    keyed_clear(bins, num_bins);
    struct keyed_truth *truth = keyed_truth_of(elements, length, num_bins);
    reduce_by_index(elements, length, bins, num_bins);
    must(cudaDeviceSynchronize(), "reduce_by_index()");
    const size_t wrong = keyed_wrong_bins(truth, bins, &first);
    keyed_truth_free(truth);
    must(cudaFree(elements), "cudaFree");
    must(cudaFree(bins), "cudaFree");
    return wrong;
}

int main(int count, char **arguments)
{
    int crowd = 0;
    while (count == 4 && crowd < CROWDS && strcmp(crowd_names[crowd], arguments[1]) != 0)
        crowd++;
    const size_t length = count == 4 ? strtoul(arguments[2], NULL, 10) : 0;
    const size_t num_bins = count == 4 ? strtoul(arguments[3], NULL, 10) : 0;
    if (crowd == CROWDS || length == 0 || num_bins == 0) {
        fprintf(stderr, "usage: %s uniform|zipf|single|stride63|ninety|sorted LENGTH BINS\n",
                arguments[0]);
        return 2;
    }
    const size_t wrong = reduce_once((enum crowd)crowd, length, num_bins);
    printf(wrong == 0 ? "right\n" : "%zu bins are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
