/* call_arrays.h - what a kernel with an operation is given, on the host and in the target's memory.
 *
 * reduce() takes values and leaves one result; reduce_by_index() takes elements, which have keys, and
 * adds to bins; in a batch so many histograms share elements and bins equally. A function that takes more than
 * arrays and their lengths is told the rest by numbers. */
#ifndef CALL_ARRAYS_H
#define CALL_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "call.h"
#include "operations.h"
#include "words_in_bytes.h"

struct input {
    char name[160]; /* "argmax, 20,000 uniform keys, 505 bins" */
    size_t length;  /* in elements, or values */
    union {
        unsigned char *elements, *values; /* length units of call_unit_bytes() */
    };
    size_t num_bins;     /* 1 where there is one result */
    size_t batch;        /* histograms; 0 where there is no batch */
    unsigned char *bins; /* what the bins hold before: num_bins x operation_bin_bytes(); NULL where
                            the result is set, whatever it held */
    uint64_t more
        [MORE_NUMBERS]; /* that the function is given besides, in the contract's own order; else 0 */
    size_t misalignment; /* units by which they begin after a multiple of 256, 0 to 63 */
    /* The largest relative error that the contract allows in a sum of floats, relative to the sum of their magnitudes;
     * 0: as much as some order of addition makes. */
    double most_error;
    /* For a trace alone: calls, one after the other, and devices that there are; and the settings of make that
     * draw it anew, "KEYS=zipf SIZE=600", or "". */
    unsigned int calls, devices;
    char drawn[128];
};

/* Frees what it holds on the host. */
void input_free(struct input *input);
/* Appends to its name: ", a second call". */
void input_say_more(struct input *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Word `i` of its units, where these are words of 4 bytes, or of several of these: its bits, or a float. */
uint32_t input_word(const struct input *input, size_t i);
float input_float(const struct input *input, size_t i);
void input_set_word(struct input *input, size_t i, uint32_t bits);
void input_set_float(struct input *input, size_t i, float value);

/* How a contract's inputs and outputs lie in memory; each defines one, in its contract.c. */
struct layout {
    const char *unit; /* "value", in a sentence */
    bool sets;        /* the output, whatever it held; or combines into it */
    size_t bytes;     /* of a unit, with any operation; 0: as unit_bytes says of one */
    size_t (*unit_bytes)(enum operation operation);
    unsigned int arrays; /* a unit has a part in each of so many, which are as long; 0: one array */
    /* A unit before the first, which would be seen in any output. NULL: each of its words is a float, `guard`. */
    void (*set_guard)(struct input *before, size_t i);
    float guard;
    /* What one of the outputs holds before a call that sets them: each time something else. NULL: floats, which
     * are more than any output of a test holds. */
    void (*draw_before)(unsigned char *output);
    /* Accesses of lanes after which a call is stopped, unless the user says else; NULL: placed.c has one, with so
     * many for a unit, or 0: 64. */
    uint64_t (*limit)(const struct call *call);
    uint64_t accesses;
};
extern const struct layout layout;

/* Bytes of a unit, an element, a value or a character, with the operation that is chosen. */
static inline size_t unit_bytes(void)
{
    return layout.bytes > 0 ? layout.bytes : layout.unit_bytes(operation_chosen());
}

/* A call on an input of so many units that is somewhere else: without addresses. */
static inline struct call call_of(size_t length, size_t num_bins, size_t batch)
{
    const enum operation operation = operation_chosen();
    return (struct call){.operation = operation,
                         .length = length,
                         .unit_bytes = unit_bytes(),
                         .arrays = layout.arrays > 0 ? layout.arrays : 1,
                         .num_bins = num_bins,
                         .bin_bytes = operation_bin_bytes(operation),
                         .batch = batch};
}

/* A call on this input, without addresses. */
static inline struct call call_on(const struct input *input)
{
    struct call call = call_of(input->length, input->num_bins, input->batch);
    memcpy(call.more, input->more, sizeof call.more);
    return call;
}

#endif
