/* results.h - where many runs of one queue leave their results, each its own. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stddef.h>

#include "operation.h"
#include "values.h"

enum { MOST_RESULTS = 200 };

/* Places on the device, each at a multiple of 256 as the contract says. */
struct results {
    unsigned char *first;
};

struct results results_room(void);
void results_free(struct results *results);

/* Makes all of them something that no reduction is. */
void results_spoil(const struct results *results);

/* The place of run 0, 1, 2 ...; those from MOST_RESULTS on begin again. */
value_t *result_of_run(const struct results *results, size_t run);

/* What so many runs have left. */
struct verdict {
    size_t wrong;     /* of them */
    size_t different; /* how many different results there are, bit by bit: at least 1 */
    double error;     /* the largest error_of them */
    value_t first_wrong;
};

/* Waits for the GPU. A kernel that failed ends the program with one line. */
struct verdict results_verdict(const struct results *results, size_t runs,
                               const struct truth *truth);

#endif
