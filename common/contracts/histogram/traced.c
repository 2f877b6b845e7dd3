/* traced.c - what make trace asks of the contract histogram: see traced_contract.h. */
#include "traced_contract.h"

#include "text_traced.h"

static const struct traced_case cases[] = {
    {TEXT_UNIFORM, 0, 0, 0, 0, 1, 1},       {TEXT_UNIFORM, 0, 1, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 2, 0, 0, 1, 1},       {TEXT_UNIFORM, 0, 31, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 32, 0, 0, 1, 1},      {TEXT_UNIFORM, 0, 33, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 33, 0, 0, 2, 1},      {TEXT_UNIFORM, 0, 255, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 257, 0, 0, 1, 1},     {TEXT_ENGLISH, 0, 600, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 999, 0, 1, 1, 1},     {TEXT_UNIFORM, 0, 999, 0, 3, 1, 1},
    {TEXT_UNIFORM, 0, 999, 0, 8, 1, 1},     {TEXT_UNIFORM, 0, 999, 0, 15, 1, 1},
    {CONTENT_HIGH, 0, 4099, 0, 0, 1, 1},    {CONTENT_ALL_VALUES, 0, 4099, 0, 0, 1, 1},
    {CONTENT_BRACES, 0, 4099, 0, 0, 1, 1},  {CONTENT_LAST_LETTER, 0, 4099, 0, 0, 1, 1},
    {CONTENT_IN_TURN, 0, 4099, 0, 0, 1, 1}, {TEXT_UNIFORM, 0, 4095, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 4097, 0, 0, 1, 1},    {TEXT_RUNS, 0, 10007, 0, 0, 1, 1},
    {TEXT_ENGLISH, 0, 10007, 0, 0, 1, 1},   {TEXT_UNIFORM, 0, 16381, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 16383, 0, 7, 1, 1},   {TEXT_SINGLE, 0, 40009, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 40009, 0, 0, 1, 1},   {TEXT_UNIFORM, 0, 65537, 0, 0, 1, 1},
    {TEXT_ENGLISH, 0, 300007, 0, 0, 1, 1},  {0},
};

extern const struct contract histogram_contract;
const struct traced_contract traced = {.contract = &histogram_contract,
                                       .outputs = "bins",
                                       .settings = text_settings,
                                       .name_output = text_name_bin,
                                       .cases = cases,
                                       .tale = CONTENT_TALE,
                                       .tales = {640, 1280, 2400, 4200, 8300},
                                       .make = text_made,
                                       .read = text_asked,
                                       .simplify = text_simplify};
