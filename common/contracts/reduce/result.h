/* result.h - what the result should be: computed one value after the other, without the contract's
 * functions.
 *
 * Integers are right bit for bit. Floats are added in any order (float_sum.h). Of any order a value
 * passes through at most h = n - 1 additions. Of a kernel
 * whose threads share the values h is far less, and expect_right_on_input demands that: contract.c says which h
 * a kernel may have. A float to which millions are added one by one stops at 2^24. Of dot each product is
 * rounded before, or is not (FMA): one more. */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "float_sum.h"
#include "operations.h"
#include "values.h"

struct oracle {
    enum operation operation;
    size_t length;
    uint32_t number; /* of sum and max */
    uint64_t sum;    /* of the numbers, which may be more than a word holds */
    struct float_sum floats;
};

struct oracle result_of(const struct input *input);
/* What the result would be by a hypothesis. */
struct oracle result_if(const struct input *input, const struct hypothesis *hypothesis);
extern const struct causes causes_of_values;

/* Whether the result of an operation is a float, or two. */
bool result_is_float(enum operation operation);
/* How far a float may be off when no value passes through more than `depth` additions. */
double result_bound(const struct oracle *oracle, double depth);
/* Whether the bytes of a result are right, where floats may be off by so much. */
bool result_agrees(const struct oracle *oracle, const unsigned char *held, double bound);
/* The result as a number: for dot the product of the pair. */
double result_number(enum operation operation, const unsigned char *held);

/* These write what the result should be, and what it is, for sentences. */
void result_say_expected(const struct oracle *oracle, char *text, size_t size);
void result_say_held(const struct oracle *oracle, const unsigned char *held, char *text,
                     size_t size);

#endif
