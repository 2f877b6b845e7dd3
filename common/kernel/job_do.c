/* job_do.c - does a job where the kernel is: places the arrays, makes the calls, frees the arrays. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "must_have.h"
#include "target.h"

/* Where a job's arrays lie. */
struct arrays {
    unsigned char *input, *output;
    bool owns_output;
};

static uint64_t input_bytes(const struct job *job)
{
    return job->content == AS_SENT ? job->input_bytes : job->call.length * job->call.unit_bytes;
}

static uint64_t bytes_of_outputs(const struct job *job)
{
    return job->call.num_bins * job->call.bin_bytes;
}

/* Writes what was sent again and again, in pieces so large that they are few: the simulator opens the whole input for
 * each of them, and closes it. */
static void repeat(unsigned char *input, uint64_t bytes, const unsigned char *sent, uint64_t size)
{
    enum { LARGE = 1 << 24 };
    const uint64_t times = (bytes < LARGE ? bytes : LARGE) / size + 1, large = times * size;
    unsigned char *piece = must_have(malloc(large), "for a long input");
    for (uint64_t i = 0; i < times; i++)
        memcpy(piece + i * size, sent, size);
    for (uint64_t done = 0; done < bytes; done += large)
        target_write(input + done, piece, bytes - done < large ? bytes - done : large);
    free(piece);
}

/* Returns false when there is no room for a long input. */
static bool place_input(const struct job *job, const unsigned char *sent, struct arrays *arrays)
{
    const uint64_t bytes = input_bytes(job);
    arrays->input = job->content == UNWRITTEN ? target_reserve(bytes) : target_allocate(bytes);
    if (!arrays->input)
        return false;
    if (job->content == AS_SENT)
        target_write(arrays->input, sent, bytes);
    if (job->content == REPEATED)
        repeat(arrays->input, bytes, sent, job->input_bytes);
    for (uint64_t i = 0; i < job->spot_count && i < SPOTS; i++)
        target_write(arrays->input + job->spots[i].at, job->spots[i].bytes, job->spots[i].size);
    return true;
}

/* Each word of an output that is not sent is 0, unless there are as many words as units: a kernel must not read one
 * of these before it is written. */
static void place_output_of_job(const struct job *job, const unsigned char *sent,
                                struct arrays *arrays)
{
    arrays->owns_output = job->output_inside == 0;
    arrays->output = arrays->owns_output ? target_allocate(bytes_of_outputs(job))
                                         : arrays->input + job->output_inside - 1;
    if (job->output_bytes > 0 && arrays->owns_output)
        target_write(arrays->output, sent, job->output_bytes);
    else if (arrays->owns_output && job->call.num_bins < job->call.length)
        target_fill(arrays->output, 0, bytes_of_outputs(job));
}

static void set_up(const struct job *job)
{
    static char unit[sizeof job->unit];
    snprintf(unit, sizeof unit, "%.*s", (int)sizeof unit - 1, job->unit);
    sim_set_seed(job->seed);
    if (job->budget != UINT64_MAX)
        sim_set_budget_for(job->budget, unit[0] ? job->call.length : 0, unit);
    if (job->multiprocessors > 0)
        sim_set_multiprocessors(job->multiprocessors);
    if (job->l2_bytes > 0)
        sim_set_l2_bytes(job->l2_bytes);
    if (job->devices > 0)
        sim_set_devices(job->devices);
    sim_set_full_memory(job->content != AS_SENT);
}

