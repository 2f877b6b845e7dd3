/* 90_one_a_thread.c - right, and a warp reads 32 neighbors with one request. */
#include <criterion/criterion.h>

#include "bounds.h"
#include "expect_scaled.h"
#include "grouped.h"

enum { LENGTH = 1 << 14 };

/* Catches one thread that scales for all. */
Test(chapter90, makes_one_request_for_32_values)
{
    struct sim_counters cost = expect_scaled(LENGTH);
    expect_exactly(cost.global[SIM_LOAD].requests, "load requests", LENGTH / 32,
                   "with one value for each of 32 lanes there are %s / 32", grouped(LENGTH));
    technique_is("%s load requests for %s values", grouped(cost.global[SIM_LOAD].requests),
                 grouped(LENGTH));
}
