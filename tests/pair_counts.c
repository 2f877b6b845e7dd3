/* pair_counts.c - what every chapter's pair_counts() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract. Tests run in alphabetical order, and a student is
 * shown the first that fails: a wrong result is told before a technique that is not the chapter's. */
#include "exact_pairs.h"
#include "expect_right_on.h"

#include <math.h>

#include "random_numbers.h"

enum { A_FEW_MULTIPROCESSORS = 3, MANY_MULTIPROCESSORS = 132 };

struct sky_sizes {
    unsigned int points, sets, bins;
};

static void begin(void)
{
    operation_choose(0);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

static struct input draw(unsigned int kind, uint64_t seed, struct sky_sizes sizes)
{
    return sky_drawn(&(struct drawn_case){kind, sizes.points, {sizes.sets, sizes.bins}}, seed);
}

static void expect_right(unsigned int kind, struct sky_sizes sizes)
{
    judge_and_free(draw(kind, 1 + sizes.points, sizes), 1, true);
}

/* Catches tiles and triangles that end too early or too late, around the size of a tile; sets that are left out
 * or mixed up; 0 bins, and no bin between two counters; more counters than a block has threads. */
Test(any_pair_counts, is_right_on_edge_cases)
{
    begin();
    judge_and_free(draw(SKY_CLUSTERS, 1, (struct sky_sizes){257, 1, 20}), USUAL_SCHEDULES, true);
    const struct sky_sizes sizes[] = {{0, 0, 20},  {0, 3, 5},    {1, 0, 20},   {1, 2, 20},
                                      {2, 0, 20},  {2, 3, 20},   {3, 1, 1},    {31, 5, 0},
                                      {33, 4, 2},  {97, 0, 20},  {255, 1, 20}, {256, 0, 1},
                                      {256, 1, 7}, {257, 0, 20}, {60, 1, 255}, {61, 1, 1024}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_right(i % 2 ? SKY_UNIFORM : SKY_CLUSTERS, sizes[i]);
    set_multiprocessors(MANY_MULTIPROCESSORS);
    expect_right(SKY_CLUSTERS, (struct sky_sizes){41, 9, 20});
}

/* Catches > in place of >=, an edge whose cell begins there, edges that share a cell, equal edges, points that
 * are equal, and a distance 0. */
Test(any_pair_counts, is_right_where_distances_are_edges)
{
    begin();
    const struct sky_sizes sizes[] = {{70, 1, 0}, {101, 1, 1}, {99, 2, 20}, {130, 1, 100}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        expect_right(SKY_AXES, sizes[i]);
        expect_right(SKY_LATTICE, sizes[i]);
        expect_right(SKY_EQUAL, sizes[i]);
    }
    for (unsigned int bins = 20; bins <= 80; bins += 20)
        expect_right(SKY_UNIFORM, (struct sky_sizes){120, 1, bins});
}

/* Catches 2 - 2pq in floats, which loses the digits of a small distance. */
Test(any_pair_counts, is_right_on_points_that_are_near)
{
    begin();
    expect_right(SKY_CLUSTERS, (struct sky_sizes){600, 0, 20});
    expect_right(SKY_CLUSTERS, (struct sky_sizes){120, 2, 80});
}

/* A component of each third point is that; or the edges from number `edge` on, and where these are the first ones
 * points are at one place, so that distances are near. */
static void expect_right_with(const char *what, float value, bool in_edges, unsigned int edge)
{
    const enum sky kind = in_edges && edge == 0 ? SKY_EQUAL : SKY_UNIFORM;
    struct input input = draw(kind, 11, (struct sky_sizes){50, 1, 20});
    for (size_t i = 0; i < input.length && !in_edges; i += 3)
        input_set_float(&input, COMPONENTS * i + i % 2, value);
    for (unsigned int e = edge; in_edges && (edge == 0 ? e < 3 : e <= 20); e++)
        input_set_edge(&input, e, value);
    input_say_more(&input, ", %s%s", what, in_edges ? " among the edges" : "");
    judge_and_free(input, 1, true);
}

/* Points on a line, some 2^-73 apart: each square is exact, and a denormal, as are the edges, several to a cell. */
static void expect_right_on_denormal_distances(void)
{
    struct input input = draw(SKY_UNIFORM, 11, (struct sky_sizes){50, 1, 20});
    for (size_t i = 0; i < input.length; i++)
        for (size_t axis = 0; axis < 3; axis++)
            input_set_float(&input, COMPONENTS * i + axis,
                            axis == 0 ? ldexpf((float)(i * i % 59), -73) : 0);
    for (unsigned int e = 0; e <= 20; e++)
        input_set_edge(&input, e, ldexpf((float)(e * e), -145));
    input_say_more(&input, ", distances and edges that are denormals");
    judge_and_free(input, 1, true);
}

/* Catches a NaN that is counted, an infinity that is not, and edges that no distance reaches; a denormal distance that
 * becomes 0. */
Test(any_pair_counts, is_right_on_special_values)
{
    static const struct {
        const char *what;
        float value;
        unsigned int edge;
    } values[] = {{"NaN", NAN, 18}, {"minus infinity", -INFINITY, 0}, {"infinity", INFINITY, 17},
                  {"-0", -0.0F, 0}, {"denormals", 1e-42F, 0},         {"large numbers", 3e38F, 19},
                  {"-1", -1, 0}};
    begin();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        expect_right_with(values[i].what, values[i].value, false, 0);
        expect_right_with(values[i].what, values[i].value, true, values[i].edge);
    }
    expect_right_on_denormal_distances();
    expect_right_with("NaN", -NAN, false, 0);
    expect_right_with("NaN alone", NAN, true, 1);
    struct input input = draw(SKY_UNIFORM, 5, (struct sky_sizes){30, 1, 120});
    input_set_float(&input, COMPONENTS * 7 + 2, NAN);
    input_say_more(&input, ", NaN, and cells with several edges");
    judge_and_free(input, 1, true);
}

static struct input draw_input(uint64_t *state, size_t unused)
{
    (void)unused;
    const unsigned int sets = random_below(state, 4);
    const struct sky_sizes sizes = {random_below(state, 400 / (sets + 1)), sets,
                                    random_below(state, 1u << random_below(state, 8))};
    struct input input = draw(random_below(state, SKY_KINDS), next_random(state), sizes);
    input.misalignment = random_below(state, 8);
    return input;
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_pair_counts, is_right_on_inputs_that_this_run_draws)
{
    judge_drawn(draw_input, 0, 6);
}

/* Catches counters that the call before left. */
Test(every_pair_counts, finds_nothing_of_the_call_before)
{
    begin();
    for (unsigned int call = 1; call <= 3; call++) {
        struct input input = draw(SKY_CLUSTERS, call, (struct sky_sizes){90 / call, 2, 20});
        input_say_more(&input, ", call %u in a row", call);
        judge_and_free(input, 1, true);
    }
}

/* Catches memory that is never freed. */
Test(every_pair_counts, keeps_no_memory)
{
    expect_keeps_no_memory(&pair_counts_contract);
}

/* Catches an index in 32 bits, which is negative from 2^31 on; and a grid with sets in y, which has 65,535. */
Test(every_pair_counts, reads_the_far_end_of_the_longest_input)
{
    judge_far_end(&pair_counts_contract);
}

/* Catches a missing check of the number of points. */
Test(every_pair_counts, refuses_4294967296_points, .exit_code = 1)
{
    call_with_too_many(&pair_counts_contract);
}

/* The same of all sets together, each of which is short: catches a product that is not looked at. */
Test(every_pair_counts, refuses_4294967296_points_in_4194304_sets, .exit_code = 1)
{
    begin();
    struct input input = draw(SKY_UNIFORM, 1, (struct sky_sizes){1, 0, 20});
    input.more[NUMBER_OF_SETS] = (1u << 22) - 1;
    call_with_too_many_on(&input);
}

/* Catches arrays in shared memory that more bins do not fit into. */
Test(every_pair_counts, refuses_1025_bins, .exit_code = 1)
{
    begin();
    struct input input = draw(SKY_UNIFORM, 1, (struct sky_sizes){2, 1, 1025});
    call_refused_on(&input, "1,025 bins");
}
