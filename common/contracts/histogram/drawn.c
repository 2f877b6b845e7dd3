/* drawn.c - inputs that nobody knows before: another draw in each run. */
#include <stdio.h>

#include "harness.h"

/* The next of a row of numbers from 0 to limit - 1. */
static size_t below(uint64_t *state, size_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*state >> 33) % limit;
}

static struct text draw_text(uint64_t *state, size_t length)
{
    const size_t kind = below(state, 6);
    const uint64_t seed = 1000 + below(state, 1000000);
    if (kind == 0)
        return text_of_values((unsigned int)below(state, 200), 1 + (unsigned int)below(state, 56),
                              seed, length);
    if (kind == 1)
        return text_of_runs(1 + below(state, 100), seed, length);
    return text_of(kind < 4 ? TEXT_UNIFORM : kind == 4 ? TEXT_ENGLISH : TEXT_ZIPF, seed, length);
}

void expect_right_on_drawn_inputs(void)
{
    const size_t longest[] = {300, 300, 3000, 3000, 20000, 20000, 70000, 70000};
    uint64_t state = run_draw();
    below(&state, 2);
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
        char what[160];
        size_t length = 1 + below(&state, longest[i]), misalignment = below(&state, 16);
        struct text text = draw_text(&state, length);
        snprintf(what, sizeof what, "%s characters, %s, drawn with DRAW=%llu", grouped(length),
                 text.name, (unsigned long long)run_draw());
        expect_right_untold_at(what, text.bytes, text.length, misalignment);
        text_free(&text);
    }
}
