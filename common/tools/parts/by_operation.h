/* by_operation.h - chapters whose contract has an operation: it is chosen when a kernel is compiled. */
#ifndef BY_OPERATION_H
#define BY_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the contract after which the kernel's file is called includes operation.h. */
bool has_operation(const char *kernel_file);

/* Of those, whether it is an array that they reduce to one value: there are no keys, and no bins. */
bool reduces_array(const char *kernel_file);

/* Whether it counts a text on several devices, or ranks. */
bool counts_on_many(const char *kernel_file);

/* The first operation that the suite of a chapter, "21_name", says that it takes; "count" when it
 * says nothing. */
void first_operation(const char *stem, char *operation, size_t size);

#endif
