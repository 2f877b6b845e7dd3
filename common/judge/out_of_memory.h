/* out_of_memory.h - whether the system ends processes because memory is short. */
#ifndef OUT_OF_MEMORY_H
#define OUT_OF_MEMORY_H

#include <stdint.h>

/* How many processes it has ended for that so far, on this machine, limits of groups (containers) included;
 * 0 where it does not say. Who is ended by SIGKILL while it rises was one of them. */
uint64_t out_of_memory_ends(void);

#endif
