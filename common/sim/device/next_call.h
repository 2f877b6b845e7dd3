/* next_call.h - what a kernel calls next: see next_call.c. */
#ifndef SIM_NEXT_CALL_H
#define SIM_NEXT_CALL_H

#include <stdint.h>

/* The function that the code at pc calls after instructions that do nothing but set registers: none that stores or
 * jumps. 0 where that is not seen. */
uintptr_t sim_next_call(uintptr_t pc);

#endif
