/* traced.c - what make trace asks of the contract histogram: see traced_contract.h. */
#include "traced_contract.h"

#include "text_traced.h"

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
    if (i >= sizeof lengths / sizeof *lengths)
        return false;
    text_tale(lengths[i], 1, input);
    return true;
}

static void read_text(const char *file, struct traced_input *input)
{
    text_asked(file, 1, input);
}

const struct traced_contract traced = {.unit = "character",
                                       .outputs = "bins",
                                       .counts_text = true,
                                       .shapes = shapes,
                                       .settings = text_settings,
                                       .name_output = text_name_bin,
                                       .draw = draw,
                                       .tale = tale,
                                       .read = read_text,
                                       .simplify = text_simplify};
