/* reduce_once.c - runs one chapter on an array of values, on a GPU: for the sanitizer.
 *
 *     reduce_once LENGTH      calls it twice; the array begins one value after a multiple of 256 bytes
 *
 * Prints whether the results are right; status 1 when they are not. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "errors.h"
#include "reduce.h"
#include "results.h"
#include "values.h"

enum { CALLS = 2 };

int main(int count, char **arguments)
{
    char *end = NULL;
    const size_t length = count == 2 ? strtoul(arguments[1], &end, 10) : 0;
    value_t *room;
    if (count != 2 || *arguments[1] == '\0' || *end != '\0') {
        fprintf(stderr, "usage: %s LENGTH\n", arguments[0]);
        return 2;
    }
    must(cudaMalloc((void **)&room, (length + 1) * sizeof *room), "cudaMalloc");
    values_fill(room + 1, length, SPARSE);
    const struct truth truth = truth_of(room + 1, length);
    struct results results = results_room();
    results_spoil(&results);
    for (size_t call = 0; call < CALLS; call++)
        reduce(room + 1, length, result_of_run(&results, call));
    must(cudaDeviceSynchronize(), "reduce()");
    const struct verdict verdict = results_verdict(&results, CALLS, &truth);
    results_free(&results);
    must(cudaFree(room), "cudaFree");
    puts(verdict.wrong == 0 ? "right" : what_is_wrong(&truth, verdict.first_wrong));
    return verdict.wrong == 0 ? 0 : 1;
}
