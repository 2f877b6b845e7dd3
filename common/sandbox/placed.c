/* placed.c - an input in the memory of the target, and what a call leaves in its output. */
#include "placed.h"

#include <stdlib.h>

#include "must_have.h"
#include "random_numbers.h"
#include "sim.h"
#include "target.h"

/* What stands before the first unit would be seen in the output. */
static void place_guards(const struct placed *placed, const struct input *input)
{
    enum { MOST = 64 };
    unsigned char units[MOST * BIN_BYTES];
    struct input before = {.elements = units, .length = input->misalignment};
    const size_t bytes = before.length * placed->call.unit_bytes;
    for (size_t word = 0; !layout.set_guard && word < bytes / sizeof(float); word++)
        input_set_float(&before, word, layout.guard);
    for (size_t i = 0; layout.set_guard && i < before.length; i++)
        layout.set_guard(&before, i);
    target_write(placed->space, units, bytes);
}

size_t place_output_bytes(const struct placed *placed)
{
    return placed->call.num_bins * placed->call.bin_bytes;
}

struct placed place(const struct input *input)
{
    struct placed placed = {.input = input, .call = call_on(input)};
    const uint64_t unit = placed.call.unit_bytes;
    placed.space = target_allocate((input->misalignment + input->length) * unit);
    unsigned char *units = placed.space + input->misalignment * unit;
    placed.call.elements = (uintptr_t)units;
    placed.call.bins = (uintptr_t)target_allocate(place_output_bytes(&placed));
    if (layout.sets)
        placed.before = must_have(malloc(place_output_bytes(&placed) + 1), "for an output");
    place_guards(&placed, input);
    target_write(units, input->elements, input->length * unit);
    return placed;
}

const unsigned char *place_before(const struct placed *placed)
{
    return layout.sets ? placed->before : placed->input->bins;
}

void place_output_again(const struct placed *placed)
{
    target_write((void *)(uintptr_t)placed->call.bins, place_before(placed),
                 place_output_bytes(placed));
}

static void draw_large_floats(unsigned char *output)
{
    static uint64_t state;
    const size_t bytes = operation_bin_bytes(operation_chosen());
    for (size_t at = 0; at < bytes; at += sizeof(float)) {
        const float drawn = 1048576.5f + (float)random_below(&state, 1 << 12);
        memcpy(output + at, &drawn, sizeof drawn);
    }
}

void place_output(struct placed *placed)
{
    for (uint64_t i = 0; layout.sets && i < placed->call.num_bins; i++)
        (layout.draw_before ? layout.draw_before
                            : draw_large_floats)(placed->before + i * placed->call.bin_bytes);
    place_output_again(placed);
}

unsigned char *place_read(const struct placed *placed)
{
    const size_t bytes = place_output_bytes(placed);
    unsigned char *held = must_have(malloc(bytes + 1), "for an output");
    target_read(held, (const void *)(uintptr_t)placed->call.bins, bytes);
    return held;
}

void place_free(struct placed *placed)
{
    target_free(placed->space);
    target_free((void *)(uintptr_t)placed->call.bins);
    free(placed->before);
}

/* Every pass reads the input, and every block sets up and commits its bins; and where all want one
 * lock, or compare and swap one word, all but one of them try in vain, at each turn. */
static uint64_t usual_limit(const struct call *call)
{
    enum { USUAL = 64, A_BIN = 1024, IN_VAIN = 2048, AT_LEAST = 8 * 1000 * 1000 };
    enum { MOST_OF_BINS = 160 * 1000 * 1000, MOST_WAITERS = 4096 };
    const uint64_t bins = A_BIN * call->num_bins;
    const uint64_t waiters = call->length < MOST_WAITERS ? call->length : MOST_WAITERS;
    const uint64_t of_a_unit = layout.accesses > 0 ? layout.accesses : USUAL;
    return AT_LEAST + of_a_unit * call->length + IN_VAIN * waiters +
           (bins < MOST_OF_BINS ? bins : MOST_OF_BINS);
}

void place_limit_accesses(const struct call *call)
{
    if (!getenv("SIM_BUDGET"))
        sim_set_budget_for((layout.limit ? layout.limit : usual_limit)(call), call->length,
                           layout.unit);
}

bool place_and_measure(const struct input *input, struct measurement *seen)
{
    char error[256];
    struct placed placed = place(input);
    place_output(&placed);
    place_limit_accesses(&placed.call);
    const bool ran = measure_run(&placed.call, seen, error, sizeof error);
    place_free(&placed);
    return ran;
}
