/* unsimulated.c - what sim.h and measure.h promise, on a real GPU: it has no schedule to choose, and counts no
 * accesses; measure() skips the test before it asks for any. */
#include <stdint.h>
#include <stdio.h>

#include "far_reads.h"
#include "measure.h"
#include "sample.h"
#include "sim.h"
#include "spoil.h"

/* Of a contract that says nothing else. */
const struct kernel_half no_kernel_half = {.begin = NULL}; /* an alias: measure.c */
extern const struct kernel_half kernel_half __attribute__((weak, alias("no_kernel_half")));

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    *result = (struct measurement){.length = call->length, .num_bins = call->num_bins};
    snprintf(error, error_size, "a GPU counts no accesses");
    return false;
}

void spoil_run(const struct call *call, enum spoil what, struct spoiled *spoiled)
{
    (void)call, (void)what;
    *spoiled = (struct spoiled){.finished = 0};
}

bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                     char *error, size_t error_size)
{
    (void)call, (void)limits, (void)trial, (void)stopped;
    *seen = (struct far_reads){.length = 0};
    snprintf(error, error_size, "a GPU counts no accesses");
    return false;
}

void sample_run(const struct sample *sample, struct measurement *result)
{
    *result = (struct measurement){.length = sample->call.length};
}

/* The kernel is in this program. */
void model_ask(struct model *model)
{
    if (kernel_half.model)
        kernel_half.model(model);
}

struct sim_launch_shape sim_last_launch(void)
{
    return (struct sim_launch_shape){.grid = {0, 0, 0}};
}

uint64_t sim_seed(void)
{
    return 0;
}

void sim_set_seed(uint64_t seed)
{
    (void)seed;
}

void sim_set_budget(uint64_t lane_accesses)
{
    (void)lane_accesses;
}

void sim_set_budget_for(uint64_t lane_accesses, uint64_t units, const char *unit)
{
    (void)lane_accesses, (void)units, (void)unit;
}

size_t sim_live_handles(void)
{
    return 0;
}

size_t sim_live_communicators(void)
{
    return 0;
}

size_t sim_live_host_memory(void)
{
    return 0;
}

void sim_lend(const void *memory)
{
    (void)memory;
}

void sim_try(const struct sim_trial *trial)
{
    (void)trial;
}

const char *sim_trial_stopped(void)
{
    return NULL;
}

void sim_set_multiprocessors(unsigned int count)
{
    (void)count;
}

void sim_set_l2_bytes(unsigned int bytes)
{
    (void)bytes;
}

void sim_set_full_memory(int full)
{
    (void)full;
}

void sim_set_checks(const char *list)
{
    (void)list;
}

char *sim_locate(uintptr_t pc, char *text, size_t size)
{
    (void)pc;
    snprintf(text, size, "?");
    return text;
}

void sim_observe_reports(sim_report_observer *observer, void *context)
{
    (void)observer, (void)context;
}

void sim_observe_steps(sim_step_observer *observer, void *context)
{
    (void)observer, (void)context;
}

uint64_t sim_error_count(void)
{
    return 0;
}

struct sim_counters sim_counters(void)
{
    return (struct sim_counters){0};
}

void sim_reset_counters(void)
{
}

/* It counts nothing, and has no names for it. */
size_t sim_metric_count(void)
{
    return 0;
}

struct sim_metric sim_metric(size_t i)
{
    (void)i;
    return (struct sim_metric){.name = ""};
}

uint64_t sim_metric_value(const struct sim_counters *counters, size_t i)
{
    (void)counters, (void)i;
    return 0;
}

void sim_library_touches(const void *memory, size_t bytes, const void *called_at, int writes)
{
    (void)memory, (void)bytes, (void)called_at, (void)writes;
}
