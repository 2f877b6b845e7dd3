/* result.c - what the result should be: computed one value after the other. */
#include "result.h"

#include <stdio.h>

#include "grouped.h"

double result_number(enum operation operation, const unsigned char *held)
{
    if (operation == FLOAT_SUM)
        return float_at(held, 0);
    if (operation == DOT) /* two floats' product is a double, exactly */
        return float_at(held, 0) * float_at(held, 1);
    return word_at(held, 0);
}

static void add_integer_values(struct oracle *oracle, uint32_t number, uint64_t times)
{
    oracle->sum += number * times;
    if (oracle->operation == SUM)
        oracle->number += (uint32_t)(number * times);
    else if (number > oracle->number)
        oracle->number = number;
}

bool result_is_float(enum operation operation)
{
    return operation == FLOAT_SUM || operation == DOT;
}

struct oracle result_if(const struct input *input, const struct hypothesis *hypothesis)
{
    struct oracle oracle = {.operation = input->operation};
    const size_t bytes = operation_bin_bytes(oracle.operation);
    const uint64_t times = hypothesis->times > 0 ? hypothesis->times : 1;
    for (size_t i = 0; i < input->length; i++) {
        const unsigned char *value = input->values + i * bytes;
        if (!is_read(hypothesis, i))
            continue;
        oracle.length += times;
        if (result_is_float(oracle.operation))
            float_sum_add(&oracle.floats, (double)times * result_number(oracle.operation, value));
        else
            add_integer_values(&oracle, word_at(value, 0), times);
    }
    return oracle;
}

struct oracle result_of(const struct input *input)
{
    return result_if(input, &(struct hypothesis){.rule = 0});
}

double result_bound(const struct oracle *oracle, double depth)
{
    const double length = (double)oracle->length, most = length - 1;
    const double roundings = (depth < most ? depth : most) + (oracle->operation == DOT);
    return float_sum_bound(&oracle->floats, roundings, length);
}

bool result_agrees(const struct oracle *oracle, const unsigned char *held, double bound)
{
    if (!result_is_float(oracle->operation))
        return word_at(held, 0) == oracle->number;
    return float_sum_agrees(&oracle->floats, result_number(oracle->operation, held), bound);
}

void result_say_expected(const struct oracle *oracle, char *text, size_t size)
{
    if (!result_is_float(oracle->operation))
        snprintf(text, size, "%s", grouped(oracle->number));
    else if (!float_sum_say_special(&oracle->floats, text, size))
        snprintf(text, size, "%.9g", oracle->floats.sum);
}

void result_say_held(const struct oracle *oracle, const unsigned char *held, char *text,
                     size_t size)
{
    if (oracle->operation == DOT)
        snprintf(text, size, "(%.9g, %.9g)", float_at(held, 0), float_at(held, 1));
    else if (oracle->operation == FLOAT_SUM)
        snprintf(text, size, "%.9g", float_at(held, 0));
    else
        snprintf(text, size, "%s", grouped(word_at(held, 0)));
}
