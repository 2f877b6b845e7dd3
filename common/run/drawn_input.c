/* drawn_input.c - writes down a seed and a length, and draws the input that they say: see drawn_input.h. */
#include "drawn_input.h"

#include <inttypes.h>
#include <stdio.h>

#include "asked_input.h"
#include "run.h"
#include "traced_contract.h"
#include "util.h"

struct input drawn_with(const struct drawn_case *drawn, uint64_t seed, unsigned int asked)
{
    struct drawn_case one = *drawn;
    for (size_t i = 0; i < DRAWN_NUMBERS; i++)
        one.numbers[i] = one.numbers[i] == ASKED ? asked : one.numbers[i];
    return drawn_input.draw(&one, seed);
}

/* What is run, of so many units. */
static struct drawn_case usual(size_t length)
{
    enum { FEW = 64 };
    struct drawn_case one = length <= FEW ? drawn_input.few : drawn_input.many;
    one.units = length;
    return one;
}

/* Without bins it is what a run would draw. */
struct input drawn_traced(const struct traced_case *one, uint64_t seed)
{
    struct drawn_case drawn = usual(one->length);
    if (one->num_bins > 0) {
        drawn = drawn_input.traced;
        drawn.kind = one->kind;
        drawn.units = one->length;
    }
    return drawn_with(&drawn, seed, (unsigned int)one->num_bins);
}

/* Before the build is locked for hours. */
static void refuse_hours(size_t length)
{
#ifdef SIMULATED_GPU
    if (drawn_input.most_simulated > 0 && length > drawn_input.most_simulated)
        fail(1,
             "SIZE=%s: at most %zu %s on the simulated GPU, which would take hours for more; a "
             "real one takes them (gpu run)",
             chosen("SIZE"), drawn_input.most_simulated, drawn_input.units);
#else
    (void)length;
#endif
}

int input_write(const char *file, char *const *default_files, size_t count)
{
    struct drawn drawn = {.seed = asked_seed(),
                          .length = asked_length(drawn_input.units, drawn_input.usual)};
    (void)default_files, (void)count;
    if (drawn_input.most > 0 && drawn.length > drawn_input.most)
        fail(1, "SIZE=%s: %s", chosen("SIZE"), drawn_input.why_no_more);
    refuse_hours(drawn.length);
    refuse_texts(drawn_input.does,
                 format("its %s are drawn by TEXT_SEED and SIZE", drawn_input.units));
    snprintf(drawn.kind, sizeof drawn.kind, "%s", drawn_input.kind);
    return drawn_write(&drawn, file);
}

struct input input_read(const char *file, char *called, size_t size)
{
    const struct drawn drawn = drawn_read(file);
    if (strcmp(drawn.kind, drawn_input.kind) != 0)
        fail(1, "%s: does not say which %s; it is written by the program input", file,
             drawn_input.units);
    const struct drawn_case one = usual(drawn.length);
    const int used = snprintf(called, size, "%s of seed %" PRIu64, drawn_input.called, drawn.seed);
    if (drawn_input.shape)
        snprintf(called + used, size - (size_t)used, drawn_input.shape, (unsigned int)one.units,
                 one.numbers[0], one.numbers[1]);
    return drawn_input.draw(&one, drawn.seed);
}
