/* timed_text.c - generates the texts that are timed. */
#include "timed_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"

/* A longer text repeats this much of it: a gigabyte in seconds, and the caches of a GPU
 * hold less. */
static const size_t longest_generated = (size_t)64 << 20;

static size_t generated(size_t length)
{
    return length < longest_generated ? length : longest_generated;
}

static int distinct_bytes(void)
{
    return letters_alone() ? 26 : 256;
}

static int first_byte(void)
{
    return letters_alone() ? 'a' : 0;
}

static struct text sorted(size_t length)
{
    struct text text = text_of(TEXT_SINGLE, 1, length);
    size_t values = (size_t)distinct_bytes(), begin = 0;
    for (size_t kind = 0; kind < values; kind++) {
        size_t end = ((kind + 1) * length + values - 1) / values;
        memset(text.bytes + begin, first_byte() + (int)kind, end - begin);
        begin = end;
    }
    return text;
}

static struct text smooth(size_t length)
{
    struct text text = text_of(TEXT_UNIFORM, 7, length);
    int value = distinct_bytes() / 2;
    for (size_t i = 0; i < length; i++) {
        value += text.bytes[i] % 3 - 1;
        value = value < 0 ? 1 : value >= distinct_bytes() ? distinct_bytes() - 2 : value;
        text.bytes[i] = (unsigned char)(first_byte() + value);
    }
    return text;
}

static struct text read_or_end(char *file, size_t length)
{
    char error[512];
    struct text text = text_read(&file, 1, length, error, sizeof error);
    if (!text.bytes) {
        fprintf(stderr, "gpu: %s\n", error);
        exit(1);
    }
    if (length > 0)
        text_resize(&text, length);
    return text;
}

struct text timed_text(char *name, size_t length)
{
    enum text_kind kind = text_kind_named(name);
    struct text text;
    if (kind != TEXT_KINDS)
        text = text_of(kind, 1, generated(length));
    else if (strcmp(name, "sorted") == 0)
        text = sorted(length);
    else if (strcmp(name, "smooth") == 0)
        text = smooth(generated(length));
    else if (strcmp(name, "bytes") == 0)
        text = text_of_values(0, 256, 1, generated(length));
    else if (strcmp(name, "lower") == 0)
        text = text_of_values('a', 26, 1, generated(length));
    else
        return read_or_end(name, length);
    snprintf(text.name, sizeof text.name, "%s", name);
    if (text.length < length)
        text_resize(&text, length);
    return text;
}
