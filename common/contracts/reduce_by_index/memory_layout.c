/* memory_layout.c - how the elements and bins of reduce_by_index() lie in memory: see call_arrays.h. */
#include "elements.h"
#include "work.h"

/* It has a bin, and a value that would be seen. */
static void set_guard(struct input *before, size_t i)
{
    enum { ONE = 0x3f800000 }; /* the bits of 1.0f */
    input_set(before, i, 0, ONE | 0xffff, 0);
}

const struct layout layout = {.unit = "element",
                              .has_keys = true,
                              .unit_bytes = operation_element_bytes,
                              .set_guard = set_guard,
                              .limit = work_limit};
