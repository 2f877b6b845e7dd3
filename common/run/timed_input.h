/* timed_input.h - the inputs on which the kernels of a contract are timed on a card: by common/bench/gpu/calls.c,
 * which knows no contract. Each contract that has any defines them in its timed.c. */
#ifndef TIMED_INPUT_H
#define TIMED_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "call_arrays.h"

enum { MOST_TIMES = 2 };
struct timed_shape {
    const char *name; /* as it is typed: "picture"; NULL after the last */
    unsigned int times[MOST_TIMES]; /* that it is measured with; 0: no more */
    /* Whether what is right of such a call, `times` over, can be found by one core in half a minute. */
    bool (*is_judged)(unsigned int times);
    /* The input, on which the call does its work `times` times, as often as steps are asked for; to be freed. */
    struct input (*draw)(unsigned int times);
};
extern const struct timed_shape timed_shapes[];

#endif
