/* array_call.h - one call of reduce() on the values that all chapters reduce.
 *
 * The operation is the one that OPERATIONS in the environment names. The values are small ones
 * (values.h): up to 16 M of them every order of additions is exact. */
#ifndef ARRAY_CALL_H
#define ARRAY_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "array_kind.h"
#include "measure.h"
#include "placed.h"

struct array_call {
    struct input input;
    struct placed placed; /* `shift` values behind a boundary */
};

/* Makes the values, and puts them into the target's memory; *d_result holds something else. */
void array_call_make(struct array_call *call, const struct array_kind *kind, size_t shift);
void array_call_free(struct array_call *call);

/* Whether the result is right after a run that cost so much. If not, `explanation` says what it is, and
 * what it should be. */
bool array_call_is_right(const struct array_call *call, const struct measurement *cost,
                         char *explanation, size_t size);

#endif
