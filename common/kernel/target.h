/* target.h - where the contract's function works: on the device, or in chapter 1 on the host. A program is linked with
 * target_device.c or with target_host.c. What fails ends the program with one line on standard error, but for
 * target_finish. */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "held.h"

/* Whether histogram() launches kernels. */
bool target_is_device(void);

/* Uninitialized memory at a multiple of 256. */
void *target_allocate(size_t bytes);
/* Memory that takes no room until it is written; NULL when there is no room even so. On the host it is 0. */
void *target_reserve(size_t bytes);
void target_free(void *memory);
void target_fill(void *memory, int value, size_t bytes);
/* Between the target's memory and the program's own. */
void target_write(void *memory, const void *from, size_t bytes);
void target_read(void *to, const void *memory, size_t bytes);

/* Bytes that could still be allocated; 0 on the host, where nobody counts them. */
size_t target_memory_left(void);

/* What the target's process holds, as far as anybody counts it. */
struct held target_held(void);

/* Waits for the kernels that run. Returns false when one of them, or its launch,
 * failed; `error` then holds CUDA's words for it. */
bool target_finish(char *error, size_t size);

/* Kernels launched so far, as far as anybody counts them. */
uint64_t target_launches(void);

#endif
