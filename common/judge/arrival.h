/* arrival.h - whether what a technique finds reaches the output, or is done for show; and whether the
 * threads of a launch share the work, or a few do it. */
#ifndef ARRIVAL_H
#define ARRIVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "call_arrays.h"
#include "measure.h"
#include "spoil.h"

/* A call of which a part was undone, and what its output lacks of the right one; of words of 4 bytes. */
struct arrival {
    struct spoiled seen;
    uint64_t missing; /* the sum of all words, modulo 2^32 */
    uint64_t off;     /* by how much they differ, summed over the words */
};

/* Calls the function on an input, with the operation that is chosen: once as it is, which has to be
 * right, and once with a quarter of `what` undone. Skips the test where nobody can undo it. */
struct arrival arrival_of(const struct input *input, enum spoil what);

/* Fails unless each of `counted` units was added to a word of shared memory by an atomic, and all that
 * these add comes to the output; `where` says whose words they are: "a block's bins". A word may hold
 * two counters, or four. */
void expect_shared_adds_arrive(const struct input *input, uint64_t counted, const char *where);
/* Fails unless the output is another one where votes and matches of warps say something else. */
void expect_votes_arrive_on(const struct input *input, const char *why);
/* The same of shuffles, where one of them that is false makes the whole output wrong. */
void expect_shuffles_arrive_on(const struct input *input, const char *why);

/* Fails unless a block has a warp of threads at least, and no thread reads far more of the input than its
 * share: the longest chain of one thread is what a launch waits for. Of several launches that read, the
 * last one's threads are meant. What others have left is shared, too. */
void expect_threads_share(const struct measurement *cost);
/* Fails where one thread makes more than 32 loads of other global memory, and a fourth of those of its block, in
 * whatever launch: it combines alone what many blocks have left. */
void expect_found_is_shared(const struct measurement *cost);

#endif
