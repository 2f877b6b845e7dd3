/* operations.h - the operations of common/contract/operation.h, as the judge knows them: at run time,
 * and written down a second time, independently of the contract's own functions. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation { COUNT, SATURATE, FLOAT_SUM, WIDE_SUM, ARGMAX, VECTOR_SUM, MINMAX, OPERATIONS };

/* How many operations the suite is asked to judge, at least one: those that the suite's head names
 * and, with OPERATION in the environment, of these that one. On a GPU it is the one that the program
 * was built for. */
size_t operations_asked(void);
/* The i-th of them is that of what follows, in this test's process. */
void operation_choose(size_t i);
enum operation operation_now(void);

const char *operation_name(enum operation operation);
size_t operation_element_bytes(enum operation operation);
size_t operation_bin_bytes(enum operation operation);
bool operation_has_atomic(enum operation operation);
/* 32, 64 or 0. */
unsigned int operation_word_bits(enum operation operation);

#endif
