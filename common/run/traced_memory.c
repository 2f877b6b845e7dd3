/* traced_memory.c - a traced input where a kernel works on it: as the judge has it. */
#include <stdio.h>

#include "measure.h"
#include "placed.h"
#include "target.h"
#include "traced_contract.h"

struct traced_input traced_from(const struct input *input)
{
    struct traced_input made = {.units = input->elements,
                                .length = input->length,
                                .before = input->bins,
                                .outputs = input->num_bins,
                                .batch = input->batch,
                                .misalignment = input->misalignment,
                                .calls = 1,
                                .devices = 1};
    snprintf(made.name, sizeof made.name, "%s", input->name);
    return made;
}

struct input traced_as_input(const struct traced_input *input)
{
    struct input made = {.length = input->length,
                         .num_bins = input->outputs,
                         .batch = input->batch,
                         .elements = input->units,
                         .bins = input->before,
                         .misalignment = input->misalignment};
    snprintf(made.name, sizeof made.name, "%s", input->name);
    return made;
}

void traced_place(const struct traced_input *input, struct traced_memory *memory)
{
    const struct input all = traced_as_input(input);
    const struct placed placed = place(&all);
    memory->units = (void *)(uintptr_t)placed.call.elements;
    memory->outputs = (void *)(uintptr_t)placed.call.bins;
    if (input->before)
        target_write(memory->outputs, input->before, place_output_bytes(&placed));
    else
        target_fill(memory->outputs, 0, place_output_bytes(&placed));
}

const char *traced_call(const struct traced_input *input, const struct traced_memory *memory)
{
    struct call call = call_of(input->length, input->outputs, input->batch);
    call.elements = (uintptr_t)memory->units;
    call.bins = (uintptr_t)memory->outputs;
    call_make(&call);
    return NULL;
}
