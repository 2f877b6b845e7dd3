/* harness.h - what the suites of the chapters that implement k_means() are made of: a suite is linked with
 * tests/k_means.c, and its head says "Operations: float_sum". */
#ifndef HARNESS_H
#define HARNESS_H

#include "expect_right_on.h"
#include "exact_steps.h"
#include "drawn_points.h"

#endif
