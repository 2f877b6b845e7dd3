/* many_cases.c - a list of cases with their texts, which are asked together. */
#include "many_cases.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "grouped.h"

struct many_case *inputs_add(struct inputs *inputs, const char *what, struct text text,
                             unsigned int units)
{
    const size_t at = inputs->count++;
    cr_assert(at < MOST_INPUTS, "more than %d inputs", MOST_INPUTS);
    while (!inputs_has_units(units))
        units--;
    snprintf(inputs->name[at], INPUT_NAME, "%s", what);
    inputs->text[at] = text;
    inputs->input[at] = (struct many_case){.what = inputs->name[at],
                                           .text = text.bytes,
                                           .length = text.length,
                                           .units = units,
                                           .seed = at + 1};
    return &inputs->input[at];
}

struct many_case *inputs_add_uniform(struct inputs *inputs, size_t length, unsigned int units)
{
    char what[INPUT_NAME];
    snprintf(what, sizeof what, "%s character%s", grouped(length), length == 1 ? "" : "s");
    return inputs_add(inputs, what, text_of(TEXT_UNIFORM, length + units, length), units);
}

struct many_case *inputs_add_reserved(struct inputs *inputs, size_t length, unsigned int units)
{
    char what[INPUT_NAME];
    snprintf(what, sizeof what, "%s characters", grouped(length));
    return inputs_add(inputs, what, (struct text){.length = length}, units);
}

void inputs_run(struct inputs *inputs, many_judge *judge, void *context)
{
    many_run_all(inputs->input, inputs->count, judge, context);
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->text[i].bytes)
            text_free(&inputs->text[i]);
    inputs->count = 0;
}

bool inputs_has_units(unsigned int units)
{
    return units <= 1 || !many_reads_files || units == 2 || units == 3 || units == 8;
}
