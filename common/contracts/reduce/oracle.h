/* oracle.h - what the result should be: computed one value after the other, without the contract's
 * functions.
 *
 * Integers are right bit for bit. Floats are added in any order, and each order rounds otherwise. Of
 * them this keeps the sum S, exact (exact_sum.h), the sum M of the magnitudes, and the length n. A sum
 * of n floats by a tree of additions in which no value passes through more than h of them is off by at
 * most
 *
 *     gamma(h) x M,    gamma(h) = h u / (1 - h u),    u = 2^-24
 *
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, sections 4.2 and 3.1.) Of
 * any order h is n - 1. Of a kernel whose threads share the values h is far less, and expect_right_on
 * demands that: depth.h says which h a kernel may have. A float to which millions are added one by one
 * stops at 2^24.
 *
 *   Of dot each product is rounded before, or is not (FMA): one more.
 *   If all numbers are multiples of a power of two q, and M is at most 2^24 q, then no order rounds,
 *   and the bound is 0.
 *   atomicAdd of floats in global memory takes a number below 2^-126 for 0 (PTX ISA, red): 3 x 2^-126
 *   for each value.
 *   If M is more than the largest float, some orders overflow and others do not: anything is right.
 *   A NaN, or infinities of both signs, give NaN, whichever; else an infinity gives itself. -0 is 0. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "operations.h"
#include "values.h"

struct oracle {
    enum operation operation;
    size_t length;
    uint32_t number;           /* of sum and max */
    double sum, magnitude;     /* of floats: S, rounded to a double once; M */
    bool exact;                /* no order rounds */
    bool is_nan, above, below; /* there were a NaN, +inf, -inf */
};

struct oracle oracle_of(const struct input *input);
/* The same of the values from `from` to before `to`. */
struct oracle oracle_of_part(const struct input *input, size_t from, size_t to);
/* The same of those values that a hypothesis keeps. */
typedef bool oracle_keeps(size_t i, const void *context);
struct oracle oracle_of_those(const struct input *input, oracle_keeps *keeps, const void *context);

/* How far a float may be off when no value passes through more than `depth` additions. */
double oracle_bound(const struct oracle *oracle, double depth);
/* Whether the bytes of a result are right, where floats may be off by so much. */
bool oracle_agrees(const struct oracle *oracle, const unsigned char *held, double bound);
/* The result as a number: of dot the product of the pair. */
double oracle_number(enum operation operation, const unsigned char *held);

/* For sentences. */
void oracle_say_expected(const struct oracle *oracle, char *text, size_t size);
void oracle_say_held(const struct oracle *oracle, const unsigned char *held, char *text,
                     size_t size);

#endif
