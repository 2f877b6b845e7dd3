/* job_run.c - a job on a real GPU, by a program that is linked with the kernel: see job.h. Nobody counts accesses there,
 * and there is no schedule to choose. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "must_have.h"
#include "sim.h"
#include "target.h"

/* The half of a contract that has none of its own. */
const struct kernel_half no_kernel_half = {.begin = NULL}; /* an alias: measure.c */
extern const struct kernel_half kernel_half __attribute__((weak, alias("no_kernel_half")));

/* On a card this is not known: a program that ends is taken to have refused. */
bool job_was_run(void)
{
    return false;
}

static unsigned char *place_card(const struct job *job, const unsigned char *sent)
{
    enum { PIECE = 1 << 20 };
    const uint64_t all = job->call.length * job->call.unit_bytes;
    const uint64_t bytes = job->content == AS_SENT ? job->input_bytes : all;
    const uint64_t size = job->content == UNWRITTEN ? 0 : job->input_bytes;
    unsigned char *input = target_allocate(bytes);
    unsigned char *piece = must_have(malloc(size + PIECE), "for an input");
    uint64_t step = size;
    for (uint64_t i = 0; size > 0 && i < size + PIECE; i++)
        piece[i] = sent[i % size];
    while (size > 0 && size < PIECE && step + size <= PIECE)
        step += size;
    for (uint64_t done = 0; step > 0 && done < bytes; done += step)
        target_write(input + done, piece, bytes - done < step ? bytes - done : step);
    for (uint64_t i = 0; i < job->spot_count; i++)
        target_write(input + job->spots[i].at, job->spots[i].bytes, job->spots[i].size);
    free(piece);
    return input;
}

static void make_calls(const struct job *job, const struct call *call, struct outcome *outcome)
{
    for (uint32_t i = 0; i < job->calls && !outcome->launch_failed; i++) {
        if (i == 1) {
            outcome->left_before = target_memory_left();
            outcome->held_before = target_held();
        }
        call_make(call);
        outcome->launch_failed = cudaPeekAtLastError() != cudaSuccess;
    }
    outcome->finished = target_finish(outcome->error, sizeof outcome->error);
    outcome->left_after = target_memory_left();
    outcome->held_after = target_held();
    outcome->launches = 1; /* which nobody counts */
}

struct outcome job_run(struct job *job, const char *what, const void *input, void *output)
{
    struct outcome outcome = {.is_device = target_is_device(), .model = job->model};
    struct call call = job->call;
    (void)what;
    if (job->watch == ASK_MODEL && kernel_half.model)
        kernel_half.model(&outcome.model);
    if (job->watch != WATCH_NOTHING) {
        snprintf(outcome.error, sizeof outcome.error, "a GPU counts no accesses");
        return outcome;
    }
    unsigned char *units = place_card(job, input);
    unsigned char *results = target_allocate(call.num_bins * call.bin_bytes);
    target_write(results, output, job->output_bytes);
    call.elements = (uintptr_t)(units + job->before_units);
    call.bins = (uintptr_t)results;
    make_calls(job, &call, &outcome);
    if (!outcome.finished)
        return outcome;
    target_read(output, results, job->output_bytes);
    target_free(units);
    target_free(results);
    return outcome;
}

/* What programs that are linked with a kernel ask of sim.h: nothing is counted or reported. */
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

struct sim_launch_shape sim_last_launch(void)
{
    return (struct sim_launch_shape){.grid = {0, 0, 0}};
}

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
