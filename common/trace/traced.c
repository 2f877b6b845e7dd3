/* traced.c - an input that is traced where a kernel works on it, as the judge has it, and what its outputs should hold,
 * as the judge knows it. */
#include "traced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "measure.h"
#include "must_have.h"
#include "placed.h"
#include "run.h"
#include "sim.h"
#include "target.h"
#include "util.h"

/* Of plain C one lane of the simulated GPU calls it (one_lane.cu). */
void call_by_one_lane(const unsigned char *text, size_t length, unsigned int *bins);
#pragma weak call_by_one_lane

bool traced_in_plain_c(void)
{
    return call_by_one_lane != NULL;
}

const struct contract *traced_contract(void)
{
    return kernel_to_run()->contract;
}

bool traced_counts_text(void)
{
    return contract_counts_text(traced_contract());
}

const char *traced_outputs(void)
{
    const struct contract *contract = traced_contract();
    return contract->outputs ? contract->outputs : contract->words.output;
}

bool traced_on_devices(void)
{
    return kernel_to_run()->cases->devices > 0;
}

const char *traced_function(void)
{
    const char *own = kernel_to_run()->function;
    return own ? own : traced_contract()->words.function;
}

/* A case may say how many devices there are; but a rank has one. */
static struct input with_calls(struct input input, unsigned int calls, unsigned int devices)
{
    input.calls = calls > 1 ? calls : 1;
    input.devices = input.devices == 0 ? 1 : devices > 0 ? devices : input.devices;
    return input;
}

bool traced_draw(size_t i, struct input *input)
{
    const struct traced_case *one = kernel_to_run()->cases + i;
    if (one->drawn.kind == UINT32_MAX)
        return false;
    *input = with_calls(kernel_to_run()->draw(&one->drawn, i + 1), one->calls, one->devices);
    input->misalignment = one->misalignment;
    input->drawn[0] = '\0';
    return true;
}

/* The command draws it anew by its SIZE and TEXT_SEED, unless the contract has other settings. */
bool traced_tale(size_t i, struct input *input)
{
    const struct to_run *run = kernel_to_run();
    const size_t length = i < TALES ? run->tales[i] : 0;
    if (length == 0)
        return false;
    const struct drawn_case one = drawn_usual(length);
    *input = with_calls(run->draw(&one, 1), 1, 0);
    if (!run->write)
        snprintf(input->drawn, sizeof input->drawn, "SIZE=%zu TEXT_SEED=1", length);
    return true;
}

struct input traced_read(const char *file)
{
    char called[80];
    return with_calls(input_read(file, kernel_to_run()->tales[1], called, sizeof called), 1, 0);
}

void traced_shapes(struct shape *input, struct shape *output)
{
    traced_contract()->shapes(operation_chosen(), input, output);
}

size_t traced_results(const struct input *input)
{
    return input->num_bins - input->only_read;
}

void traced_settings(char *text, size_t size)
{
    const struct contract *contract = traced_contract();
    const bool of_text = traced_counts_text();
    const char *bins = contract->has_bins ? chosen(of_text ? "NUM_BINS" : "KEY_BINS") : "";
    const char *devices = traced_on_devices() ? chosen("SIM_DEVICES") : "";
    if (of_text && strcmp(bins, "5") == 0) /* as it is without the setting */
        bins = "";
    const char *const settings[][2] = {
        {"OPERATION=", contract->has_operation ? operation_name(operation_chosen()) : ""},
        {"BINS=", bins},
        {"SIM_DEVICES=", devices}};
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < sizeof settings / sizeof *settings; i++, used = strlen(text))
        if (*settings[i][1])
            snprintf(text + used, size - used, "%s%s%s", used > 0 ? " " : "", settings[i][0],
                     settings[i][1]);
}

void traced_place(const struct input *input, struct traced_memory *memory)
{
    struct placed placed = place(input);
    const size_t bytes = place_output_bytes(&placed);
    memory->on_host = traced_on_devices();
    if (input->bins)
        memcpy(placed.output, input->bins, bytes);
    if (memory->on_host) { /* where it stays until this process ends */
        sim_set_devices(input->devices);
        memory->units = placed.units + placed.job.before_units;
        memory->outputs = placed.output;
        return;
    }
    unsigned char *space = target_allocate(placed.job.input_bytes);
    memory->units = space + placed.job.before_units;
    memory->outputs = target_allocate(bytes);
    target_write(space, placed.units, placed.job.input_bytes);
    target_write(memory->outputs, placed.output, bytes);
    place_free(&placed);
}

