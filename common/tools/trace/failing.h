/* failing.h - the smallest input on which a kernel is seen to be wrong. */
#ifndef FAILING_H
#define FAILING_H

#include "trial.h"

/* A kind of failure that is looked for. */
struct wanted {
    enum outcome_kind kind; /* RIGHT: any */
    char check[24];         /* REPORTED: by which, or "" */
};

/* A failing trial. */
struct failing {
    struct trial trial;
    struct outcome outcome;
};

/* inputs.c */
/* Looks for a failure among the inputs that break kernels, short ones first; one that is wanted, or
 * else the first. Returns false when all were right. */
bool failing_find(const struct wanted *wanted, uint64_t seed, struct failing *failing);

/* shrink.c */
/* Makes the input shorter and simpler, as long as it fails in the same way. */
void failing_shrink(struct failing *failing);

#endif
