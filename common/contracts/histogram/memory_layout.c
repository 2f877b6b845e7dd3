/* memory_layout.c - how the text and the bins of histogram() lie in memory: see call_arrays.h. */
#include "call_arrays.h"
#include "limit.h"

static size_t one_byte(enum operation unused)
{
    (void)unused;
    return 1;
}

/* A character that would be counted. */
static void set_guard(struct input *before, size_t i)
{
    before->values[i] = 'a';
}

static uint64_t limit(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000 };
    return AT_LEAST + limit_of_text(call->length);
}

const struct layout layout = {.unit = "character of the text",
                              .unit_bytes = one_byte,
                              .set_guard = set_guard,
                              .limit = limit};
