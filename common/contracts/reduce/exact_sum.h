/* exact_sum.h - the sum of doubles without any rounding: a fixed-point number so wide that it holds
 * every double exactly (U. Kulisch's long accumulator). */
#ifndef EXACT_SUM_H
#define EXACT_SUM_H

#include <stdint.h>

/* From 2^-1074, the smallest double, to 2^1024 there are 2,098 bits, in digits of 32; two more digits
 * above them take the carries of 2^64 numbers. */
enum { EXACT_SUM_DIGITS = 68 };

struct exact_sum {
    int64_t digits[EXACT_SUM_DIGITS]; /* digit i counts 2^(32 i - 1088); carries may be pending */
    uint64_t pending;                 /* additions since carries went up */
};

/* All bytes zero is 0. Adds a number that is finite. */
void exact_sum_add(struct exact_sum *sum, double number);
/* The sum, rounded to the nearest double once; an infinity where it is larger than all. */
double exact_sum_value(const struct exact_sum *sum);

#endif
