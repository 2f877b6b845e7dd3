/* two_phase_half.h - the kernel's half of what chapter 80 is asked: kernel_half.answer (measure.h). */
#ifndef TWO_PHASE_HALF_H
#define TWO_PHASE_HALF_H

#include <stddef.h>

struct job;
const void *two_phase_answer(const struct job *job, const unsigned char *bytes, size_t *size);

#endif
