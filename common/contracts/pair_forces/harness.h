/* harness.h - what the suites of the chapters that implement pair_forces() are made of: a suite is linked with
 * tests/pair_forces.c, and its head says "Operations: half full". */
#ifndef HARNESS_H
#define HARNESS_H

#include "drawn_atoms.h"
#include "exact_forces.h"
#include "expect_right_on.h"

#endif
