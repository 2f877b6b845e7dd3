/* sample.h - what some blocks of a grid do on a long input, whose content is that of a short one, over and
 * over. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

#include "call.h"
#include "measure.h"

enum { SAMPLE_BLOCKS = 64 };

/* Makes a call on memory that nobody has written: each part of it gets `content`, which the job has sent, before a lane
 * loads it. Of `result` it sets what the launches that read the input did: the traffic of lanes in each memory;
 * bytes_read; the blocks that ran (reading_blocks) and their threads. `blocks` are those of the largest grid, whatever
 * it read. A launch that fails, or comes to no end, counts as far as it came. */
struct job;
void sample_run(const struct job *job, const struct call *call, const unsigned char *content,
                struct measurement *result);

#endif
