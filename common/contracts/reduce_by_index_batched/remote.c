/* remote.c - the name of the function that the kernel's process calls, for sentences. */
#include "kernel_process.h"

const char kernel_function[] = "reduce_by_index_batched()";
