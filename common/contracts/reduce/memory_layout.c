/* memory_layout.c - how the values and the result of reduce() lie in memory: see call_arrays.h. */
#include "random_numbers.h"
#include "values.h"
#include "work.h"

static void set_guard(struct input *before, size_t i)
{
    enum { ODD = 12345 };
    if (operation_now() == MAX)
        input_set(before, i, UINT32_MAX, 0);
    else
        input_set_number(before, i, ODD, 1);
}

/* Numbers that no input comes to: of max one that few values are above. */
static void draw_before(unsigned char *output)
{
    static uint64_t state;
    struct input result = {.values = output, .length = 1};
    const uint32_t drawn = random_below(&state, 1 << 12);
    if (operation_now() == SUM || operation_now() == MAX)
        input_set(&result, 0, 0xfffef000u + drawn, 0);
    else
        input_set_number(&result, 0, 1048576.5 + 2 * drawn, operation_now() == DOT ? 3 : 1);
}

const struct layout layout = {.unit = "value",
                              .sets = true,
                              .unit_bytes = operation_bin_bytes,
                              .set_guard = set_guard,
                              .draw_before = draw_before,
                              .limit = work_limit};