void traced_call(const struct input *input, const struct traced_memory *memory)
{
    struct call call = call_on(input);
    if (traced_in_plain_c()) {
        call_by_one_lane(memory->units, input->length, memory->outputs);
        return;
    }
    call.elements = (uintptr_t)memory->units;
    call.bins = (uintptr_t)memory->outputs;
    call_make(&call);
}

static size_t bytes_of_output(void)
{
    struct shape input, output;
    traced_shapes(&input, &output);
    return output.bytes;
}

/* Whether outputs are set, and not combined with what they hold. */
static bool sets_outputs(const struct input *input)
{
    return traced_contract()->sets || !input->bins;
}

struct oracle *traced_expect(const struct input *input)
{
    struct shape unit, output;
    traced_shapes(&unit, &output);
    const unsigned int calls = sets_outputs(input) ? 1 : input->calls;
    const size_t rows = input->batch > 0 ? input->batch : 1;
    const size_t row = input->length * unit.bytes / rows;
    struct input all = *input;
    unsigned char *again = must_have(malloc(rows * calls * row + 1), "for a trace");
    unsigned char *zeros = must_have(calloc(input->num_bins + 1, output.bytes), "for a trace");
    for (size_t i = 0; i < rows * calls; i++) /* of a batch each row has so many */
        memcpy(again + i * row, input->elements + i / calls * row, row);
    all.elements = again;
    all.length *= calls;
    all.bins = input->bins ? input->bins : zeros;
    struct oracle *oracle = traced_contract()->oracle(&all);
    free(again);
    free(zeros);
    return oracle;
}

void traced_say(const struct oracle *expected, size_t output, const unsigned char *held,
                char *should, char *holds, size_t size)
{
    traced_contract()->say(expected, output, held + output * bytes_of_output(), should, holds,
                           size);
}

/* "33 characters, on 3 devices" */
static void name_input(const struct input *input, char *name, size_t size)
{
    const int used = snprintf(name, size, "%zu %s%s", input->length, traced_contract()->words.unit,
                              input->length == 1 ? "" : "s");
    if (input->devices > 1)
        snprintf(name + used, size - (size_t)used, ", on %u devices", input->devices);
}

/* Of two calls the second has gone wrong, or has not combined with what the first one left. */
static void explain_calls(const struct difference *d, const unsigned char *held, char *words,
                          size_t size)
{
    enum { AN_OUTPUT = 128 };
    char should[AN_OUTPUT], holds[AN_OUTPUT];
    traced_say(d->oracle, d->first, held, should, holds, AN_OUTPUT);
    snprintf(words, size, "wrong on %s, after two calls%s: %s %zu should hold %s, and holds %s",
             d->input->name,
             sets_outputs(d->input) ? "" : " that combine with what the outputs hold", "output",
             d->first, should, holds);
}

size_t traced_wrong(const struct oracle *expected, const struct input *input,
                    const unsigned char *held, bool *is_wrong, char *words, size_t size)
{
    char cause[500] = "";
    const size_t bytes = bytes_of_output();
    struct input all = *input;
    struct difference d = {.input = &all,
                           .oracle = expected,
                           .held = held,
                           .before = input->bins,
                           .cause = cause,
                           .size = sizeof cause};
    for (size_t output = input->num_bins; output-- > 0;) {
        is_wrong[output] = !traced_contract()->may_hold(expected, output, held + output * bytes);
        d.wrong += is_wrong[output];
        d.first = is_wrong[output] ? output : d.first;
    }
    name_input(input, all.name, sizeof all.name);
    if (d.wrong > 0 && input->calls > 1) {
        explain_calls(&d, held, words, size);
    } else if (d.wrong > 0) {
        first_cause(&d);
        contract_explain(&d, words, size);
    }
    return d.wrong;
}
