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
    SUM, /* this and the next two take values that have no key */
    MAX,
    DOT,
    HALF_LISTS, /* these are of pair_forces(): an element is a word of its input, a bin a force */
    FULL_LISTS,
    OPERATIONS
};

/* How many operations the suite is asked to judge, at least one. Their names stand in the environment, with blanks
 * between them: OPERATIONS="count argmax"; without them it is count. A name that is none ends the program with one
 * line and status 2.
 *
 * They are those that the suite's head names, or the one of these that OPERATION names. On a GPU it is the one that
 * the program was built for. */
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
/* Bytes of a bin, and so of a value. */
size_t operation_bin_bytes(enum operation operation);
bool operation_has_atomic(enum operation operation);
/* The largest key that an element can have. */
uint32_t operation_largest_key(enum operation operation);

/* The key of one element, as it lies in memory. */
uint32_t operation_key(enum operation operation, const unsigned char *element);
/* The value of an element: for float_sum, vector_sum and minmax the bits of a float; 1 for count and saturate. */
uint32_t operation_value(enum operation operation, const unsigned char *element);
/* The index of an element; 0 for all operations but argmax. */
uint32_t operation_index(enum operation operation, const unsigned char *element);
/* Writes what a bin holds to which nothing has come. */
void operation_neutral(enum operation operation, unsigned char *bin);

#endif
