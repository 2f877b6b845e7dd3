/* timed_input.h - the inputs on which the kernels of a contract are timed on a card: by common/bench/gpu/calls.c,
 * which knows no contract. Each contract that has any defines them in its timed.c. */
#ifndef TIMED_INPUT_H
#define TIMED_INPUT_H

#include <stddef.h>

#include "call_arrays.h"

enum { MOST_TIMES = 2 };
struct timed_shape {
    const char *name;               /* as it is typed: "picture"; NULL after the last */
    unsigned int times[MOST_TIMES]; /* that it is measured with; 0: no more */
    unsigned int most_judged; /* up to so many one core knows in half a minute what is right */
};
extern const struct timed_shape timed_shapes[];

/* The input of that shape, on which a call does its work `times` times; to be freed. */
struct input timed_draw(size_t shape, unsigned int times);

#endif
