/* oracle.h - what the bins should hold: counted one element after the other, without the contract's
 * functions.
 *
 * Integers, argmax and minmax are right bit for bit. Floats are added in any order (float_sum.h): of n
 * values that came to a bin, the earlier contents are one more, none passes through more than n additions. A
 * power v^i of vector_sum has i - 1 roundings of its own: gamma(n + i - 1). A product that is added without
 * being rounded before (FMA) has fewer. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "elements.h"
#include "float_sum.h"
#include "operations.h"

enum { FLOATS_OF_VECTOR = 8, SATURATED = (1 << 24) - 1 };

struct oracle {
    enum operation operation;
    size_t num_bins, parts; /* `parts`: floats of a bin, or 0 */
    unsigned char *bins;    /* what they should hold; for floats what they held before */
    uint64_t *came;         /* elements to each bin */
    struct float_sum *sums; /* num_bins x parts, of those to which any came */
    double most_error;      /* the input's */
};

/* What a kernel does with an element: what it has to, or a mistake. */
enum rule {
    RIGHT,
    BEYOND_IN_LAST, /* a key that is too large: its element comes to the last bin */
    BEYOND_IN_REST, /* its element comes to bin key modulo num_bins */
    SHORT_KEYS,     /* keys have 16 bits */
    NEXT_BIN,
    ONE_EACH, /* 1 comes in place of the value */
    RULES
};
/* What would be right by a hypothesis, or with a mistake. */
struct oracle *elements_if(const struct input *input, const struct hypothesis *hypothesis);
struct oracle *elements_oracle(const struct input *input);
bool elements_may_hold(const struct oracle *oracle, size_t output, const unsigned char *held);
void elements_say(const struct oracle *oracle, size_t output, const unsigned char *held,
                  char *should, char *holds, size_t size);
extern const struct causes causes_of_elements;

/* For how many accesses the far end is looked at. Elements that nobody has written all have key 0. Where that makes
 * threads wait, for a lock or to compare and swap, a trial makes few accesses, and finds out less. */
uint64_t keys_far_budget(void);

/* How far a float of a bin may be off. */
double elements_bound(const struct oracle *oracle, size_t bin, size_t part);

#endif
