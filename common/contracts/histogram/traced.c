/* traced.c - what make trace asks of the contract histogram: see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must_have.h"
#include "text_traced.h"
#include "verify.h"

/* Of plain C one lane of the simulated GPU calls it (one_lane.cu). */
void call_by_one_lane(const unsigned char *text, size_t length, unsigned int *bins);
#pragma weak call_by_one_lane

bool traced_in_plain_c(void)
{
    return call_by_one_lane != NULL;
}

static const char *function(void)
{
    return "histogram()";
}

static const struct text_case cases[] = {
    {TEXT_UNIFORM, 0, 0, 1, 1},       {TEXT_UNIFORM, 1, 0, 1, 1},
    {TEXT_UNIFORM, 2, 0, 1, 1},       {TEXT_UNIFORM, 31, 0, 1, 1},
    {TEXT_UNIFORM, 32, 0, 1, 1},      {TEXT_UNIFORM, 33, 0, 1, 1},
    {TEXT_UNIFORM, 33, 0, 2, 1},      {TEXT_UNIFORM, 255, 0, 1, 1},
    {TEXT_UNIFORM, 257, 0, 1, 1},     {TEXT_ENGLISH, 600, 0, 1, 1},
    {TEXT_UNIFORM, 999, 1, 1, 1},     {TEXT_UNIFORM, 999, 3, 1, 1},
    {TEXT_UNIFORM, 999, 8, 1, 1},     {TEXT_UNIFORM, 999, 15, 1, 1},
    {CONTENT_HIGH, 4099, 0, 1, 1},    {CONTENT_ALL_VALUES, 4099, 0, 1, 1},
    {CONTENT_BRACES, 4099, 0, 1, 1},  {CONTENT_LAST_LETTER, 4099, 0, 1, 1},
    {CONTENT_IN_TURN, 4099, 0, 1, 1}, {TEXT_UNIFORM, 4095, 0, 1, 1},
    {TEXT_UNIFORM, 4097, 0, 1, 1},    {TEXT_RUNS, 10007, 0, 1, 1},
    {TEXT_ENGLISH, 10007, 0, 1, 1},   {TEXT_UNIFORM, 16381, 0, 1, 1},
    {TEXT_UNIFORM, 16383, 7, 1, 1},   {TEXT_SINGLE, 40009, 0, 1, 1},
    {TEXT_UNIFORM, 40009, 0, 1, 1},   {TEXT_UNIFORM, 65537, 0, 1, 1},
    {TEXT_ENGLISH, 300007, 0, 1, 1},
};

static void shapes(struct shape *input, struct shape *output)
{
    *input = text_shape;
    *output = (struct shape){4, 4, 1, {{"count", FIELD_UNSIGNED, 0, 32}}};
}

static bool draw(size_t i, struct traced_input *input)
{
    return i < sizeof cases / sizeof *cases && text_drawn(&cases[i], input);
}

static bool tale(size_t i, struct traced_input *input)
{
    static const size_t lengths[] = {640, 1280, 2400, 4200, 8300};
    return i < sizeof lengths / sizeof *lengths && text_tale(lengths[i], 1, input);
}

static void read_text(const char *file, struct traced_input *input)
{
    text_asked(file, 1, input);
}

static const char *call(const struct traced_input *input, const struct traced_memory *memory)
{
    if (!traced_in_plain_c())
        return traced_call(input, memory);
    call_by_one_lane(memory->units, input->length, memory->outputs);
    return NULL;
}

static void *expect(const struct traced_input *input)
{
    unsigned int *bins = must_have(malloc(num_bins() * sizeof *bins), "for a trace");
    verify_count(input->units, input->length, bins);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] *= input->calls;
    return bins;
}

static size_t wrong(void *expected, const struct traced_input *input, const unsigned char *held,
                    bool *is_wrong, char *words, size_t size)
{
    unsigned int counted[MOST_BINS];
    const unsigned int *should = expected;
    size_t count = 0;
    char name[64];
    memcpy(counted, held, num_bins() * sizeof *counted);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        count += is_wrong[bin] = counted[bin] != should[bin];
    if (count == 0)
        return 0;
    snprintf(name, sizeof name, "the text of %zu character%s", input->length,
             input->length == 1 ? "" : "s");
    const struct verify_result result = {
        .input = name, .text = input->units, .length = input->length, .counted = counted};
    if (input->calls > 1 || verify_is_right(&result, words, size))
        snprintf(words, size,
                 "wrong after two calls on one text: histogram() must add to the bins, not set "
                 "them");
    return count;
}

static void say(void *expected, size_t output, const unsigned char *held, char *should, char *holds,
                size_t size)
{
    unsigned int counted;
    memcpy(&counted, held + output * sizeof counted, sizeof counted);
    snprintf(should, size, "%u", ((const unsigned int *)expected)[output]);
    snprintf(holds, size, "%u", counted);
}

const struct traced_contract traced = {.unit = "character",
                                       .outputs = "bins",
                                       .function = function,
                                       .counts_text = true,
                                       .shapes = shapes,
                                       .settings = text_settings,
                                       .name_output = text_name_bin,
                                       .draw = draw,
                                       .tale = tale,
                                       .read = read_text,
                                       .simplify = text_simplify,
                                       .place = traced_place,
                                       .call = call,
                                       .expect = expect,
                                       .forget = free,
                                       .wrong = wrong,
                                       .say = say};
