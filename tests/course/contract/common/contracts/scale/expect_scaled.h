/* expect_scaled.h - what the suites of the contract scale are made of. */
#ifndef EXPECT_SCALED_H
#define EXPECT_SCALED_H

#include <stddef.h>

#include "sim.h"

/* Scales `length` values by 3 and fails the test when a result is wrong, a kernel stops, or a check
 * of the simulated GPU reports anything. Returns what the kernel asked of the memory. */
struct sim_counters expect_scaled(size_t length);

#endif
