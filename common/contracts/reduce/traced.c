/* traced.c - what make trace asks of reduce(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must_have.h"
#include "util.h"
#include "values.h"

enum { ANYTHING = 0xa5, MOST_BYTES = 16 };

static const struct value_case {
    enum values kind;
    size_t length, misalignment;
    unsigned int calls;
} cases[] = {
    {VALUES_SMALL, 0, 0, 1},       {VALUES_SMALL, 1, 0, 1},     {VALUES_SMALL, 2, 0, 1},
    {VALUES_SMALL, 31, 0, 1},      {VALUES_SMALL, 32, 0, 1},    {VALUES_SMALL, 33, 0, 1},
    {VALUES_SMALL, 33, 0, 2},      {VALUES_SMALL, 1025, 0, 2},  {VALUES_SMALL, 255, 0, 1},
    {VALUES_SMALL, 257, 0, 1},     {VALUES_SPIKE, 511, 0, 1},   {VALUES_SMALL, 999, 1, 1},
    {VALUES_SMALL, 999, 3, 1},     {VALUES_RISING, 1023, 0, 1}, {VALUES_SMALL, 1025, 0, 1},
    {VALUES_SMALL, 2049, 0, 1},    {VALUES_SMALL, 4099, 0, 1},  {VALUES_ALTERNATING, 4099, 0, 1},
    {VALUES_SMALL, 10007, 0, 2},   {VALUES_SMALL, 16381, 0, 1}, {VALUES_ANY, 16381, 1, 1},
    {VALUES_LARGEST, 40009, 0, 1}, {VALUES_SMALL, 65537, 0, 1}, {VALUES_SMALL, 300007, 0, 1},
};

static void shapes(struct shape *input, struct shape *output)
{
    const enum operation operation = operation_now();
    *input = operation == DOT
                 ? (struct shape){8, 8, 2, {{"x", FIELD_FLOAT, 0, 32}, {"y", FIELD_FLOAT, 32, 32}}}
             : operation == FLOAT_SUM ? (struct shape){4, 4, 1, {{"value", FIELD_FLOAT, 0, 32}}}
                                      : (struct shape){4, 4, 1, {{"value", FIELD_UNSIGNED, 0, 32}}};
    *output = *input;
}

static void settings(char *text, size_t size)
{
    snprintf(text, size, "OPERATION=%s", operation_name(operation_now()));
}

/* What *d_result holds before is anything. */
static struct traced_input with_anything(const struct input *input)
{
    const size_t bytes = operation_bin_bytes(operation_now());
    struct traced_input made = traced_from(input);
    made.before = must_have(malloc(bytes), "for a trace");
    memset(made.before, ANYTHING, bytes);
    return made;
}

static bool draw(size_t i, struct traced_input *input)
{
    if (i >= sizeof cases / sizeof *cases)
        return false;
    const struct input drawn = input_of(cases[i].kind, i + 1, cases[i].length);
    *input = with_anything(&drawn);
    input->misalignment = cases[i].misalignment;
    input->calls = cases[i].calls;
    return true;
}

static void draw_small(uint64_t seed, size_t length, struct traced_input *input)
{
    const struct input drawn = input_of(VALUES_SMALL, seed, length);
    *input = with_anything(&drawn);
    snprintf(input->drawn, sizeof input->drawn, "SIZE=%zu TEXT_SEED=%llu", length,
             (unsigned long long)seed);
}

static bool tale(size_t i, struct traced_input *input)
{
    static const size_t lengths[] = {640, 1280, 2400, 4200, 8300};
    if (i >= sizeof lengths / sizeof *lengths)
        return false;
    draw_small(1, lengths[i], input);
    return true;
}

/* As many as a page of every step has room for, where no SIZE was typed. */
static void read_kind(const char *file, struct traced_input *input)
{
    enum { USUAL = 1280 };
    const struct drawn drawn = drawn_values(file);
    draw_small(drawn.seed, *chosen("SIZE") ? drawn.length : USUAL, input);
}

/* 1, or what changes nothing. */
static void simplify(struct traced_input *input, size_t from, size_t count, unsigned int way)
{
    unsigned char neutral[MOST_BYTES];
    struct input all = traced_as_input(input);
    const size_t bytes = operation_bin_bytes(operation_now());
    operation_neutral(operation_now(), neutral);
    for (size_t i = from; i < from + count; i++)
        if (way == 0)
            input_set_number(&all, i, 1, 1);
        else
            memcpy(all.values + i * bytes, neutral, bytes);
}

const struct traced_contract traced = {.unit = "value",
                                       .outputs = "result",
                                       .shapes = shapes,
                                       .settings = settings,
                                       .draw = draw,
                                       .tale = tale,
                                       .read = read_kind,
                                       .simplify = simplify};
