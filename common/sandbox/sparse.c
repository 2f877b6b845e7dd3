/* sparse.c - a call on a long input of zeros, made where the kernel is. */
#include "sparse.h"

#include <stdlib.h>

#include "measure.h"
#include "sim.h"
#include "target.h"

static void set_values(const struct sparse *sparse, unsigned char *d_values)
{
    const uint64_t value = sparse->call.unit_bytes;
    if (!sparse->is_trial) /* else it reads so little that what nobody has written is 0 anyhow */
        target_fill(d_values, 0, sparse->call.length * value);
    for (uint64_t i = 0; i < sparse->count && i < SPARSE_VALUES; i++)
        target_write(d_values + sparse->place[i] * value, sparse->value[i], value);
}

/* Keeps the largest launch. */
static void note_launch(const struct sim_step *step, void *context)
{
    struct sparse_seen *seen = context;
    if (step->kind != SIM_STEP_LAUNCH_ENDS)
        return;
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t block = (uint64_t)shape.block[0] * shape.block[1] * shape.block[2];
    const uint64_t threads = block * shape.grid[0] * shape.grid[1] * shape.grid[2];
    if (threads <= seen->threads)
        return;
    seen->threads = threads;
    seen->threads_per_block = block;
}

void sparse_run(const struct sparse *sparse, struct sparse_seen *seen)
{
    enum { ENOUGH = 1000 * 1000 * 1000 };
    const struct sim_trial last_block = {.last = 1};
    const char *checks = getenv("SIM_CHECKS");
    const size_t output = sparse->call.num_bins * sparse->call.bin_bytes;
    struct call call = sparse->call;
    *seen = (struct sparse_seen){.finished = 0};
    sim_set_full_memory(1);
    unsigned char *d_values = target_allocate(call.length * call.unit_bytes);
    unsigned char *d_result = target_allocate(output);
    call.values = (uintptr_t)d_values;
    call.result = (uintptr_t)d_result;
    set_values(sparse, d_values);
    target_fill(d_result, 0x5a, output);
    sim_set_checks(sparse->is_trial ? "memcheck" : "none");
    sim_set_budget(ENOUGH);
    sim_try(sparse->is_trial ? &last_block : NULL);
    if (sparse->is_trial)
        sim_observe_steps(note_launch, seen);
    call_make(&call);
    seen->finished = target_finish(seen->error, sizeof seen->error);
    sim_try(NULL);
    sim_observe_steps(NULL, NULL);
    sim_set_checks(checks ? checks : "all");
    target_read(seen->result, d_result, output);
    target_free(d_values);
    target_free(d_result);
    sim_set_full_memory(0);
}