/* The calls, one after the other, and what host code copies in the last of them. */
static void make_all_calls(const struct job *job, const struct call *call, struct outcome *outcome)
{
    const uint64_t input = call->length * call->unit_bytes;
    outcome->finished = 1;
    for (uint32_t i = 0; i < job->calls && !outcome->launch_failed; i++) {
        if (i == 1) {
            outcome->left_before = target_memory_left();
            outcome->held_before = target_held();
        }
        const uint64_t launches = target_launches();
        copies_begin(&outcome->copies, call->elements, input, call->bins, bytes_of_outputs(job));
        call_make(call);
        copies_end();
        outcome->launches = target_launches() - launches;
        outcome->launch_failed = cudaPeekAtLastError() != cudaSuccess;
    }
    if (job->calls > 1) { /* looking takes as long as a short call */
        outcome->left_after = target_memory_left();
        outcome->held_after = target_held();
    }
    outcome->finished = target_finish(outcome->error, sizeof outcome->error);
}

static void watch_calls(const struct job *job, const struct call *call, struct outcome *outcome)
{
    if (job->watch == WATCH_ALL)
        outcome->finished =
            measure_run(call, &outcome->cost, outcome->error, sizeof outcome->error);
    else if (job->watch == WATCH_FAR_END)
        outcome->finished = measure_far_end(call, &job->limits, job->stops_at_first_read,
                                            &outcome->far, outcome->error, sizeof outcome->error);
    else
        make_all_calls(job, call, outcome);
}

/* As a trial, where the job asks for one, and with the checks that it names. */
static void look_as_asked(struct job *job, const struct call *call, struct outcome *outcome)
{
    const char *checks = getenv("SIM_CHECKS");
    job->trial.kernel = job->kernel[0] ? job->kernel : NULL;
    if (job->checks[0])
        sim_set_checks(job->checks);
    if (job->is_trial)
        sim_try(&job->trial);
    watch_calls(job, call, outcome);
    const char *stopped = job->is_trial ? sim_trial_stopped() : NULL;
    snprintf(outcome->stopped, sizeof outcome->stopped, "%s", stopped ? stopped : "");
    if (job->is_trial)
        sim_try(NULL);
    if (job->checks[0])
        sim_set_checks(checks && *checks ? checks : "all");
}

/* A call that failed has left the device in a state in which nothing can be read or freed. */
static void take_back(const struct job *job, const struct arrays *arrays, unsigned char *output,
                      struct outcome *outcome)
{
    if (!outcome->finished && outcome->error[0])
        return;
    outcome->output_bytes = job->output_bytes;
    if (job->output_bytes > 0)
        target_read(output, arrays->output, job->output_bytes);
    target_free(arrays->input);
    if (arrays->owns_output)
        target_free(arrays->output);
}

static void do_call(struct job *job, const unsigned char *sent, unsigned char *output,
                    struct outcome *outcome)
{
    struct arrays arrays = {.input = NULL};
    struct call call = job->call;
    if (!place_input(job, sent, &arrays)) {
        snprintf(outcome->error, sizeof outcome->error, "no room for so long an input");
        return;
    }
    place_output_of_job(job, output, &arrays);
    call.elements = (uintptr_t)(arrays.input + job->before_units);
    call.bins = (uintptr_t)arrays.output;
    look_as_asked(job, &call, outcome);
    take_back(job, &arrays, output, outcome);
}

void job_do(struct job *job, unsigned char *input, unsigned char *output, struct outcome *outcome,
            const void **answer)
{
    *outcome = (struct outcome){.nonce = job->nonce, .is_device = target_is_device()};
    outcome->counters_before = sim_counters();
    set_up(job);
    if (job->watch == ASK_MODEL) {
        outcome->model = job->model;
        if (kernel_half.model)
            kernel_half.model(&outcome->model);
    } else if (job->watch == ASK_CONTRACT) {
        size_t size = 0;
        *answer = kernel_half.answer(job, input, &size);
        outcome->output_bytes = size;
    } else {
        do_call(job, input, output, outcome);
    }
    sim_set_full_memory(0);
    sim_locate(outcome->far.last_load, outcome->last_load, sizeof outcome->last_load);
    outcome->counters = sim_counters();
    outcome->errors = sim_error_count();
    outcome->shape = sim_last_launch();
}
