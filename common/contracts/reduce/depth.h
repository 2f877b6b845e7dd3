/* depth.h - how many additions a value passes through, by how the kernel at hand shares the work. */
#ifndef DEPTH_H
#define DEPTH_H

#include "values.h"

/* What every kernel may have: a tree over 2^32 values, and as many again. */
enum { DEPTH_OF_ANY = 64 };

/* Runs reduce() once, watched, on the input. The depth h that this kernel may have: a thread adds the
 * values that it reads; the threads of a block add theirs, in the worst case one after the other; and
 * each warp of the grid adds to the result by itself. So a kernel with a tree in between, which has
 * far less, is never near the bound; and a thread or an address to which all values come one by one
 * is beyond it, unless it is the only thread. On a real GPU, which counts nothing: any order. */
double depth_of_kernel(const struct input *input);

#endif
