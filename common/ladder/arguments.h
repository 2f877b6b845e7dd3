/* arguments.h - finds bad arguments on the host, before anything is launched. */
#ifndef LADDER_ARGUMENTS_H
#define LADDER_ARGUMENTS_H

#include <stdbool.h>

#include "ladder.h"

/* Memory that a call reads or writes: `number` things of `bytes` bytes. */
struct ladder_memory_of {
    const void *begin;
    size_t number, bytes, alignment; /* alignment: a power of two */
    bool is_written;
};

#pragma GCC visibility push(hidden) /* known within the library alone */

/* What is wrong with the memory of a call: of each part, if it has any bytes, that it is NULL, misaligned, or longer
 * than an address space; and of any two of which one is written, that they overlap. */
ladder_status ladder_check_memory(const struct ladder_memory_of *parts, size_t number);

enum { LADDER_TEMPORARY_ALIGNMENT = 256 };

/* Answers a call with temporary == NULL: then *is_answered, and *temporary_bytes is `needed`, 1 at least. Else
 * checks the temporary memory as such. */
ladder_status ladder_check_temporary(void *temporary, size_t *temporary_bytes, size_t needed,
                                     bool *is_answered);

#pragma GCC visibility pop

#endif
