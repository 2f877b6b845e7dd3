/* k_means.c - what every chapter's k_means() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract. Tests run in alphabetical order, and a student is
 * shown the first that fails: a wrong result is told before a technique that is not the chapter's. */
#include "exact_steps.h"
#include "expect_right_on.h"

#include <stdlib.h>

#include "random_numbers.h"
#include "words_in_bytes.h"

enum { A_FEW_MULTIPROCESSORS = 3, MANY_MULTIPROCESSORS = 132 };

struct sizes {
    unsigned int points, dimensions, clusters, steps, may_change;
};

static void begin(void)
{
    operation_choose(0);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

static struct input draw(unsigned int kind, uint64_t seed, struct sizes sizes)
{
    return points_drawn(
        &(struct drawn_case){
            kind, sizes.points, {sizes.dimensions, sizes.clusters, sizes.steps, sizes.may_change}},
        seed);
}

static void expect_right(unsigned int kind, struct sizes sizes)
{
    judge_and_free(draw(kind, 1 + sizes.points, sizes), 1, true);
}

/* Catches what depends on the sizes: a part that ends too early, lanes without a point, a row that is read
 * by another width, more clusters than a block has threads; and two centroids that are as near. */
Test(any_k_means, is_right_on_edge_cases)
{
    begin();
    judge_and_free(draw(POINTS_UNIFORM, 1, (struct sizes){2053, 3, 5, 1, 0}), USUAL_SCHEDULES,
                   true);
    const struct sizes sizes[] = {
        {1021, 1, 7, 1, 0},  {1021, 2, 16, 1, 0}, {509, 17, 9, 1, 0},  {67, 256, 5, 1, 0},
        {301, 3, 1, 1, 0},   {7, 3, 31, 1, 0},    {1, 1, 1, 1, 0},     {0, 3, 5, 3, 0},
        {97, 3, 0, 2, 0},    {0, 2, 0, 1, 0},     {97, 3, 5, 0, 0},    {257, 2, 2111, 1, 0},
        {131, 33, 40, 1, 0}, {61, 100, 70, 1, 0}, {5, 300, 3, 1, 0},   {3, 512, 2, 1, 0},
        {45, 300, 20, 1, 0}, {1021, 3, 15, 1, 0}, {1021, 3, 18, 1, 0},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_right(POINTS_UNIFORM, sizes[i]);
    expect_right(POINTS_EQUAL, (struct sizes){1021, 2, 9, 1, 0});
    expect_right(POINTS_EQUAL, (struct sizes){1021, 3, 9, 1, 0});
    expect_right(POINTS_EQUAL, (struct sizes){331, 1, 70, 1, 0});
    set_multiprocessors(MANY_MULTIPROCESSORS);
    expect_right(POINTS_UNIFORM, (struct sizes){3001, 3, 16, 1, 0});
    set_multiprocessors(1); /* blocks that take several tiles */
    expect_right(POINTS_UNIFORM, (struct sizes){4999, 3, 16, 1, 0});
}

/* Catches a warp that is not full, and a vector that is read from an address between two. */
Test(any_k_means, is_right_on_every_length_and_address)
{
    begin();
    expect_right_around_lengths(&k_means_contract, 256, 0);
    expect_right_at_misalignments(&k_means_contract);
}

/* Uniform points, stretched and moved; centroids begin at the first of them. */
static void expect_right_at(size_t clusters, float width, float from, const char *where)
{
    struct input input =
        draw(POINTS_UNIFORM, 5, (struct sizes){1021, 3, (unsigned int)clusters, 1, 0});
    for (size_t i = 0; i < input.length; i++)
        input_set_float(&input, i, from + width * input_float(&input, i));
    memcpy(input.bins, input.elements, 3 * clusters * sizeof(float));
    input_say_more(&input, ", %s", where);
    judge_and_free(input, 1, true);
}

/* Catches |c|^2 - 2pc in floats, which an offset mislabels, also where it does so to few points, and where squares
 * are no floats; and sums of floats that are rounded too often. */
Test(any_k_means, is_right_on_far_points)
{
    begin();
    expect_right(POINTS_OFFSET, (struct sizes){1999, 3, 16, 1, 0});
    expect_right(POINTS_OFFSET, (struct sizes){8191, 1, 2, 1, 0});
    expect_right(POINTS_OFFSET, (struct sizes){1009, 17, 60, 1, 0});
    expect_right_at(16, 1, 100, "100 away");
    expect_right_at(5, 1e18f, 1.5e19f, "15 * 10^18 away");
    struct input equal = draw(POINTS_OFFSET, 1, (struct sizes){1024, 65, 1, 1, 0});
    const float far = 10000.03f; /* a sum of floats loses the same part of it in each addition */
    uint32_t bits;
    memcpy(&bits, &far, sizeof bits);
    for (size_t i = 0; i < equal.length; i++)
        input_set_word(&equal, i, bits);
    input_say_more(&equal, ", all of them equal");
    judge_and_free(equal, 1, true);
}

/* Points of which one coordinate is that, in each third; or centroid number 1. */
static void expect_right_with(const char *what, uint32_t bits, bool in_centroid,
                              unsigned int clusters)
{
    struct input input = draw(POINTS_UNIFORM, 11, (struct sizes){521, 3, clusters, 1, 0});
    for (size_t i = 1; i < input.length && !in_centroid; i += 7)
        input_set_word(&input, i, bits);
    if (in_centroid)
        memcpy(input.bins + 4 * sizeof bits, &bits, sizeof bits);
    input_say_more(&input, ", %s%s", what, in_centroid ? " in a centroid" : "");
    judge_and_free(input, 1, true);
}

/* Catches a NaN that is nearest to something, or is added; a centroid that is lost; the origin for a cluster
 * without points. */
Test(any_k_means, is_right_on_special_values)
{
    static const struct {
        const char *what;
        uint32_t bits;
    } values[] = {
        {"NaN", NOT_A_NUMBER}, {"infinity", INFINITE}, {"minus infinity", INFINITE | SIGN},
        {"-0", SIGN},          {"denormals", 77777},   {"nothing special", ONE},
    };
    begin();
    for (size_t i = 0; i < 4 * (sizeof values / sizeof *values); i++)
        expect_right_with(values[i / 4].what, values[i / 4].bits, i % 2, i % 4 < 2 ? 5 : 200);
    struct input input = draw(POINTS_EQUAL, 3, (struct sizes){600, 2, 30, 1, 0});
    for (size_t i = 0; i < input.length; i++) /* of denormals alone */
        input_set_word(&input, i, 1u << (i % 20));
    input_say_more(&input, ", all of them denormals");
    judge_and_free(input, 1, true);
}

/* Whole runs: catches a flag that stops too early or never, an empty cluster that moves, and centroids of the
 * next step that are read in this one. */
Test(any_k_means, takes_as_many_steps_as_it_should)
{
    begin();
    const struct sizes sizes[] = {{503, 3, 6, 20, 0},  {503, 3, 6, 20, 25}, {199, 2, 4, 3, 0},
                                  {301, 1, 3, 40, 30}, {150, 17, 4, 9, 2},  {97, 3, 5, 2, 96},
                                  {97, 3, 5, 7, 97},   {200, 2, 900, 6, 0}, {131, 256, 4, 4, 0},
                                  {35, 300, 2, 3, 0},  {203, 129, 2, 4, 0}, {150, 3, 31, 3, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        expect_right(POINTS_UNIFORM, sizes[i]);
        expect_right(POINTS_BLOBS, sizes[i]);
    }
}

/* Catches a number of labels in 32 bits. */
Test(any_k_means, takes_one_step_where_all_labels_may_change)
{
    begin();
    static const uint64_t may_change[] = {(uint64_t)1 << 31, UINT64_MAX};
    for (size_t i = 0; i < sizeof may_change / sizeof *may_change; i++) {
        struct input input = draw(POINTS_UNIFORM, i, (struct sizes){197, 3, 5, 4, 0});
        input.more[MAY_CHANGE] = may_change[i];
        input_say_more(&input, ", of which all may change");
        judge_and_free(input, 1, true);
    }
}

/* One set of outputs that nobody asked for. */
static void expect_right_without(uint64_t left_out, struct sizes sizes)
{
    struct input input = draw(POINTS_BLOBS, left_out, sizes);
    input.more[LEFT_OUT] = left_out;
    input_say_more(&input, "%s%s%s", left_out & NO_LABELS ? ", no labels" : "",
                   left_out & NO_COUNTS ? ", no counts" : "",
                   left_out & NO_STEPS ? ", no number of steps" : "");
    judge_and_free(input, 1, true);
}

/* Each of them, also where no step takes place. */
Test(any_k_means, leaves_out_what_is_not_asked_for)
{
    begin();
    for (uint64_t left_out = 1; left_out < 8; left_out++) {
        const unsigned int steps = 1 + (unsigned int)left_out % 3;
        expect_right_without(left_out, (struct sizes){211, 3, 5, steps, 0});
        expect_right_without(left_out, (struct sizes){211, 3, 5, 0, 0});
    }
    const struct sizes sizes[] = {{211, 3, 150, 1, 0}, {67, 256, 3, 1, 0}, {35, 300, 2, 1, 0},
                                  {99, 3, 31, 1, 0},   {61, 17, 4, 1, 0},  {300, 3, 5, 2, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_right_without(NO_LABELS, sizes[i]);
}

/* Catches floats that are added as they come, by atomics or by who is first; and shares that follow the grid. */
Test(any_k_means, leaves_the_same_bits_on_every_grid_and_schedule)
{
    begin();
    const char *const why = "a fixed order, or fixed point,";
    expect_same_output_bits(draw(POINTS_UNIFORM, 1, (struct sizes){2053, 3, 5, 2, 0}), why);
    expect_same_output_bits(draw(POINTS_OFFSET, 2, (struct sizes){307, 17, 60, 2, 0}), why);
}

static struct input draw_input(uint64_t *state, size_t unused)
{
    (void)unused;
    const unsigned int dimensions = 1 + random_below(state, 1u << random_below(state, 7));
    const struct sizes sizes = {random_below(state, 1 + 4096 / dimensions), dimensions,
                                random_below(state, 1u << random_below(state, 8)), 1, 0};
    struct input input = draw(random_below(state, POINTS_KINDS), next_random(state), sizes);
    input.misalignment = random_below(state, 8);
    return input;
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_k_means, is_right_on_inputs_that_this_run_draws)
{
    judge_drawn(draw_input, 0, 8);
}

/* Catches counts, flags and sums that the call before left. */
Test(every_k_means, finds_nothing_of_the_call_before)
{
    expect_right_in_a_row(&k_means_contract);
}

/* Catches sums that are never freed. */
Test(every_k_means, keeps_no_memory)
{
    expect_keeps_no_memory(&k_means_contract);
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(every_k_means, reads_the_far_end_of_the_longest_input)
{
    judge_far_end(&k_means_contract);
}

/* Catches a missing check of the length, and one that is off by one. */
Test(every_k_means, refuses_4294967296_points, .exit_code = 1)
{
    call_with_too_many(&k_means_contract);
}

/* Catches a missing check of the dimensions. */
Test(every_k_means, refuses_513_dimensions, .exit_code = 1)
{
    begin();
    struct input input = draw(POINTS_UNIFORM, 1, (struct sizes){2, 513, 1, 1, 0});
    call_refused_on(&input, "513 dimensions");
}
