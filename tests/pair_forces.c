/* pair_forces.c - what every chapter's pair_forces() has to do, whatever its technique.
 *
 * Linked with each suite tests/NN_name.c of this contract. Tests run in alphabetical order, and a student is
 * shown the first that fails: a wrong result is told before a technique that is not the chapter's. */
#include "exact_forces.h"
#include "expect_right_on.h"

#include <math.h>
#include <stdlib.h>

#include "random_numbers.h"
#include "words_in_bytes.h"

enum { A_FEW_MULTIPROCESSORS = 3, MANY_MULTIPROCESSORS = 132, OTHERS = 4, AXES = 3, FIELDS = 4 };

static void expect_right(unsigned int kind, size_t atoms, unsigned int types)
{
    judge_and_free(atoms_drawn(&(struct drawn_case){kind, atoms, {types}}, 1 + atoms), 1, true);
}

/* Catches lists that are too short or too long for a warp, a grid that is one block short, pairs across the box
 * that are left out, an atom that is its own neighbor, and types that are not looked at. */
static void expect_right_on_edge_cases(size_t unused)
{
    (void)unused;
    judge_and_free(atoms_drawn(&(struct drawn_case){ATOMS_SHUFFLED, 311, {3}}, 1), USUAL_SCHEDULES,
                   true);
    const struct {
        enum atoms kind;
        unsigned int atoms, types;
    } cases[] = {
        {ATOMS_LISTS, 0, 1},        {ATOMS_LISTS, 1, 1},    {ATOMS_LISTS, 2, 1},
        {ATOMS_LISTS, 7, 2},        {ATOMS_LISTS, 31, 5},   {ATOMS_LISTS, 32, 1},
        {ATOMS_LISTS, 33, 19},      {ATOMS_LISTS, 257, 19}, {ATOMS_COINCIDENT, 2, 1},
        {ATOMS_COINCIDENT, 101, 3}, {ATOMS_SORTED, 64, 1},  {ATOMS_SORTED, 400, 19},
        {ATOMS_LISTS, 301, 300},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_right(cases[i].kind, cases[i].atoms, cases[i].types);
    set_multiprocessors(MANY_MULTIPROCESSORS);
    expect_right(ATOMS_SHUFFLED, 700, 2);
}

Test(any_pair_forces, is_right_on_edge_cases)
{
    for_each_operation(expect_right_on_edge_cases, 0, A_FEW_MULTIPROCESSORS);
}

/* Some atoms with one list of `atoms` - 1 entries, number 0's: a long one. */
static void expect_right_with_a_long_list(size_t atoms)
{
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, atoms, {2}}, 5);
    const struct arrays at = arrays_of(input.length, input.more);
    const uint32_t begin = input_word(&input, at.first);
    for (size_t i = 1; i < atoms; i++)
        input_set_word(&input, at.first + i, input_word(&input, at.first + atoms));
    input_say_more(&input, ", all of them in the list of atom 0, from %u on", begin);
    judge_and_free(input, 1, true);
}

/* A box of 4 and a cutoff of 1, or of 5 without images: exact numbers of few bits, so that no rounding decides.
 * Atom 0 has a neighbor at exactly the cutoff in each direction, across the box in one of them, and others a bit
 * beyond and within. */
static void expect_right_at_the_cutoff(bool images)
{
    static const float near[][AXES] = {{1.5f, 0.5f, 0.5f},
                                       {0.5f, 3.5f, 0.5f},
                                       {0.5f, 0.5f, 1.5f},
                                       {1.5078125f, 0.5f, 0.5f},
                                       {0.5f, 1.4921875f, 0.5f}};
    static const float far[][AXES] = {{3.5f, 4.5f, 0.5f},
                                      {0.5f, 4.5f, 3.5f},
                                      {0.5f, 0.5f, 5.5f},
                                      {-4.5078125f, 0.5f, 0.5f},
                                      {0.5f, 5.4921875f, 0.5f}};
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, 6, {1}}, 3);
    for (size_t axis = 0; axis < AXES; axis++) {
        input_set_float(&input, axis, 0.5f);
        for (size_t i = 0; i < 5; i++)
            input_set_float(&input, FIELDS * (i + 1) + axis, images ? near[i][axis] : far[i][axis]);
    }
    input.more[BOX] = bits_of_float(images ? 4 : 0);
    input.more[CUTOFF] = bits_of_float(images ? 1 : 5);
    input_say_more(&input, ", %s at exactly the cutoff", images ? "some" : "no box, some");
    judge_and_free(input, 1, true);
}

/* Catches < for <=, a box that divides by 0, atoms that lie boxes away, and a cutoff that is squared whatever its
 * sign. */
