/* placed.h - an input in the memory of the target, and what a call leaves in its output. */
#ifndef PLACED_H
#define PLACED_H

#include "call_arrays.h"
#include "measure.h"

enum { BIN_BYTES = 32 }; /* of a bin */

struct placed {
    struct call call;
    const struct input *input;
    unsigned char *space;  /* with units before the first that would be counted */
    unsigned char *before; /* what the output holds before a call that sets it */
};

/* The units end where the allocation does. The input stays as long. */
struct placed place(const struct input *input);
/* The output holds what it should before a call: the bins of the input, or something that nobody wants,
 * each time something else. */
void place_output(struct placed *placed);
/* The same as before, once more. */
void place_output_again(const struct placed *placed);
/* The bytes that it holds before. */
const unsigned char *place_before(const struct placed *placed);
/* What it holds now, to be freed. Ends the program with one line when there is no memory. */
unsigned char *place_read(const struct placed *placed);
size_t place_output_bytes(const struct placed *placed);
void place_free(struct placed *placed);

/* How many accesses lanes may make on this input before they are stopped. */
void place_limit_accesses(const struct call *call);

/* Makes one call on the input, and watches. Returns false when it fails, and on a real GPU. */
bool place_and_measure(const struct input *input, struct measurement *seen);

#endif
