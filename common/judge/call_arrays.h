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

#include "measure.h"
#include "operations.h"
#include "words_in_bytes.h"

struct contract;
struct input {
    const struct contract *contract;
    enum operation operation;
    char name[160]; /* "argmax, 20,000 uniform keys, 505 bins" */
    size_t length;  /* in elements, or values */
    union {
        unsigned char *elements, *values; /* length units of unit_bytes() */
    };
    size_t num_bins; /* 1 where there is one result */
    /* So many of these, the last ones, are there to be read: a kernel leaves them as they are. */
    size_t only_read;
    size_t batch;        /* histograms; 0 where there is no batch */
    unsigned char *bins; /* what the bins hold before: num_bins x output_bytes(); NULL where
                            the result is set, whatever it held */
    uint64_t more
        [MORE_NUMBERS]; /* numbers that the function is given besides, in the contract's own order; else 0 */
    size_t misalignment; /* the units begin so many units after a multiple of 256 bytes, 0 to 63 */
    /* The largest error that the contract allows in a sum of floats, relative to the sum of their magnitudes. 0: it
     * allows what any order of addition makes. */
    double most_error;
    /* Only a trace uses these: how many calls are made, one after the other, how many devices there are, and the
     * settings of make that draw the input anew, "KEYS=zipf SIZE=600", or "". */
    unsigned int calls, devices;
    char drawn[128];
};

/* Frees what an input holds on the host. */
void input_free(struct input *input);
/* Appends words to the name of an input: ", a second call". */
void input_say_more(struct input *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Word `i` of the units, which are one word of 4 bytes each, or several: its bits, or a float. */
uint32_t input_word(const struct input *input, size_t i);
float input_float(const struct input *input, size_t i);
void input_set_word(struct input *input, size_t i, uint32_t bits);
void input_set_float(struct input *input, size_t i, float value);

/* How an element of an array is made up, and shown. Each field has so many bits from bit `from` on: an unsigned one
 * any number, a float 32 or 64, a letter 8. */
enum field_type { FIELD_UNSIGNED, FIELD_FLOAT, FIELD_LETTER };
enum { MOST_FIELDS = 8 };
struct shape {
    size_t bytes; /* of an element */
    size_t cell;  /* that are shown together, at most: 1, 2, 4 or 8 */
    size_t fields;
    struct field {
        const char *name;
        enum field_type type;
        unsigned int from, bits;
    } field[MOST_FIELDS];
};

/* A float4, whose parts have these names. */
#define FOUR_FLOATS(cell, x, y, z, w)                                                              \
    {                                                                                              \
        16, cell, 4,                                                                               \
        {                                                                                          \
            {x, FIELD_FLOAT, 0, 32}, {y, FIELD_FLOAT, 32, 32}, {z, FIELD_FLOAT, 64, 32},           \
            {                                                                                      \
                w, FIELD_FLOAT, 96, 32                                                             \
            }                                                                                      \
        }                                                                                          \
    }

/* An input of a contract, with the operation that is chosen; it is empty. */
struct input input_for(const struct contract *contract);
/* Bytes of one of its units, an element, a value or a character; and of one of its outputs. */
size_t unit_bytes(const struct input *input);
size_t output_bytes(const struct input *input);

/* A call on an input of so many units, which lies somewhere else: the call has no addresses yet. */
struct call call_of(const struct contract *contract, enum operation operation, size_t length,
                    size_t num_bins, size_t batch);
/* A call on this input. It has no addresses yet. */
struct call call_on(const struct input *input);

#endif
