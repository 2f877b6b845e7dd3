/* struct_copies.h - stores of structures that are copied from memory: see struct_copies.c. */
#ifndef SIM_STRUCT_COPIES_H
#define SIM_STRUCT_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the functions that kernels call before they load. */
void __tsan_read1(void *p);
void __tsan_read2(void *p);
void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_read16(void *p);
void __tsan_unaligned_read2(void *p);
void __tsan_unaligned_read4(void *p);
void __tsan_unaligned_read8(void *p);
void __tsan_unaligned_read16(void *p);
void __tsan_read_range(void *p, size_t bytes);

/* Whether a call before a store, which returns to pc, is followed by the call before the load of what is
 * stored. */
bool sim_is_copied(uintptr_t pc);

#endif
