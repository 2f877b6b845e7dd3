/* placed.c - an input and its output, laid out as a call of the contract's function finds them: see placed.h. */
#include "placed.h"

#include <stdlib.h>

#include "contract.h"
#include "must_have.h"
#include "random_numbers.h"
#include "settings.h"

/* Puts units before the first one that would be seen in the output. */
static void place_guards(struct placed *placed)
{
    const struct contract *contract = placed->input->contract;
    struct input before = *placed->input;
    before.elements = placed->units;
    before.length = placed->input->misalignment;
    const size_t bytes = before.length * placed->job.call.unit_bytes;
    for (size_t word = 0; !contract->set_guard && word < bytes / sizeof(float); word++)
        input_set_float(&before, word, contract->guard);
    for (size_t i = 0; contract->set_guard && i < before.length; i++)
        contract->set_guard(&before, i);
}

/* Every pass reads the input, and every block sets up and commits its bins; and where all want one
 * lock, or compare and swap one word, all but one of them try in vain, at each turn. */
static uint64_t usual_accesses(const struct contract *contract, const struct call *call)
{
    enum { USUAL = 64, A_BIN = 1024, IN_VAIN = 2048, AT_LEAST = 8 * 1000 * 1000 };
    enum { MOST_OF_BINS = 160 * 1000 * 1000, MOST_WAITERS = 4096 };
    const uint64_t bins = A_BIN * call->num_bins;
    const uint64_t waiters = call->length < MOST_WAITERS ? call->length : MOST_WAITERS;
    const uint64_t of_a_unit = contract->accesses > 0 ? contract->accesses : USUAL;
    return AT_LEAST + of_a_unit * call->length + IN_VAIN * waiters +
           (bins < MOST_OF_BINS ? bins : MOST_OF_BINS);
}

uint64_t most_accesses(const struct contract *contract, const struct call *call)
{
    return contract->limit ? contract->limit(call) : usual_accesses(contract, call);
}

struct job job_of(const struct contract *contract, const struct call *call)
{
    struct job job = {.call = *call, .calls = 1, .budget = UINT64_MAX};
    settings_of(&job);
    contract_function(contract, call, job.function, sizeof job.function);
    if (!getenv("SIM_BUDGET")) {
        job.budget = most_accesses(contract, call);
        snprintf(job.unit, sizeof job.unit, "%s%s", contract->words.unit,
                 contract_counts_text(contract) ? " of the text" : "");
    }
    return job;
}

void job_tries(struct job *job, const struct sim_trial *trial, uint64_t budget, const char *checks)
{
    job->is_trial = 1;
    job->trial = *trial;
    job->trial.kernel = NULL;
    snprintf(job->kernel, sizeof job->kernel, "%s", trial->kernel ? trial->kernel : "");
    job->budget = budget;
    job->unit[0] = '\0';
    snprintf(job->checks, sizeof job->checks, "%s", checks);
}

size_t place_output_bytes(const struct placed *placed)
{
    return placed->job.output_bytes;
}

struct placed place(const struct input *input)
{
    const struct call call = call_on(input);
    struct placed placed = {.job = job_of(input->contract, &call), .input = input};
    struct job *job = &placed.job;
    job->before_units = input->misalignment * call.unit_bytes;
    job->input_bytes = job->before_units + input->length * call.unit_bytes;
    job->output_bytes = call.num_bins * call.bin_bytes;
    placed.units = must_have(malloc(job->input_bytes + 1), "for an input");
    placed.before = must_have(calloc(job->output_bytes + 1, 1), "for an output");
    placed.output = must_have(calloc(job->output_bytes + 1, 1), "for an output");
    place_guards(&placed);
    if (input->length > 0)
        memcpy(placed.units + job->before_units, input->elements, input->length * call.unit_bytes);
    return placed;
}

void place_output_again(struct placed *placed)
{
    memcpy(placed->output, placed->before, place_output_bytes(placed));
}

/* Draws numbers that no input comes to, other ones each time, in the form of the output. Few integers are above them. */
static void draw_before(const struct input *input, unsigned char *output)
{
    enum { LARGE = 0xfffef000u };
    static uint64_t state;
    struct shape unit, shape;
    input->contract->shapes(input->operation, &unit, &shape);
    const bool is_integer = shape.field[0].type == FIELD_UNSIGNED;
    for (size_t at = 0; at < shape.bytes; at += sizeof(float)) {
        const uint32_t drawn = random_below(&state, 1 << 12);
        const uint32_t bits = is_integer ? LARGE + drawn : bits_of_float(1048576.5f + (float)drawn);
        memcpy(output + at, &bits, sizeof bits);
    }
}

void place_output(struct placed *placed)
{
    const struct call *call = &placed->job.call;
    const bool sets = placed->input->contract->sets;
    for (uint64_t i = 0; sets && i < call->num_bins; i++)
        draw_before(placed->input, placed->before + i * call->bin_bytes);
    if (!sets && placed->input->bins)
        memcpy(placed->before, placed->input->bins, place_output_bytes(placed));
    place_output_again(placed);
}

static struct {
    enum operation operation;
    bool is_known, is_device;
    struct outcome outcome;
} last;

static struct outcome run_placed(struct job *job, const char *what, struct placed *placed)
{
    last.operation = placed->input->operation;
    last.outcome = job_run(job, what, placed->units, placed->output);
    last.is_known = true;
    last.is_device = last.outcome.is_device;
    return placed->last = last.outcome;
}

const struct outcome *last_outcome(enum operation operation)
{
    static const struct outcome none;
    return last.is_known && last.operation == operation ? &last.outcome : &none;
}

bool runs_on_device(const struct contract *contract)
{
    const struct call call = call_of(contract, operation_chosen(), 0, 0, 0);
    struct job job = job_of(contract, &call);
    job.calls = 0;
    if (!last.is_known)
        last.is_device = job_run(&job, "nothing", NULL, NULL).is_device;
    return last.is_device;
}

void place_run(struct placed *placed, const char *what)
{
    settings_of(&placed->job);
    run_placed(&placed->job, what, placed);
}

bool place_measure(struct placed *placed, struct measurement *seen)
{
    settings_of(&placed->job);
    struct job job = placed->job;
    job.watch = WATCH_ALL;
    const struct outcome outcome = run_placed(&job, placed->input->name, placed);
    *seen = outcome.cost;
    seen->length = job.call.length;
    seen->num_bins = job.call.num_bins;
    seen->unit_bytes = job.call.unit_bytes;
    seen->operation = job.call.operation;
    return outcome.finished;
}

unsigned char *place_read(const struct placed *placed)
{
    const size_t bytes = place_output_bytes(placed);
    return memcpy(must_have(malloc(bytes + 1), "for an output"), placed->output, bytes);
}

void place_free(struct placed *placed)
{
    free(placed->units);
    free(placed->before);
    free(placed->output);
}

bool place_and_measure(const struct input *input, struct measurement *seen)
{
    struct placed placed = place(input);
    place_output(&placed);
    const bool ran = place_measure(&placed, seen);
    place_free(&placed);
    return ran;
}

void ask_model(const struct contract *contract, struct model *model)
{
    const struct call call = call_of(contract, operation_chosen(), 0, 0, 0);
    struct job job = job_of(contract, &call);
    job.watch = ASK_MODEL;
    job.model = *model;
    *model = job_run(&job, "a question to the model", NULL, NULL).model;
}
