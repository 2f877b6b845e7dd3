/* client.c - what target.h, sim.h and measure.h promise, done by the kernel's process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "current_input.h"
#include "evidence.h"
#include "kernel_process.h"
#include "sim.h"
#include "target.h"

static struct sim_launch_shape shape; /* of the last launch, as it was told with WIRE_FINISH */
static uint64_t seed;
static bool seed_known;
static unsigned int multiprocessors, l2_bytes; /* 0 until they are set */

static uint64_t address(const void *memory)
{
    return (uint64_t)(uintptr_t)memory;
}

bool target_is_device(void)
{
    return kernel_ask(&(struct kernel_question){.what = WIRE_IS_DEVICE}, NULL, 0) != 0;
}

void *target_allocate(size_t bytes)
{
    return (void *)(uintptr_t)kernel_ask(
        &(struct kernel_question){.what = WIRE_ALLOCATE, .values = {bytes}}, NULL, 0);
}

void *target_reserve(size_t bytes)
{
    return (void *)(uintptr_t)kernel_ask(
        &(struct kernel_question){.what = WIRE_RESERVE, .values = {bytes}}, NULL, 0);
}

void target_free(void *memory)
{
    kernel_tell(&(struct kernel_question){.what = WIRE_FREE, .values = {address(memory)}});
}

void target_fill(void *memory, int value, size_t bytes)
{
    kernel_tell(&(struct kernel_question){.what = WIRE_FILL,
                                          .values = {address(memory), (uint64_t)value, bytes}});
}

void target_write(void *memory, const void *from, size_t bytes)
{
    kernel_tell(&(struct kernel_question){
        .what = WIRE_WRITE, .values = {address(memory)}, .bytes = from, .size = bytes});
}

void target_read(void *to, const void *memory, size_t bytes)
{
    kernel_ask(&(struct kernel_question){.what = WIRE_READ, .values = {address(memory), bytes}}, to,
               bytes);
}

size_t target_memory_left(void)
{
    return kernel_ask(&(struct kernel_question){.what = WIRE_LEFT}, NULL, 0);
}

struct held target_held(void)
{
    struct held held = {{0}};
    kernel_ask(&(struct kernel_question){.what = WIRE_HELD}, &held, sizeof held);
    return held;
}

bool target_finish(char *error, size_t size)
{
    struct wire_finished finished;
    kernel_ask(&(struct kernel_question){.what = WIRE_FINISH}, &finished, sizeof finished);
    shape = finished.shape;
    shape.kernel[sizeof shape.kernel - 1] = '\0';
    if (!finished.fine)
        snprintf(error, size, "%.*s", (int)sizeof finished.error - 1, finished.error);
    return finished.fine;
}

void target_may_end_with(int status)
{
    kernel_may_end_with(status);
}

struct sim_launch_shape sim_last_launch(void)
{
    return shape;
}

/* As base/options.c reads it. */
uint64_t sim_seed(void)
{
    const char *chosen = getenv("SIM_SEED");
    if (!seed_known)
        seed = chosen && *chosen ? strtoull(chosen, NULL, 10) : 1;
    seed_known = true;
    return seed;
}

void sim_set_seed(uint64_t chosen)
{
    seed = chosen;
    seed_known = true;
    kernel_tell(&(struct kernel_question){.what = WIRE_SEED, .values = {chosen}});
}

void sim_set_budget(uint64_t lane_accesses)
{
    sim_set_budget_for(lane_accesses, 0, "");
}

void sim_set_budget_for(uint64_t lane_accesses, uint64_t units, const char *unit)
{
    kernel_tell(&(struct kernel_question){.what = WIRE_BUDGET,
                                          .values = {lane_accesses, units},
                                          .bytes = unit,
                                          .size = strlen(unit) + 1});
}

void sim_set_multiprocessors(unsigned int count)
{
    multiprocessors = count;
    kernel_tell(&(struct kernel_question){.what = WIRE_MULTIPROCESSORS, .values = {count}});
}

void sim_set_l2_bytes(unsigned int bytes)
{
    l2_bytes = bytes;
    kernel_tell(&(struct kernel_question){.what = WIRE_L2_BYTES, .values = {bytes}});
}

void sim_reset_counters(void)
{
    kernel_tell(&(struct kernel_question){.what = WIRE_RESET_COUNTERS});
}

struct sim_counters sim_counters(void)
{
    struct sim_counters counters;
    kernel_ask(&(struct kernel_question){.what = WIRE_COUNTERS}, &counters, sizeof counters);
    return counters;
}

