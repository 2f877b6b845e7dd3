/* sample.c - what some blocks of a grid do on a long input: see sample.h.
 *
 * The input takes no memory but where it is read: a lane's load has its part written first. */
#include "sample.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "device_abi.h"
#include "job.h"
#include "must_have.h"
#include "sim.h"
#include "target.h"
#include "event_counts.h"

enum { WARP = 32, FIRST_PARTS = 16 };

struct sampler {
    struct call call;
    uint64_t bytes;         /* of its input */
    const unsigned char *content; /* of each part of the input */
    uint64_t part;          /* bytes of it */
    unsigned char *written; /* which parts are, a bit each */
    uint64_t skip;
    struct measurement *result, before; /* before the launch that runs */
    struct watched *seen[ARRAYS];       /* in the result */
    bool has_read;                      /* the launch, of the input */
    bool ran[SAMPLE_BLOCKS];            /* blocks of the launch, from the first that does */
    uint64_t threads_per_block;
};

/* Returns its bytes, or 0 where there is nothing to write. */
static uint64_t begin_part(struct sampler *sampler, uint64_t number)
{
    const uint64_t from = number * sampler->part;
    const unsigned char bit = (unsigned char)(1u << number % 8);
    if (from >= sampler->bytes || (sampler->written[number / 8] & bit))
        return 0;
    sampler->written[number / 8] |= bit;
    return sampler->bytes - from < sampler->part ? sampler->bytes - from : sampler->part;
}

/* Before the lane goes on. */
static void write_parts(struct sampler *sampler, uintptr_t address, unsigned int bytes)
{
    const uint64_t from = address - sampler->call.elements;
    for (uint64_t i = from / sampler->part; i <= (from + bytes - 1) / sampler->part; i++)
        memcpy((unsigned char *)sampler->call.elements + i * sampler->part, sampler->content,
               begin_part(sampler, i));
}

/* Host code may look at the beginning. */
static void write_beginning(struct sampler *sampler)
{
    for (uint64_t i = 0; i < FIRST_PARTS; i++) {
        const uint64_t bytes = begin_part(sampler, i);
        if (bytes > 0)
            target_write((unsigned char *)sampler->call.elements + i * sampler->part,
                         sampler->content, bytes);
    }
}

static uint64_t volume(struct sim_index size)
{
    return (uint64_t)size.x * size.y * size.z;
}

static void note_block(struct sampler *sampler, unsigned int block)
{
    const uint64_t blocks = volume(sim_grid_dim());
    const bool is_large = blocks > SAMPLE_BLOCKS && blocks > sampler->skip;
    const uint64_t last = is_large ? blocks - sampler->skip : blocks;
    const uint64_t first = last > SAMPLE_BLOCKS ? last - SAMPLE_BLOCKS : 0;
    sampler->threads_per_block = volume(sim_block_dim());
    if (block - first < SAMPLE_BLOCKS)
        sampler->ran[block - first] = true;
}

static void observe(const struct sim_event *event, void *context)
{
    struct sampler *sampler = context;
    if (event->active == 0)
        return;
    const enum watched_array array = watched_array_at(&sampler->call, event);
    struct watched *seen = sampler->seen[array];
    note_block(sampler, event->block);
    add_accesses(event->access == SIM_LOAD    ? &seen->load
                 : event->access == SIM_STORE ? &seen->store
                                              : &seen->atomic,
                 event);
    if (array != OF_INPUT || event->access != SIM_LOAD)
        return;
    sampler->has_read = true;
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1) {
            sampler->result->bytes_read += event->bytes;
            write_parts(sampler, event->address[lane], event->bytes);
        }
}

/* What a launch did that read nothing is forgotten: of it blocks ran for others that did not. */
static void end_launch(struct sampler *sampler)
{
    struct measurement *result = sampler->result;
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t largest = result->blocks > blocks ? result->blocks : blocks;
    uint64_t ran = 0;
    for (size_t i = 0; i < SAMPLE_BLOCKS; i++)
        ran += sampler->ran[i];
    if (sampler->has_read) {
        result->reading_blocks += ran;
        result->threads += ran * sampler->threads_per_block;
    } else {
        *result = sampler->before;
    }
    result->blocks = largest;
    sampler->before = *result;
    sampler->has_read = false;
    memset(sampler->ran, 0, sizeof sampler->ran);
}

static void observe_step(const struct sim_step *step, void *context)
{
    if (step->kind == SIM_STEP_LAUNCH_ENDS)
        end_launch(context);
}

void sample_run(const struct job *job, const struct call *call, const unsigned char *content,
                struct measurement *result)
{
    char error[256];
    struct sampler sampler = {.call = *call,
                              .skip = job->skip,
                              .result = result,
                              .content = content,
                              .part = job->input_bytes,
                              .bytes = call->length * call->unit_bytes};
    *result = (struct measurement){.length = call->length, .num_bins = call->num_bins};
    sampler.before = *result;
    measurement_arrays(result, sampler.seen);
    sampler.written =
        must_have(calloc(sampler.bytes / sampler.part / 8 + 1, 1), "for a long input");
    write_beginning(&sampler);
    sim_observe(observe, &sampler);
    sim_observe_steps(observe_step, &sampler);
    call_make(call);
    target_finish(error, sizeof error);
    sim_observe(NULL, NULL);
    sim_observe_steps(NULL, NULL);
    free(sampler.written);
}
