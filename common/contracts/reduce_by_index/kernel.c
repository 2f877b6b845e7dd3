/* kernel.c - calls what the contract at hand promises.
 *
 * The contracts with an operation share their harness, and a program has the function of one of them:
 * that of the other is weak, and absent. */
#include "measure.h"
#include "reduce_by_index.h"
#include "reduce_by_index_batched.h"

#pragma weak reduce_by_index
#pragma weak reduce_by_index_batched

void call_make(const struct call *call)
{
    const element_t *elements = (const element_t *)(uintptr_t)call->elements;
    bin_t *bins = (bin_t *)(uintptr_t)call->bins;
    if (call->batch > 0)
        reduce_by_index_batched(elements, call->length / call->batch, call->batch, bins,
                                call->num_bins / call->batch);
    else if (reduce_by_index)
        reduce_by_index(elements, call->length, bins, call->num_bins);
    else /* no histogram, which would have been as long as others */
        reduce_by_index_batched(elements, 1000, 0, bins, 31);
}

const struct kernel_half kernel_half = {.begin = NULL};
