/* asked_input.c - reads INPUT, TEXT, TEXT_SEED and SIZE: see asked_input.h. */
#include "asked_input.h"

#include <inttypes.h>
#include <stdio.h>

#include "util.h"

uint64_t asked_seed(void)
{
    const char *seed = chosen("TEXT_SEED");
    uint64_t number = 1;
    if (*seed && !read_number(seed, &number))
        fail(1, "TEXT_SEED=%s is not a whole number", seed);
    return number;
}

size_t asked_length(const char *units, size_t usual)
{
    const char *size = chosen("SIZE");
    uint64_t length = usual;
    if (*size && !read_length(size, &length))
        fail(1,
             "SIZE=%s is not a length: write a number of %s from 1 to 4294967295, or with "
             "K, M or G, such as 64K or 16M",
             size, units);
    return (size_t)length;
}

void refuse_texts(const char *does, const char *instead)
{
    static const char *const text_settings[] = {"INPUT", "TEXT"};
    for (size_t i = 0; i < sizeof text_settings / sizeof *text_settings; i++)
        if (*chosen(text_settings[i]))
            fail(1, "%s=%s: this chapter %s, and no text: %s", text_settings[i],
                 chosen(text_settings[i]), does, instead);
}

int drawn_write(const struct drawn *drawn, const char *file)
{
    FILE *to = fopen(file, "w");
    if (!to)
        return -1;
    const int written =
        fprintf(to, "%s %" PRIu64 " %zu\n", drawn->kind, drawn->seed, drawn->length);
    return fclose(to) == 0 && written > 0 ? 0 : -1;
}

struct drawn drawn_read(const char *file)
{
    struct drawn drawn = {.kind = ""};
    FILE *from = fopen(file, "r");
    if (!from || fscanf(from, "%15s %" SCNu64 " %zu", drawn.kind, &drawn.seed, &drawn.length) != 3)
        drawn.kind[0] = '\0';
    if (from)
        fclose(from);
    return drawn;
}
