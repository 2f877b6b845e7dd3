/* scale.c - what every chapter's scale() has to do. */
#include <criterion/criterion.h>

#include "expect_scaled.h"

/* Catches a grid that is one block short, and a bound that is one off. */
Test(any_scale, is_right_on_edge_cases)
{
    const size_t lengths[] = {1000, 0, 1, 31, 32, 33, 255, 256, 257};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        expect_scaled(lengths[i]);
}
