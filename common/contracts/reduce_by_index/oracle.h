/* oracle.h - what the bins should hold: counted one element after the other, without the contract's
 * functions.
 *
 * Integers, argmax and minmax are right bit for bit. Floats are added in any order, and each order
 * rounds otherwise, so of them this keeps the sum S, the sum M of the magnitudes, and the number n of
 * values that came to a bin. A sum of n + 1 floats (the earlier contents are one) in any order, by n
 * additions with a relative error of at most u = 2^-24 each, is off by at most
 *
 *     gamma(n) x M,    gamma(n) = n u / (1 - n u)
 *
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2: it holds
 * for each tree of additions, and so for copies that are added up later.) To which belongs:
 *
 *   a power v^i of vector_sum has i - 1 roundings of its own: gamma(n + i - 1). A product that is
 *   added without being rounded before (FMA) has fewer.
 *
 *   atomicAdd of floats in global memory takes a number below 2^-126 for 0 (PTX ISA, red): 3 x
 *   2^-126 for each addition, its operands and its result.
 *
 *   If all numbers are multiples of a power of two q, and M is at most 2^24 q, then each partial sum
 *   is such a multiple that a float holds: no order rounds, and the bound is 0. So a lost update of a
 *   busy bin is seen, although gamma(n) x M would allow it.
 *
 *   If M is more than the largest float, some orders overflow and others do not: anything is right.
 *   A NaN, or infinities of both signs, give NaN, whichever; else an infinity gives itself. -0 is 0. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elements.h"
#include "operations.h"

enum { FLOATS_OF_VECTOR = 8 };

/* The sum of one float of a bin. */
struct float_sum {
    double sum, magnitude;
    int lowest;                         /* the largest q is 2^lowest */
    bool inexact, is_nan, above, below; /* q is not known; there were a NaN, +inf, -inf */
};

struct oracle {
    enum operation operation;
    size_t num_bins, parts; /* floats of a bin, or 0 */
    unsigned char *bins;    /* what they should hold; of floats what they held before */
    uint64_t *came;         /* elements to each bin */
    struct float_sum *sums; /* num_bins x parts, of those to which any came */
};

struct oracle oracle_of(const struct input *input);
/* The same where elements come to other bins, for a hypothesis: to none with num_bins or more. */
typedef uint64_t oracle_bin(const struct input *input, size_t i, const void *context);
struct oracle oracle_with(const struct input *input, oracle_bin *bin_of_element,
                          const void *context);
void oracle_free(struct oracle *oracle);

/* Whether a bin may hold these bytes. */
bool oracle_agrees(const struct oracle *oracle, size_t bin, const unsigned char *held);
/* The same of one float of a bin. */
bool oracle_agrees_in(const struct oracle *oracle, size_t bin, size_t part,
                      const unsigned char *held);
/* How many bins are wrong; `first` gets the first of them. */
size_t oracle_wrong(const struct oracle *oracle, const unsigned char *bins, size_t *first);

/* For sentences. Of vector_sum the first of the parts that is wrong: "part 3: 1.5". */
void oracle_say_expected(const struct oracle *oracle, size_t bin, const unsigned char *held,
                         char *text, size_t size);
void oracle_say_held(const struct oracle *oracle, size_t bin, const unsigned char *held, char *text,
                     size_t size);

/* How far a float may be off. */
double oracle_bound(const struct float_sum *sum, uint64_t came, size_t part);

#endif
