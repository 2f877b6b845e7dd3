/* oracle.h - the independent count of a text, in 64 bits, and what a wrong one is told. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>

#include "letters.h"
#include "many_run.h"

/* What each bin has to hold after a call: of devices what it held before, and the counts. */
void oracle_expected(const struct many_case *asked, uint64_t *bins);

/* Whether the bins are right. If not, `explanation` says which input on how many units, which bins,
 * expected and counted, and the likeliest cause. Remembers what was counted, for the call after it. */
bool oracle_is_right(const struct many_case *asked, const struct many_seen *seen, char *explanation,
                     size_t size);

#endif