uint64_t sim_error_count(void)
{
    return kernel_errors();
}

uint64_t target_launches(void)
{
    return kernel_launches();
}

void sim_try(const struct sim_trial *trial)
{
    struct kernel_question question = {.what = WIRE_TRY};
    struct wire_trial wire;
    if (trial) {
        wire = wire_of_trial(trial);
        question.bytes = &wire;
        question.size = sizeof wire;
    }
    kernel_tell(&question);
}

const char *sim_trial_stopped(void)
{
    static char name[WIRE_NAME];
    kernel_ask(&(struct kernel_question){.what = WIRE_STOPPED}, name, sizeof name);
    name[sizeof name - 1] = '\0';
    return name[0] ? name : NULL;
}

char *sim_locate(uintptr_t pc, char *text, size_t size)
{
    char place[WIRE_PLACE];
    kernel_ask(&(struct kernel_question){.what = WIRE_LOCATE, .values = {pc}}, place, sizeof place);
    snprintf(text, size, "%.*s", (int)sizeof place - 1, place);
    return text;
}

/* Reports are entries here already: kernel_process.c. */
void sim_observe_reports(sim_report_observer *observer, void *context)
{
    (void)observer, (void)context;
}

/* A process that starts has not heard what was set before. */
void target_choose(const char *kernel)
{
    kernel_choose(kernel, 0);
    shape = (struct sim_launch_shape){.grid = {0, 0, 0}};
    if (seed_known)
        sim_set_seed(seed);
    if (multiprocessors)
        sim_set_multiprocessors(multiprocessors);
    if (l2_bytes)
        sim_set_l2_bytes(l2_bytes);
}

static void ask(uint32_t what, const void *bytes, size_t size, void *answer, size_t answer_size)
{
    kernel_ask(&(struct kernel_question){.what = what, .bytes = bytes, .size = size}, answer,
               answer_size);
}

void call_make(const struct call *call)
{
    struct wire_called called;
    ask(WIRE_CALL, call, sizeof *call, &called, sizeof called);
    if (!called.is_device || called.failed || call->length > UINT32_MAX || kernel_errors() > 0)
        return;
    char what[256];
    snprintf(what, sizeof what, "%s", current_input() ? current_input() : "an input");
    current_input_set(NULL); /* it has returned, if this fails */
    expect_kernels_called(what, call, called.launches, &called.copies);
    current_input_set(what);
}

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    struct wire_measured measured;
    ask(WIRE_MEASURE, call, sizeof *call, &measured, sizeof measured);
    *result = measured.result;
    result->reader[sizeof result->reader - 1] = '\0';
    result->length = call->length;
    result->num_bins = call->num_bins;
    if (!measured.finished)
        snprintf(error, error_size, "%.*s", (int)sizeof measured.error - 1, measured.error);
    return measured.finished;
}

void spoil_run(const struct call *call, enum spoil what, struct spoiled *spoiled)
{
    kernel_ask(
        &(struct kernel_question){
            .what = WIRE_SPOIL, .values = {what}, .bytes = call, .size = sizeof *call},
        spoiled, sizeof *spoiled);
}

bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                     char *error, size_t error_size)
{
    static char name[WIRE_NAME];
    struct wire_far_seen far;
    const struct wire_far wire = {.call = *call,
                                  .limits = *limits,
                                  .stops_late = stopped != NULL,
                                  .trial = wire_of_trial(trial)};
    ask(WIRE_FAR_END, &wire, sizeof wire, &far, sizeof far);
    snprintf(name, sizeof name, "%.*s", WIRE_NAME - 1, far.stopped);
    if (stopped)
        *stopped = name[0] ? name : NULL;
    *seen = far.seen;
    if (!far.finished)
        snprintf(error, error_size, "%.*s", (int)sizeof far.error - 1, far.error);
    return far.finished;
}

void model_ask(struct model *model)
{
    const struct model asked = *model;
    ask(WIRE_MODEL, &asked, sizeof asked, model, sizeof *model);
}

void sparse_run(const struct sparse *sparse, struct sparse_seen *seen)
{
    ask(WIRE_SPARSE, sparse, sizeof *sparse, seen, sizeof *seen);
    seen->error[sizeof seen->error - 1] = '\0';
}

void sample_run(const struct sample *sample, struct measurement *result)
{
    ask(WIRE_SAMPLE, sample, sizeof *sample, result, sizeof *result);
}
