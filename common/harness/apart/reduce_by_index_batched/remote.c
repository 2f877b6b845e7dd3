/* remote.c - reduce_by_index_batched(), done by the kernel's process. */
#include "remote.h"

#include "kernel_process.h"
#include "reduce_by_index_batched.h"

const char kernel_function[] = "reduce_by_index_batched()";

void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch,
                             bin_t *d_bins, size_t num_bins)
{
    remote_call(&(struct call){.operation = operation_now(),
                               .elements = (uintptr_t)d_elements,
                               .length = batch * length,
                               .bins = (uintptr_t)d_bins,
                               .num_bins = batch * num_bins,
                               .batch = batch});
}
