/* contract.c - what a contract leaves to all, and what rows of several have in common: see contract.h. */
#include "contract.h"

#include <stdarg.h>
#include <stdlib.h>

#include "traffic.h"

enum reads reads_of(const struct difference *difference)
{
    const struct measurement *seen = difference->seen;
    if (!seen || seen->blocks == 0)
        return READS_UNKNOWN;
    if (seen->least_read == 0)
        return seen->most_read > 1 ? READ_UNEVENLY : READ_NEVER;
    if (seen->least_read == seen->most_read)
        return seen->most_read > 1 ? READ_EVENLY : READ_ONCE;
    return READ_AGAIN;
}

bool because(const struct difference *difference, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(difference->cause, difference->size, format, arguments);
    va_end(arguments);
    return true;
}

void contract_forget(struct oracle *oracle)
{
    if (contract.forget)
        contract.forget(oracle);
    else
        free(oracle);
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

uint64_t contract_schedules(const struct input *input, uint64_t work, uint64_t most)
{
    enum { LARGE = 1 << 16 };
    return contract.schedules ? contract.schedules(input, work, most)
                              : work_schedules(input, work, most, LARGE, SIZE_MAX);
}

/* What lanes have asked of memory, where the contract says nothing else. */
uint64_t contract_work(void)
{
    if (contract.work)
        return contract.work();
    const struct sim_counters now = sim_counters();
    return lanes_of(&now);
}

void print_operation(FILE *file, const struct input *input, const struct measurement *cost)
{
    (void)input, (void)cost;
    fprintf(file, "%s", operation_name(operation_now()));
}

void print_passes(FILE *file, const struct input *input, const struct measurement *cost)
{
    const double bytes = (double)(input->length * unit_bytes());
    fprintf(file, "%.10g", (double)cost->bytes_read / (bytes > 0 ? bytes : 1));
}
