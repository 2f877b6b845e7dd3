/* kernel.c - calls what the contract promises: see drawn_pairs.h for how a call is laid out. */
#include "joint_histogram.h"

#include "drawn_pairs.h"
#include "measure.h"

/* Only the exercise has it. */
__attribute__((weak)) void joint_slopes(const float *d_x, const float *d_y, size_t length,
                                        unsigned int x_bins, unsigned int y_bins,
                                        const float *d_table, float *d_slopes);

/* All x lie before all y. */
static uint64_t unit_of_pairs(const struct call *call, uint64_t offset)
{
    return offset / sizeof(float) % call->length;
}

const struct kernel_half kernel_half = {.unit_at = unit_of_pairs};

void call_make(const struct call *call)
{
    const struct sides sides = sides_of(call->num_bins, call->more);
    const float *x = (const float *)(uintptr_t)call->elements;
    float *bins = (float *)(uintptr_t)call->bins;
    const unsigned int x_bins = (unsigned int)sides.x, y_bins = (unsigned int)sides.y;
    joint_histogram(x, x + call->length, call->length, x_bins, y_bins, bins);
    if (call->more[WITH_SLOPES] && joint_slopes)
        joint_slopes(x, x + call->length, call->length, x_bins, y_bins, bins,
                     bins + sides.x * sides.y);
}
