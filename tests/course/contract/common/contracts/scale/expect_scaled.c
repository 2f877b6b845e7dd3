/* expect_scaled.c - runs scale() on values that count up and looks at each result. */
#include "expect_scaled.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "verdict_log.h"
#include "grouped.h"
#include "scale.h"
#include "target.h"

enum { FACTOR = 3 };

static void expect_each_right(const float *results, size_t length)
{
    for (size_t i = 0; i < length; i++)
        cr_assert(results[i] == (float)(FACTOR * i), "wrong on %s values: result %s is %g, not %g",
                  grouped(length), grouped(i), (double)results[i], (double)(FACTOR * i));
}

struct sim_counters expect_scaled(size_t length)
{
    char error[256];
    const size_t bytes = length * sizeof(float);
    float *values = malloc(bytes + 1), *d_values = target_allocate(bytes);
    float *d_results = target_allocate(bytes);
    for (size_t i = 0; i < length; i++)
        values[i] = (float)i;
    target_write(d_values, values, bytes);
    target_fill(d_results, 0xff, bytes); /* not a number, unless it is written */
    sim_reset_counters();
    scale(d_values, length, FACTOR, d_results);
    if (!target_finish(error, sizeof error))
        cr_assert_fail("stopped on %s values: %s", grouped(length), error);
    cr_assert(sim_error_count() == 0, "the report above was made on %s values", grouped(length));
    target_read(values, d_results, bytes);
    expect_each_right(values, length);
    target_free(d_values);
    target_free(d_results);
    free(values);
    verdict_log_add("input %s values", grouped(length));
    return sim_counters();
}
