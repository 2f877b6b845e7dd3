/* call_arrays.c - what all inputs have in common: see call_arrays.h. */
#include "call_arrays.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"

struct input input_for(const struct contract *contract)
{
    return (struct input){.contract = contract, .operation = operation_chosen()};
}

size_t unit_bytes(const struct input *input)
{
    struct shape unit, output;
    input->contract->shapes(input->operation, &unit, &output);
    return unit.bytes;
}

size_t output_bytes(const struct input *input)
{
    struct shape unit, output;
    input->contract->shapes(input->operation, &unit, &output);
    return output.bytes;
}

struct call call_of(const struct contract *contract, enum operation operation, size_t length,
                    size_t num_bins, size_t batch)
{
    struct shape unit, output;
    contract->shapes(operation, &unit, &output);
    return (struct call){.operation = operation,
                         .length = length,
                         .unit_bytes = unit.bytes,
                         .num_bins = num_bins,
                         .bin_bytes = output.bytes,
                         .batch = batch};
}

struct call call_on(const struct input *input)
{
    struct call call =
        call_of(input->contract, input->operation, input->length, input->num_bins, input->batch);
    memcpy(call.more, input->more, sizeof call.more);
    return call;
}

void input_free(struct input *input)
{
    free(input->elements);
    free(input->bins);
    *input = (struct input){.length = 0};
}

void input_say_more(struct input *input, const char *format, ...)
{
    const size_t used = strlen(input->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(input->name + used, sizeof input->name - used, format, arguments);
    va_end(arguments);
}

uint32_t input_word(const struct input *input, size_t i)
{
    return word_at(input->elements, i);
}

float input_float(const struct input *input, size_t i)
{
    return float_of_bits(input_word(input, i));
}

void input_set_word(struct input *input, size_t i, uint32_t bits)
{
    memcpy(input->elements + i * sizeof bits, &bits, sizeof bits);
}

void input_set_float(struct input *input, size_t i, float value)
{
    input_set_word(input, i, bits_of_float(value));
}
