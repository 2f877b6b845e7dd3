/* input_to_run.c - writes down which input the environment asks for, INPUT, TEXT, TEXT_SEED and SIZE, and draws the one
 * that is written down: see to_run.h and run.h. */
#include "to_run.h"

#include <inttypes.h>
#include <stdio.h>

#include "run.h"
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

struct input drawn_with(const struct drawn_case *drawn, uint64_t seed, unsigned int asked)
{
    struct drawn_case one = *drawn;
    for (size_t i = 0; i < DRAWN_NUMBERS; i++)
        one.numbers[i] = one.numbers[i] == ASKED ? asked : one.numbers[i];
    return kernel_to_run()->draw(&one, seed);
}

struct drawn_case drawn_usual(size_t length)
{
    enum { FEW = 64 };
    const struct to_run *run = kernel_to_run();
    struct drawn_case one = length <= FEW || run->many.numbers[0] == 0 ? run->few : run->many;
    one.units = length;
    return one;
}

void simplify_floats(struct input *input, size_t from, size_t count, unsigned int way)
{
    const size_t words = unit_bytes(input) / sizeof(float);
    for (size_t i = words * from; i < words * (from + count); i++)
        input_set_float(input, i, way == 0 ? 0 : 1);
}

int input_write(const char *file, char *const *default_files, size_t count)
{
    const struct to_run *run = kernel_to_run();
    if (run->write)
        return run->write(file, default_files, count);
    struct drawn drawn = {.seed = asked_seed(), .length = asked_length(run->units, run->usual)};
    if (run->most > 0 && drawn.length > run->most) /* before the build is locked for hours */
        fail(1, "SIZE=%s: %s", chosen("SIZE"), run->why_no_more);
    refuse_texts(run->does, format("its %s are drawn by TEXT_SEED and SIZE", run->units));
    snprintf(drawn.kind, sizeof drawn.kind, "%s", run->kind);
    return drawn_write(&drawn, file);
}

struct input input_read(const char *file, size_t traced, char *called, size_t size)
{
    const struct to_run *run = kernel_to_run();
    if (run->read)
        return run->read(file, traced, called, size);
    const struct drawn drawn = drawn_read(file);
    if (strcmp(drawn.kind, run->kind) != 0)
        fail(1, "%s: does not say which %s; it is written by the program input", file, run->units);
    const struct drawn_case one =
        drawn_usual(traced > 0 && !*chosen("SIZE") ? traced : drawn.length);
    const int used = snprintf(called, size, "%s of seed %" PRIu64, run->called, drawn.seed);
    if (run->shape)
        snprintf(called + used, size - (size_t)used, run->shape, (unsigned int)one.units,
                 one.numbers[0], one.numbers[1]);
    struct input input = run->draw(&one, drawn.seed);
    snprintf(input.drawn, sizeof input.drawn, "SIZE=%zu TEXT_SEED=%" PRIu64, one.units, drawn.seed);
    return input;
}