static void expect_right_with_numbers(size_t unused)
{
    (void)unused;
    static const float boxes[] = {0, -1, INFINITY, NAN, 3};
    static const float cutoffs[] = {0, -1, INFINITY, NAN, 0.5f};
    expect_right_at_the_cutoff(true);
    expect_right_at_the_cutoff(false);
    expect_right_with_a_long_list(97);
    for (size_t i = 0; i < 2 * (sizeof boxes / sizeof *boxes); i++) {
        struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, 50, {2}}, 7 + i);
        const float number = i % 2 == 0 ? boxes[i / 2] : cutoffs[i / 2];
        input.more[i % 2 == 0 ? BOX : CUTOFF] = bits_of_float(number);
        input_say_more(&input, ", %s %g", i % 2 == 0 ? "box" : "cutoff", (double)number);
        judge_and_free(input, 1, true);
    }
    struct input away = atoms_drawn(&(struct drawn_case){ATOMS_SHUFFLED, 200, {2}}, 4);
    for (size_t i = 0; i < 200; i++)
        input_set_float(&away, FIELDS * i + i % AXES,
                        input_float(&away, FIELDS * i + i % AXES) +
                            ((float)(i % 9) - 4) * float_of(away.more, BOX));
    input_say_more(&away, ", boxes away");
    judge_and_free(away, 1, true);
}

Test(any_pair_forces, is_right_with_every_box_and_cutoff)
{
    for_each_operation(expect_right_with_numbers, 0, A_FEW_MULTIPROCESSORS);
}

/* Every 7th atom has that: as a coordinate, or as its charge; or a pair of types has it as c6. */
static void expect_right_with_value(const char *what, uint32_t bits, int where)
{
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, 60, {3}}, 11);
    for (size_t i = 0; i < 60 && where < 2; i += 7)
        input_set_word(&input, FIELDS * i + (where == 0 ? i % AXES : AXES), bits);
    if (where == 2)
        input_set_word(&input, arrays_of(0, input.more).c6_c12, bits);
    input_say_more(&input, ", %s as %s", what,
                   where == 0   ? "a coordinate"
                   : where == 1 ? "a charge"
                                : "c6");
    judge_and_free(input, 1, true);
}

/* Catches a NaN that counts since it is not above the cutoff, and one that is lost. */
static void expect_right_on_special_values(size_t unused)
{
    (void)unused;
    static const struct {
        const char *what;
        uint32_t bits;
    } values[] = {
        {"NaN", NOT_A_NUMBER}, {"infinity", INFINITE}, {"minus infinity", INFINITE | SIGN},
        {"-0", SIGN},          {"a denormal", 77777},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int where = 0; where < 3; where++)
            expect_right_with_value(values[i].what, values[i].bits, where);
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, 40, {1}}, 2);
    for (size_t i = 0; i < 40; i += 3)
        input_set_word(&input, FIELDS * i, i % 2 ? INFINITE : NOT_A_NUMBER);
    input.more[BOX] = bits_of_float(0);
    input.more[CUTOFF] = bits_of_float(INFINITY);
    input_say_more(&input, ", infinite coordinates, and no cutoff");
    judge_and_free(input, 1, true);
}

Test(any_pair_forces, is_right_on_special_values)
{
    for_each_operation(expect_right_on_special_values, 0, A_FEW_MULTIPROCESSORS);
}

/* Catches a vector of neighbors that is read from an address between two. */
static void expect_right_at_addresses(size_t unused)
{
    (void)unused;
    for (size_t fours = 1; fours < 16; fours *= 3) {
        struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, 70, {2}}, fours);
        input.misalignment = FIELDS * fours;
        input_say_more(&input, ", %zu bytes after a multiple of 256", 16 * fours);
        judge_and_free(input, 1, true);
    }
}

Test(any_pair_forces, is_right_on_every_address)
{
    for_each_operation(expect_right_at_addresses, 0, A_FEW_MULTIPROCESSORS);
}

static struct input draw_input(uint64_t *state, size_t unused)
{
    (void)unused;
    const struct drawn_case drawn = {random_below(state, ATOMS_KINDS),
                                     random_below(state, 1u << random_below(state, 9)),
                                     {1 + random_below(state, 25)}};
    struct input input = atoms_drawn(&drawn, next_random(state));
    input.misalignment = FIELDS * random_below(state, 8);
    return input;
}

/* Catches answers from a table, and an input for which the kernel does something else: the inputs are
 * another draw in each run. */
Test(every_pair_forces, is_right_on_inputs_that_this_run_draws)
{
    judge_drawn(draw_input, 0, 6);
}

/* Catches forces that nobody zeroed, and what the call before left. */
Test(every_pair_forces, sets_the_forces_whatever_they_held)
{
    expect_right_in_a_row(&pair_forces_contract);
}

/* Catches room that is never freed. */
Test(every_pair_forces, keeps_no_memory)
{
    expect_keeps_no_memory(&pair_forces_contract);
}

/* Catches a missing check of the number of atoms, and one that is off by one. */
Test(every_pair_forces, refuses_4294967296_atoms, .exit_code = 1)
{
    call_with_too_many(&pair_forces_contract);
}
