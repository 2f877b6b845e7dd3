/* exact_sum.c - the sum of doubles without any rounding. */
#include "exact_sum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    DIGIT_BITS = 32,
    FRACTION_BITS = 52,
    LOWEST = -1088, /* the exponent of the lowest bit of digit 0 */
    LOWEST_OF_DOUBLES = -1074,
    PENDING = 1 << 30 /* so many numbers below 2^32 fit into a digit of 63 bits */
};

/* Leaves digits from 0 to 2^32 - 1, but for the highest, which has the sign. */
static void carry(struct exact_sum *sum)
{
    int64_t over = 0;
    for (int i = 0; i < EXACT_SUM_DIGITS - 1; i++) {
        const int64_t digit = sum->digits[i] + over;
        const int64_t rest = digit & UINT32_MAX;
        over = (digit - rest) / ((int64_t)1 << DIGIT_BITS);
        sum->digits[i] = rest;
    }
    sum->digits[EXACT_SUM_DIGITS - 1] += over;
    sum->pending = 0;
}

void exact_sum_add(struct exact_sum *sum, double number)
{
    uint64_t pattern;
    memcpy(&pattern, &number, sizeof pattern);
    const unsigned int exponent = (unsigned int)(pattern >> FRACTION_BITS) & 0x7ff;
    uint64_t fraction = pattern & (((uint64_t)1 << FRACTION_BITS) - 1);
    if (exponent > 0)
        fraction |= (uint64_t)1 << FRACTION_BITS;
    const unsigned int place = LOWEST_OF_DOUBLES - LOWEST + (exponent > 0 ? exponent - 1 : 0);
    const unsigned int shift = place % DIGIT_BITS;
    int64_t *digits = sum->digits + place / DIGIT_BITS;
    const int64_t sign = pattern >> 63 ? -1 : 1;
    const uint64_t low = fraction << shift; /* 53 bits and up to 31 make 84: 64 here, 20 above */
    const uint64_t high = shift > 0 ? fraction >> (64 - shift) : 0;
    digits[0] += sign * (int64_t)(low & UINT32_MAX);
    digits[1] += sign * (int64_t)(low >> DIGIT_BITS);
    digits[2] += sign * (int64_t)high;
    if (++sum->pending == PENDING)
        carry(sum);
}

/* The 64 bits from the highest one down; the lowest of them is also set when any below is. */
static uint64_t leading_bits(const struct exact_sum *sum, int *exponent)
{
    int top = EXACT_SUM_DIGITS - 1;
    while (top > 0 && sum->digits[top] == 0)
        top--;
    const uint64_t highest = (uint64_t)sum->digits[top];
    const uint64_t next = top > 0 ? (uint64_t)sum->digits[top - 1] : 0;
    const uint64_t last = top > 1 ? (uint64_t)sum->digits[top - 2] : 0;
    *exponent = 0;
    if (highest == 0)
        return 0;
    const int zeros = __builtin_clzll(highest) - DIGIT_BITS; /* of 32 */
    uint64_t bits = (highest << DIGIT_BITS | next) << zeros;
    bits |= zeros > 0 ? last >> (DIGIT_BITS - zeros) : 0;
    bool below = (last << zeros & UINT32_MAX) != 0;
    for (int i = top - 3; i >= 0 && !below; i--)
        below = sum->digits[i] != 0;
    *exponent = LOWEST + DIGIT_BITS * (top - 1) - zeros;
    return bits | below;
}

double exact_sum_value(const struct exact_sum *sum)
{
    struct exact_sum positive = *sum;
    int exponent;
    carry(&positive);
    const bool is_negative = positive.digits[EXACT_SUM_DIGITS - 1] < 0;
    for (int i = 0; is_negative && i < EXACT_SUM_DIGITS; i++)
        positive.digits[i] = -positive.digits[i];
    carry(&positive);
    const uint64_t bits = leading_bits(&positive, &exponent);
    const double magnitude = ldexp((double)bits, exponent);
    return is_negative ? -magnitude : magnitude;
}
