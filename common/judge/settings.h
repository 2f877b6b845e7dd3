/* settings.h - on what the calls that follow are made: the kernel's program, the schedule, and the device. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>

#include "job.h"

/* At first the schedule is that of SIM_SEED in the environment, or 1, and the device is the card's. */
void set_schedule(uint64_t seed);
uint64_t schedule_now(void);
void set_multiprocessors(unsigned int count);
void set_l2_bytes(unsigned int bytes);

/* Has a job ask for these. */
void settings_of(struct job *job);

/* The path of the program `kernel`, or of that in a folder below, "argmax"; "" is none. It lies in the folder that
 * KERNEL_FOLDER in the environment names, or where the suite itself lies. It stays until the next call. The test fails
 * where there is none that can be run. */
const char *kernel_program(const char *below);

#endif
