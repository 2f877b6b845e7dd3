/* results.c - keeps the results of many runs apart, and judges them. */
#include "results.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

#include "errors.h"

enum { ALIGNMENT = 256, POISON = 0x5c };

struct results results_room(void)
{
    struct results results;
    must(cudaMalloc((void **)&results.first, (size_t)MOST_RESULTS * ALIGNMENT),
         "cudaMalloc of the results");
    return results;
}

void results_free(struct results *results)
{
    must(cudaFree(results->first), "cudaFree");
    results->first = NULL;
}

void results_spoil(const struct results *results)
{
    must(cudaMemset(results->first, POISON, (size_t)MOST_RESULTS * ALIGNMENT), "cudaMemset");
    must(cudaDeviceSynchronize(), "cudaMemset");
}

value_t *result_of_run(const struct results *results, size_t run)
{
    return (value_t *)(void *)(results->first + run % MOST_RESULTS * ALIGNMENT);
}

/* Whether one of the results before it has the same bits. */
static bool seen_before(const value_t *held, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (memcmp(&held[k], &held[i], sizeof *held) == 0)
            return true;
    return false;
}

struct verdict results_verdict(const struct results *results, size_t runs,
                               const struct truth *truth)
{
    static unsigned char bytes[MOST_RESULTS * ALIGNMENT];
    value_t held[MOST_RESULTS];
    struct verdict verdict = {.wrong = 0};
    must(cudaMemcpy(bytes, results->first, sizeof bytes, cudaMemcpyDeviceToHost), "the kernels");
    if (runs > MOST_RESULTS)
        runs = MOST_RESULTS;
    for (size_t i = 0; i < runs; i++) {
        memcpy(&held[i], bytes + i * ALIGNMENT, sizeof held[i]);
        const double error = error_of(truth, held[i]);
        if (!is_right_result(truth, held[i]) && verdict.wrong++ == 0)
            verdict.first_wrong = held[i];
        verdict.different += !seen_before(held, i);
        verdict.error = error > verdict.error ? error : verdict.error;
    }
    return verdict;
}
