/* bounds.h - what a technique may cost: a count, a bound, and where the bound comes from.
 *
 * For the suites of every contract. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include <stdint.h>

/* Fail unless counted <= bound, counted >= bound, counted == bound. The message reads
 * "<counted> <what>; <format and its arguments> = <bound>", for instance
 * "1,048,576 global atomics on the final bins; privatization needs at most
 * blocks x bins = 256 x 5 = 1,280". Behind a sentence in words other words stand in the place of "=". */
__attribute__((format(printf, 4, 5))) void expect_at_most(uint64_t counted, const char *what,
                                                          uint64_t bound, const char *format, ...);
__attribute__((format(printf, 4, 5))) void expect_at_least(uint64_t counted, const char *what,
                                                           uint64_t bound, const char *format, ...);
__attribute__((format(printf, 4, 5))) void expect_exactly(uint64_t counted, const char *what,
                                                          uint64_t bound, const char *format, ...);
/* What stands between such a derivation and its bound: " = ", " " or ", which makes "; NULL where the derivation
 * says the bound itself, "and there are 5" or "and needs none". */
const char *bound_joint(const char *derivation, const char *bound);
/* Fails with a message of your own, which says what was seen and what the technique needs. */
__attribute__((format(printf, 2, 3))) void expect_that(int condition, const char *format, ...);

/* What the verdict "right on 37 inputs x 4 schedules, and by its technique: ..." says
 * at its end. Call it once in a suite, after the expectations. */
__attribute__((format(printf, 1, 2))) void technique_is(const char *format, ...);

#endif
