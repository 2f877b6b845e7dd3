/* keyed_call.h - one call of reduce_by_index(), or reduce_by_index_batched(), on the elements that all
 * chapters reduce: of a batch in rows of 256.
 *
 * The operation is the one that OPERATIONS in the environment names, the number of bins KEY_BINS, or
 * 12,281; of each row of a batch 31. */
#ifndef KEYED_CALL_H
#define KEYED_CALL_H

#include <stdbool.h>

#include "key_kinds.h"
#include "measure.h"
#include "placed.h"

struct keyed_call {
    struct input input;
    struct placed placed; /* `shift` elements behind a boundary */
};

/* Makes the elements, all with a bin, and puts them into the target's memory. */
void keyed_call_make(struct keyed_call *call, const struct key_kind *kind, size_t shift);
void keyed_call_free(struct keyed_call *call);

/* Whether the bins are right after it. If not, `explanation` says how many are wrong, and what the
 * first of them holds and should. */
bool keyed_call_is_right(const struct keyed_call *call, char *explanation, size_t size);

#endif
