/* inputs->c - writes down a seed and a length, and draws the input that they say: see drawn_input.h. */
#include "drawn_input.h"

#include <inttypes.h>
#include <stdio.h>

#include "asked_input.h"
#include "contract.h"
#include "run.h"
#include "util.h"

struct input drawn_with(const struct drawn_input *inputs, const struct drawn_case *drawn,
                        uint64_t seed, unsigned int asked)
{
    struct drawn_case one = *drawn;
    for (size_t i = 0; i < DRAWN_NUMBERS; i++)
        one.numbers[i] = one.numbers[i] == ASKED ? asked : one.numbers[i];
    return inputs->draw(&one, seed);
}

struct drawn_case drawn_usual(const struct drawn_input *inputs, size_t length)
{
    enum { FEW = 64 };
    struct drawn_case one = length <= FEW ? inputs->few : inputs->many;
    one.units = length;
    return one;
}

/* Before the build is locked for hours. */
static void refuse_hours(const struct drawn_input *inputs, size_t length)
{
#ifdef SIMULATED_GPU
    if (inputs->most_simulated > 0 && length > inputs->most_simulated)
        fail(1,
             "SIZE=%s: at most %zu %s on the simulated GPU, which would take hours for more; a "
             "real one takes them (gpu run)",
             chosen("SIZE"), inputs->most_simulated, inputs->units);
#else
    (void)inputs, (void)length;
#endif
}

int input_write(const struct contract *contract, const char *file, char *const *default_files,
                size_t count)
{
    const struct drawn_input *inputs = contract->inputs;
    if (inputs->write)
        return inputs->write(contract, file, default_files, count);
    struct drawn drawn = {.seed = asked_seed(),
                          .length = asked_length(inputs->units, inputs->usual)};
    if (inputs->most > 0 && drawn.length > inputs->most)
        fail(1, "SIZE=%s: %s", chosen("SIZE"), inputs->why_no_more);
    refuse_hours(inputs, drawn.length);
    refuse_texts(inputs->does, format("its %s are drawn by TEXT_SEED and SIZE", inputs->units));
    snprintf(drawn.kind, sizeof drawn.kind, "%s", inputs->kind);
    return drawn_write(&drawn, file);
}

struct input input_read(const struct contract *contract, const char *file, char *called,
                        size_t size)
{
    const struct drawn_input *inputs = contract->inputs;
    if (inputs->read)
        return inputs->read(contract, file, called, size);
    const struct drawn drawn = drawn_read(file);
    if (strcmp(drawn.kind, inputs->kind) != 0)
        fail(1, "%s: does not say which %s; it is written by the program input", file,
             inputs->units);
    const struct drawn_case one = drawn_usual(inputs, drawn.length);
    const int used = snprintf(called, size, "%s of seed %" PRIu64, inputs->called, drawn.seed);
    if (inputs->shape)
        snprintf(called + used, size - (size_t)used, inputs->shape, (unsigned int)one.units,
                 one.numbers[0], one.numbers[1]);
    return inputs->draw(&one, drawn.seed);
}
