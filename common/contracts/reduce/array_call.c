/* array_call.c - values and a result that all chapters reduce, and what became of them: see
 * array_call.h. */
#include "array_call.h"

#include <stdio.h>
#include <stdlib.h>

#include "operations.h"
#include "oracle.h"
#include "values.h"

void array_call_make(struct array_call *made, const struct array_kind *kind, size_t shift)
{
    operation_choose(0);
    made->input = input_of(VALUES_SMALL, kind->seed, kind->length);
    made->input.misalignment = shift;
    made->placed = place(&made->input);
    place_output(&made->placed);
}

void array_call_free(struct array_call *call)
{
    place_free(&call->placed);
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
    char should[A_VALUE], holds[A_VALUE];
    const struct oracle oracle = oracle_of(&call->input);
    unsigned char *held = place_read(&call->placed);
    const bool right = oracle_agrees(&oracle, held, oracle_bound(&oracle, depth_of(call, cost)));
    if (!right) {
        oracle_say_expected(&oracle, should, sizeof should);
        oracle_say_held(&oracle, held, holds, sizeof holds);
        snprintf(explanation, size, "wrong on %s: the result should be %s, and is %s",
                 call->input.name, should, holds);
    }
    free(held);
    return right;
}
