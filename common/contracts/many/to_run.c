/* to_run.c - on which texts the chapters of histogram_many() and histogram_file() are run and traced: see to_run.h.
 *
 * Of ranks one is traced, a job of its own: what MPI starts as several processes cannot be followed step by step from
 * here. */
#include <stdlib.h>

#include "many_run.h"
#include "text_input.h"

/* A program has one of the two functions: kernel.c calls it. */
void histogram_many(void);
#pragma weak histogram_many

static const struct traced_case cases[] = {
    TRACED(TEXT_UNIFORM, 0, .devices = 2),
    TRACED(TEXT_UNIFORM, 1, .devices = 1),
    TRACED(TEXT_UNIFORM, 1, .devices = 2),
    TRACED(TEXT_UNIFORM, 2, .devices = 2),
    TRACED(TEXT_UNIFORM, 3, .devices = 2),
    TRACED(TEXT_UNIFORM, 7, .devices = 3),
    TRACED(TEXT_UNIFORM, 33, .devices = 2),
    TRACED(TEXT_UNIFORM, 33, .calls = 2, .devices = 2),
    TRACED(TEXT_UNIFORM, 257, .misalignment = 1, .devices = 3),
    TRACED(TEXT_UNIFORM, 999, .misalignment = 3, .devices = 4),
    TRACED(CONTENT_ALL_VALUES, 4099, .devices = 2),
    TRACED(TEXT_ENGLISH, 4099, .devices = 8),
    TRACED(TEXT_RUNS, 10007, .calls = 2, .devices = 3),
    TRACED(TEXT_UNIFORM, 40009, .devices = 2),
    TRACED(TEXT_UNIFORM, 131071, .devices = 2),
    TRACED(TEXT_UNIFORM, 300007, .devices = 1),
    TRACED(TEXT_SINGLE, 600011, .devices = 2),
    NO_MORE_TRACED,
};

/* Gives an input as many devices as are asked for, or two: several, and few enough for a page. */
static void set_devices(struct input *input)
{
    const char *asked = getenv("SIM_DEVICES");
    const int typed = asked && *asked ? atoi(asked) : 2;
    input->devices = typed < 1 ? 1 : (unsigned int)typed;
}

/* histogram_file() sets the bins, whatever they held, on the one device of its rank. */
static struct input for_the_function(struct input input)
{
    if (histogram_many) {
        set_devices(&input);
    } else {
        free(input.bins);
        input.bins = NULL;
    }
    return input;
}

static struct input draw_text(const struct drawn_case *drawn, uint64_t unused)
{
    (void)unused;
    return for_the_function(text_drawn(&many_contract, drawn));
}

static struct input read_text(const char *file, size_t unused, char *called, size_t size)
{
    return for_the_function(text_read_asked(file, unused, called, size));
}

#define OF_TEXTS                                                                                   \
    .contract = &many_contract, .draw = draw_text, .write = text_write_asked, .read = read_text,   \
    .few = {.kind = CONTENT_TALE}, .tales = {640, 1280, 2400, 4200, 8300}, .cases = cases,         \
    .simplify = text_simplify, .name_output = text_name_bin

static const struct to_run devices_to_run = {OF_TEXTS},
                           ranks_to_run = {OF_TEXTS, .function = "histogram_file()"};

const struct to_run *kernel_to_run(void)
{
    return histogram_many ? &devices_to_run : &ranks_to_run;
}
