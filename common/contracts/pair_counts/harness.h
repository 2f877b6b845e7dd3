/* harness.h - what the suites of the chapters that implement pair_counts() are made of: a suite is linked with
 * tests/pair_counts.c, and its head says "Operations: wide_sum". */
#ifndef HARNESS_H
#define HARNESS_H

#include "drawn_sky.h"
#include "exact_pairs.h"
#include "expect_right_on.h"

#endif
