/* traced_contract.c - what traces of all contracts share: an input where a kernel works on it, as the
 * judge has it, and what its outputs should hold, as the judge knows it. */
#include "traced_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked_input.h"
#include "contract.h"
#include "drawn_input.h"
#include "measure.h"
#include "must_have.h"
#include "placed.h"
#include "target.h"
#include "util.h"

/* Of plain C one lane of the simulated GPU calls it (one_lane.cu). */
void call_by_one_lane(const unsigned char *text, size_t length, unsigned int *bins);
#pragma weak call_by_one_lane

bool traced_in_plain_c(void)
{
    return call_by_one_lane != NULL;
}

const char *traced_function(void)
{
    return traced.function ? traced.function() : traced.contract->words.function;
}

static struct input with_calls(struct input input, unsigned int calls, unsigned int devices)
{
    input.calls = calls > 1 ? calls : 1;
    input.devices = traced.devices ? traced.devices(devices) : 1;
    return input;
}

struct input traced_drawn(const struct traced_case *one, uint64_t seed)
{
    const struct drawn_input *inputs = traced.contract->inputs;
    struct drawn_case drawn = drawn_usual(inputs, one->length);
    if (one->num_bins > 0) {
        drawn = inputs->traced;
        drawn.kind = one->kind;
        drawn.units = one->length;
    }
    return drawn_with(inputs, &drawn, seed, (unsigned int)one->num_bins);
}

bool traced_draw(size_t i, struct input *input)
{
    const struct traced_case *one =
        (traced.is_batched && traced.is_batched() ? traced.batches : traced.cases) + i;
    if (one->calls == 0)
        return false;
    *input = with_calls(traced.make(one, i + 1), one->calls, one->devices);
    input->misalignment = one->misalignment;
    input->drawn[0] = '\0';
    return true;
}

/* Where SIZE and TEXT_SEED draw it the command says so. */
static struct input make_tale(size_t length, uint64_t seed)
{
    const struct traced_case one = {.kind = traced.tale, .length = length};
    struct input made = traced.make(&one, seed);
    if (traced.usual > 0)
        snprintf(made.drawn, sizeof made.drawn, "SIZE=%zu TEXT_SEED=%llu", length,
                 (unsigned long long)seed);
    return with_calls(made, 1, 0);
}

bool traced_tale(size_t i, struct input *input)
{
    enum { TALES = 3 };
    const size_t doubled = i < TALES ? traced.usual / 2 << i : 0;
    const size_t length = traced.tales[0] > 0 ? traced.tales[i] : doubled;
    if (length > 0)
        *input = make_tale(length, 1);
    return length > 0;
}

struct input traced_read(const char *file)
{
    if (traced.usual == 0)
        return with_calls(traced.read(file), 1, 0);
    const struct drawn drawn = drawn_read(file);
    return make_tale(*chosen("SIZE") ? drawn.length : traced.usual, drawn.seed);
}

void traced_simplify_floats(struct input *input, size_t from, size_t count, unsigned int way)
{
    const size_t words = unit_bytes(input) / sizeof(float);
    for (size_t i = words * from; i < words * (from + count); i++)
        input_set_float(input, i, way == 0 ? 0 : 1);
}

void traced_shapes(struct shape *input, struct shape *output)
{
    traced.contract->shapes(operation_chosen(), input, output);
}

size_t traced_results(const struct input *input)
{
    return traced.results ? traced.results(input) : input->num_bins;
}

void traced_settings(char *text, size_t size)
{
    text[0] = '\0';
    if (traced.settings)
        traced.settings(text, size);
    else if (traced.contract->has_operation)
        snprintf(text, size, "OPERATION=%s", operation_name(operation_chosen()));
}

void traced_place(const struct input *input, struct traced_memory *memory)
{
    struct placed placed = place(input);
    unsigned char *space = target_allocate(placed.job.input_bytes);
    memory->units = space + placed.job.before_units;
    memory->outputs = target_allocate(place_output_bytes(&placed));
    target_write(space, placed.units, placed.job.input_bytes);
    if (input->bins)
        target_write(memory->outputs, input->bins, place_output_bytes(&placed));
    else
        target_fill(memory->outputs, 0, place_output_bytes(&placed));
    place_free(&placed);
}

const char *traced_call(const struct input *input, const struct traced_memory *memory)
{
    struct call call = call_on(input);
    if (traced_in_plain_c()) {
        call_by_one_lane(memory->units, input->length, memory->outputs);
        return NULL;
    }
    call.elements = (uintptr_t)memory->units;
    call.bins = (uintptr_t)memory->outputs;
    call_make(&call);
    return NULL;
}

static size_t bytes_of_output(void)
{
    struct shape input, output;
    traced_shapes(&input, &output);
    return output.bytes;
}

static bool sets_outputs(void)
{
    return traced.sets ? traced.sets() : traced.contract->sets;
}

struct oracle *traced_expect(const struct input *input)
{
    struct shape unit, output;
    traced_shapes(&unit, &output);
    const unsigned int calls = sets_outputs() ? 1 : input->calls;
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
    struct oracle *oracle = traced.contract->oracle(&all);
    free(again);
    free(zeros);
    return oracle;
}

void traced_say(const struct oracle *expected, size_t output, const unsigned char *held,
                char *should, char *holds, size_t size)
{
    traced.contract->say(expected, output, held + output * bytes_of_output(), should, holds, size);
}

/* "33 characters, on 3 devices" */
static void name_input(const struct input *input, char *name, size_t size)
{
    const int used = snprintf(name, size, "%zu %s%s", input->length, traced.contract->words.unit,
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
             d->input->name, sets_outputs() ? "" : " that combine with what the outputs hold",
             "output", d->first, should, holds);
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
        is_wrong[output] = !traced.contract->may_hold(expected, output, held + output * bytes);
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
