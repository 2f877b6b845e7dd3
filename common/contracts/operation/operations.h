/* operations.h - the operations of common/contract/operation.h, as the judge knows them: at run time,
 * and written down a second time, independently of the contract's own functions. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation {
    COUNT,
    SATURATE,
    FLOAT_SUM,
    WIDE_SUM,
    ARGMAX,
    VECTOR_SUM,
    MINMAX,
    SUM, /* of values that have no key: elements are values */
    MAX,
    DOT,
    HALF_LISTS, /* of pair_forces(): an element is a word of its input, a bin a force */
    FULL_LISTS,
    OPERATIONS
};

/* Names, blanks between them, stand in the environment: OPERATIONS="count argmax"; without, it is
 * count. A name that is none ends the program with one line and status 2.
 *
 * How many operations the suite is asked to judge, at least one: those that the suite's head names
 * and, with OPERATION in the environment, of these that one. On a GPU it is the one that the program
 * was built for. */
size_t operations_asked(void);
/* From here on this test judges the i-th of them. An input that was drawn for one operation cannot be used with
 * another. */
void operation_choose(size_t i);
enum operation operation_chosen(void);
/* The place of an operation in the list. */
size_t operation_turn(enum operation operation);

const char *operation_name(enum operation operation);
/* The folder of its kernel, below that of the suite's; "" where there is one kernel for all. */
const char *operation_folder(enum operation operation);
size_t operation_element_bytes(enum operation operation);
/* Of a bin, and so of a value. */
size_t operation_bin_bytes(enum operation operation);
bool operation_has_atomic(enum operation operation);
/* The largest key that an element can have. */
uint32_t operation_largest_key(enum operation operation);

/* One element, as it lies in memory. */
uint32_t operation_key(enum operation operation, const unsigned char *element);
/* Its value: of float_sum, vector_sum and minmax the bits of a float; 1 of count and saturate. */
uint32_t operation_value(enum operation operation, const unsigned char *element);
/* 0, but of argmax. */
uint32_t operation_index(enum operation operation, const unsigned char *element);
/* The contents of a bin to which nothing has come. */
void operation_neutral(enum operation operation, unsigned char *bin);

#endif
