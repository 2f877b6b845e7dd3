/* input.c - writes down which elements all chapters reduce.
 *
 *     input OUT DEFAULT-FILE...
 *
 * KEYS, TEXT_SEED and SIZE in the environment say which: how keys crowd, the seed, the number of
 * elements; without them uniform keys, 1 and 65,536. They are made by whoever reads OUT, for an
 * operation and a number of bins: key_kinds.h. The files are for contracts that count texts. What is
 * wrong is said in one line; status 1. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_kinds.h"

enum { DEFAULT_LENGTH = 1 << 16 };

__attribute__((format(printf, 1, 2), noreturn)) static void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

/* A variable of the environment, or NULL when it is not set or empty. */
static const char *setting(const char *name)
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

static uint64_t wanted_seed(void)
{
    const char *seed = setting("TEXT_SEED");
    uint64_t number = 1;
    const char *end = seed ? read_number(seed, &number) : "";
    if (!end || *end)
        refuse("TEXT_SEED=%s is not a whole number", seed);
    return number;
}

/* A size of SIZE: "4096", "64K", "16M" or "1G". */
static size_t wanted_length(void)
{
    const char *size = setting("SIZE");
    uint64_t number = DEFAULT_LENGTH;
    const char *end = size ? read_number(size, &number) : "";
    unsigned int shift = 0;
    if (end && *end)
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 64;
    if (!end || shift == 64 || (*end && end[1]) || number < 1 || number > UINT32_MAX >> shift)
        refuse("SIZE=%s is not a length: write a number of elements from 1 to 4294967295, or with "
               "K, M or G, such as 64K or 16M",
               size);
    return (size_t)number << shift;
}

int main(int count, char **arguments)
{
    if (count < 2)
        refuse("usage: %s OUT DEFAULT-FILE...", arguments[0]);
    const char *keys = setting("KEYS");
    static const char *const of_texts[] = {"INPUT", "TEXT"};
    for (size_t i = 0; i < sizeof of_texts / sizeof *of_texts; i++)
        if (setting(of_texts[i]))
            refuse("%s=%s: this chapter reduces elements by key, and no text: choose KEYS=uniform, "
                   "single, stride63, zipf, ninety or sorted",
                   of_texts[i], setting(of_texts[i]));
    struct key_kind kind = {.keys = keys ? keys_named(keys) : KEYS_UNIFORM,
                            .seed = wanted_seed(),
                            .length = wanted_length()};
    if (kind.keys == KEYS_KINDS)
        refuse("KEYS=%s is unknown: choose uniform, single, stride63, zipf, ninety or sorted",
               keys);
    if (key_kind_write(&kind, arguments[1]) != 0)
        refuse("cannot write %s: %s", arguments[1], strerror(errno));
    return 0;
}
