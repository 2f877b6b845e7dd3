/* kernel.c - calls what the contract promises. The judge knows no type of values. */
#include "measure.h"
#include "reduce.h"

void call_make(const struct call *call)
{
    reduce((const value_t *)(uintptr_t)call->values, call->length,
           (value_t *)(uintptr_t)call->result);
}
