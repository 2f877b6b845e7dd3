/* clocked.h - how long an H200 would take for kernels that the simulated GPU has run by its clock.
 *
 * docs/prediction.md tells how good that is. */
#ifndef CLOCKED_H
#define CLOCKED_H

#include <stdint.h>

/* Milliseconds of so many launches that took so many picoseconds by the clock, together. */
double clocked_ms(uint64_t launches, uint64_t picoseconds);

#endif
