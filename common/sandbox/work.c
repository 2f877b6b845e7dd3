/* work.c - how much work a call with an operation may take: see work.h. */
#include "work.h"

#include "sim.h"
#include "traffic.h"

uint64_t work_accesses(void)
{
    const struct sim_counters now = sim_counters();
    return lanes_of(&now);
}

uint64_t work_schedules(const struct input *input, uint64_t accesses, uint64_t most, uint64_t large,
                        size_t many)
{
    enum { LONG = 40 * 1000 };
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    return threads == 0 || threads > large || input->num_bins > many || accesses > LONG ? 1 : most;
}

/* Every pass reads the input, and every block sets up and commits its bins; and where all want one
 * lock, or compare and swap one word, all but one of them try in vain, at each turn. */
uint64_t work_limit(const struct call *call)
{
    enum { A_UNIT = 64, A_BIN = 1024, IN_VAIN = 2048, AT_LEAST = 8 * 1000 * 1000 };
    enum { MOST_OF_BINS = 160 * 1000 * 1000, MOST_WAITERS = 4096 };
    const uint64_t bins = A_BIN * call->num_bins;
    const uint64_t waiters = call->length < MOST_WAITERS ? call->length : MOST_WAITERS;
    return AT_LEAST + A_UNIT * call->length + IN_VAIN * waiters +
           (bins < MOST_OF_BINS ? bins : MOST_OF_BINS);
}
