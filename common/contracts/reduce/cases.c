/* cases.c - the inputs that break kernels: lengths, kinds of values, alignments. */

#include "reduce/harness.h"
#include "random_numbers.h"
#include "settings.h"

enum { A_FEW_MULTIPROCESSORS = 3, MANY_MULTIPROCESSORS = 132 };

static void expect_right_values(enum values kind, size_t length)
{
    judge_and_free(input_of_values(kind, 1 + length, length), USUAL_SCHEDULES, true);
}

/* With words that tell it from others. */
static void expect_right_once_values(enum values kind, size_t length, const char *more)
{
    struct input input = input_of_values(kind, 1 + length, length);
    input_say_more(&input, "%s", more);
    judge_and_free(input, 1, true);
}

/* First inputs of ordinary size: what is wrong there is explained best. Their lengths are primes, so
 * that no block and no vector divides them; on one multiprocessor each thread has several values. The
 * last is longer than 256^2, so that two launches of such blocks leave more than one value. */
static void expect_right_on_each_values(void)
{
    set_multiprocessors(1);
    expect_right_values(VALUES_SMALL, 8191);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
    expect_right_values(VALUES_ONES, 2053);
    expect_right_once_values(VALUES_ANY, 4093, "");
    expect_right_once_values(VALUES_ALTERNATING, 2039, "");
    expect_right_once_values(VALUES_RISING, 3067, "");
    expect_right_once_values(VALUES_SPIKE, 1021, "");
    if (result_is_float(operation_chosen()))
        expect_right_once_values(VALUES_LARGEST, 66047, ""); /* so many that losing them is seen */
    else
        expect_right_once_values(VALUES_LARGEST, 16381, "");
}

enum { SHORT = 8191, MORE_THAN_8_BITS = 257 };

/* How the kernel shares a short array: where nobody knows, in a block of the largest size. */
static struct measurement shape_of_kernel(void)
{
    enum { MOST = 1024 };
    struct measurement shape = {.threads_per_block = MOST};
#ifdef SIMULATED_GPU
    struct input input = input_of_values(VALUES_SMALL, 3, SHORT);
    shape = measure_input(&input);
    input_free(&input);
#endif
    return shape;
}

/* So many that there are more blocks than a warp has lanes, or a number of 8 bits counts, if each block has as many. */
static size_t values_of_a_block(const struct measurement *shape)
{
    return SHORT / (shape->blocks > 0 ? shape->blocks : 1) + 1;
}

/* Arrays that end before the first multiple of 16 bytes, or just there. */
static void expect_right_before_a_boundary(void)
{
    for (size_t misalignment = 1; misalignment <= 3; misalignment++)
        for (size_t length = 1; length <= 4; length += misalignment) {
            struct input input = input_of_values(VALUES_SMALL, length, length);
            input.misalignment = misalignment;
            input_say_more(&input, ", %zu after a multiple of 256 bytes", misalignment);
            judge_and_free(input, 1, false);
        }
}

static void expect_right_on_all_values(size_t unused)
{
    (void)unused;
    expect_right_on_each_values();
    const struct measurement shape = shape_of_kernel();
    expect_right_around_lengths(&reduce_contract, shape.threads_per_block,
                                shape.blocks > 1 ? shape.threads : 0);
    expect_right_at_misalignments(&reduce_contract);
    expect_right_before_a_boundary();
    set_multiprocessors(MANY_MULTIPROCESSORS);
    expect_right_once_values(VALUES_SMALL, 3001, ", 132 multiprocessors");
    if (operation_turn(operation_chosen()) == 0)
        expect_right_once_values(VALUES_SMALL, MORE_THAN_8_BITS * values_of_a_block(&shape),
                                 ", 132 multiprocessors");
}

void expect_values_right_on_edge_cases(void)
{
    for_each_operation(expect_right_on_all_values, 0, 1);
}

static struct input draw_input_values(uint64_t *state, size_t unused)
{
    (void)unused;
    const enum values kind = (enum values)random_below(state, VALUES_KINDS);
    const size_t length = 1 + random_below(state, 1u << (4 + random_below(state, 10)));
    struct input input = input_of_values(kind, next_random(state), length);
    input.misalignment = random_below(state, 8);
    return input;
}

void expect_values_right_on_drawn_inputs(void)
{
    judge_drawn(draw_input_values, 0, 4);
}
