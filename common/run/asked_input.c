/* asked_input.c - reads INPUT, TEXT, TEXT_SEED and SIZE: see asked_input.h. */
#include "asked_input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Reads the digits at the beginning. Returns what comes behind them; NULL without a digit, or when
 * the number is larger than fits. */
static const char *read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && errno == 0 ? end : NULL;
}

uint64_t asked_seed(void)
{
    const char *seed = setting("TEXT_SEED");
    uint64_t number = 1;
    const char *end = seed ? read_number(seed, &number) : "";
    if (!end || *end)
        refuse("TEXT_SEED=%s is not a whole number", seed);
    return number;
}

size_t asked_length(const char *units, size_t usual)
{
    const char *size = setting("SIZE");
    uint64_t number;
    unsigned int shift = 0;
    if (!size)
        return usual;
    const char *end = read_number(size, &number);
    if (end && *end)
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 64;
    if (!end || shift == 64 || (*end && end[1]) || number < 1 || number > UINT32_MAX >> shift)
        refuse("SIZE=%s is not a length: write a number of %s from 1 to 4294967295, or with "
               "K, M or G, such as 64K or 16M",
               size, units);
    return (size_t)number << shift;
}

void refuse_texts(const char *does, const char *instead)
{
    static const char *const of_texts[] = {"INPUT", "TEXT"};
    for (size_t i = 0; i < sizeof of_texts / sizeof *of_texts; i++)
        if (setting(of_texts[i]))
            refuse("%s=%s: this chapter %s, and no text: %s", of_texts[i], setting(of_texts[i]),
                   does, instead);
}
