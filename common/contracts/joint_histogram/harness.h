/* harness.h - what the suites of the chapters that implement joint_histogram() are made of: a suite is linked with
 * tests/joint_histogram.c, and its head says "Operations: float_sum". */
#ifndef HARNESS_H
#define HARNESS_H

#include "drawn_pairs.h"
#include "expect_right_on.h"

#endif
