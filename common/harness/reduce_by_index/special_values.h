/* special_values.h - values that break an operation. */
#ifndef SPECIAL_VALUES_H
#define SPECIAL_VALUES_H

/* Of the operation that is chosen: caps reached exactly, ties and zeros, the largest value and index,
 * sums above 32 bits, NaN, -0, infinities, floats of all sizes. */
void expect_right_on_special_values(void);

#endif
