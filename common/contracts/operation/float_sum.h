/* float_sum.h - what is known of a sum of floats, in whatever order they are added, and how far it may be off.
 *
 * Each order rounds otherwise. Of the numbers this keeps the sum S, the sum M of the magnitudes, and whether
 * any order rounds at all. A sum in which no number passes through more than h additions, with a relative
 * error of at most u = 2^-24 each, is off by at most
 *
 *     gamma(h) x M,    gamma(h) = h u / (1 - h u)
 *
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, sections 3.1 and 4.2: it holds
 * for each tree of additions.) To which belongs:
 *
 *   atomicAdd of floats in global memory takes a number below 2^-126 for 0 (PTX ISA, red): 3 x 2^-126
 *   for each addition, its operands and its result.
 *
 *   S is a sum of doubles, one after the other, and so are powers that are added: 2 x 2^-53 x M for each.
 *
 *   If all numbers are multiples of a power of two q, and M is at most 2^24 q, then each partial sum is
 *   such a multiple that a float holds: no order rounds, and the bound is 0. So a lost update of a busy
 *   bin is seen, although gamma(h) x M would allow it.
 *
 *   If M is more than the largest float, some orders overflow and others do not: anything is right.
 *   A NaN, or infinities of both signs, give NaN, whichever; else an infinity gives itself. -0 is 0. */
#ifndef FLOAT_SUM_H
#define FLOAT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct float_sum {
    double sum, magnitude;     /* S and M; of finite numbers */
    int lowest;                /* the largest q is 2^lowest */
    bool inexact;              /* q is not known */
    bool is_nan, above, below; /* there were a NaN, +inf, -inf */
};

/* How many bits a number has from the lowest to the highest that is set; 0 for 0, and for what is not finite. */
int float_bits(double number);
/* Adds a number. A struct whose bytes are all zero is the sum of no numbers. */
void float_sum_add(struct float_sum *sum, double number);
/* Whether no order rounds. */
bool float_sum_is_exact(const struct float_sum *sum);
/* How far a sum of so many numbers may be off, when each number is rounded so many times on its way. */
double float_sum_bound(const struct float_sum *sum, double roundings, double numbers);
/* Whether a result is right, when it may be off by so much. */
bool float_sum_agrees(const struct float_sum *sum, double held, double bound);
/* Whether the result should be a NaN. */
bool float_sum_is_nan(const struct float_sum *sum);
/* Whether the result should be a NaN or an infinity; then `text` says which. */
bool float_sum_say_special(const struct float_sum *sum, char *text, size_t size);

#endif
