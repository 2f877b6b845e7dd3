/* array_call.c - places values and a result, and looks what became of it: see array_call.h. */
#include "array_call.h"

#include <stdio.h>
#include <string.h>

#include "oracle.h"
#include "target.h"

enum { MOST_BYTES = 16, ANYTHING = 0xa5 };

struct array_call array_call_of(const struct array_kind *kind, size_t shift)
{
    unsigned char before[MOST_BYTES];
    operation_choose(0);
    const size_t bytes = operation_bin_bytes(operation_now());
    struct array_call made = {.input = input_of(VALUES_SMALL, kind->seed, kind->length)};
    made.input.misalignment = shift;
    made.space = target_allocate((shift + kind->length) * bytes);
    made.call = (struct call){.operation = operation_now(),
                              .values = (uintptr_t)(made.space + shift * bytes),
                              .length = kind->length,
                              .result = (uintptr_t)target_allocate(bytes)};
    memset(before, ANYTHING, sizeof before);
    target_write((void *)(uintptr_t)made.call.values, made.input.values, kind->length * bytes);
    target_write((void *)(uintptr_t)made.call.result, before, bytes);
    return made;
}

void array_call_free(struct array_call *call)
{
    target_free(call->space);
    target_free((void *)(uintptr_t)call->call.result);
    input_free(&call->input);
}

/* Additions through which a value passes when the threads share the values, a tree adds those of a
 * block, and the blocks come one after the other. */
static double depth_of(const struct array_call *call, const struct measurement *cost)
{
    enum { OF_A_BLOCK = 32 };
    const double threads = cost->threads > 0 ? (double)cost->threads : 1;
    return (double)call->input.length / threads + (double)cost->blocks + OF_A_BLOCK;
}

bool array_call_is_right(const struct array_call *call, const struct measurement *cost,
                         char *explanation, size_t size)
{
    enum { A_VALUE = 128 };
    unsigned char held[MOST_BYTES];
    char should[A_VALUE], holds[A_VALUE];
    const struct oracle oracle = oracle_of(&call->input);
    target_read(held, (const void *)(uintptr_t)call->call.result,
                operation_bin_bytes(operation_now()));
    if (oracle_agrees(&oracle, held, oracle_bound(&oracle, depth_of(call, cost))))
        return true;
    oracle_say_expected(&oracle, should, sizeof should);
    oracle_say_held(&oracle, held, holds, sizeof holds);
    snprintf(explanation, size, "wrong on %s: the result should be %s, and is %s", call->input.name,
             should, holds);
    return false;
}
