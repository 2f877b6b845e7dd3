/* exact_forces.c - tests of what the judge holds for right forces: by hand, and by the slope of the energy. */
#define _GNU_SOURCE
#include "exact_forces.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { AXES = 3, FIELDS = 4 };

/* The judge's library calls it, and nobody here. */
void pair_forces(void);
void pair_forces(void)
{
}

static void choose(enum operation operation)
{
    setenv("OPERATIONS", "half full", 1);
    operation_choose(operation == FULL_LISTS);
    cr_assert(operation_chosen() == operation);
}

/* Two atoms on a line, 1 apart, each in the other's list once; the one type has these. */
static struct oracle *two_atoms(enum operation operation, float c6, float c12, float charge)
{
    choose(operation);
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_LISTS, 2, {1}}, 1);
    const struct arrays at = arrays_of(input.length, input.more);
    const uint32_t first = input_word(&input, at.first);
    const float places[] = {0.25f, 0.5f, 0.5f, charge, 1.25f, 0.5f, 0.5f, charge};
    for (size_t i = 0; i < 2 * FIELDS; i++)
        input_set_float(&input, i, places[i]);
    input_set_float(&input, at.c6_c12, c6);
    input_set_float(&input, at.c6_c12 + 1, c12);
    for (uint32_t i = 0; i < 3; i++) /* a half list has the pair once */
        input_set_word(&input, at.first + i, first + (operation == FULL_LISTS ? i : i > 0));
    for (uint32_t i = 0; i < 2; i++)
        input_set_word(&input, at.neighbors + first + i, 1 - i);
    input.more[BOX] = bits_of_float(0);
    input.more[CUTOFF] = bits_of_float(2);
    struct oracle *oracle = forces_oracle(&input);
    input_free(&input);
    return oracle;
}

static void expect_two(float c6, float c12, float charge, double force, double energy)
{
    for (enum operation operation = HALF_LISTS; operation <= FULL_LISTS; operation++) {
        struct oracle *oracle = two_atoms(operation, c6, c12, charge);
        const double *is = oracle->force;
        cr_assert(fabs(is[0] + force) < 1e-9 && fabs(is[FIELDS] - force) < 1e-9, "%g and %g", is[0],
                  is[FIELDS]);
        cr_assert(fabs(is[AXES] - energy) < 1e-9 && fabs(is[FIELDS + AXES] - energy) < 1e-9);
        contract_forget(oracle);
    }
}

Test(exact_forces, are_those_of_the_formula_for_two_atoms)
{
    expect_two(0, 1, 0, 12, 0.5);
    expect_two(1, 0, 0, -6, -0.5);
    expect_two(0, 0, 1, 138.935485f, 138.935485f / 2);
    expect_two(1, 1, 1, 6 + 138.935485f, 138.935485f / 2);
}

static double energy_of(const struct oracle *oracle)
{
    double energy = 0;
    for (size_t i = 0; i < oracle->at.atoms; i++)
        energy += oracle->force[FIELDS * i + AXES];
    return energy;
}

/* The energy with one coordinate moved; false where other pairs count then. */
static bool moved_energy(struct input *input, size_t word, float by, size_t near, double *energy)
{
    const float before = input_float(input, word);
    input_set_float(input, word, before + by);
    struct oracle *oracle = forces_oracle(input);
    const bool same = oracle->near == near;
    *energy = energy_of(oracle);
    input_set_float(input, word, before);
    contract_forget(oracle);
    return same;
}

/* F is -dV/dx, of each coordinate. Coordinates have 16 bits behind the point, so that no step is rounded. */
static void expect_slopes(enum atoms kind, size_t atoms)
{
    const float step = ldexpf(1, -13);
    struct input input = atoms_drawn(&(struct drawn_case){kind, atoms, {2}}, 5);
    for (size_t i = 0; i < atoms; i++)
        for (size_t axis = 0; axis < AXES; axis++)
            input_set_float(&input, FIELDS * i + axis,
                            ldexpf(rintf(ldexpf(input_float(&input, FIELDS * i + axis), 16)), -16));
    struct oracle *oracle = forces_oracle(&input);
    size_t compared = 0;
    for (size_t i = 0; i < atoms; i++)
        for (size_t axis = 0; axis < AXES; axis++) {
            const size_t word = FIELDS * i + axis;
            double less, more;
            if (!moved_energy(&input, word, -step, oracle->near, &less) ||
                !moved_energy(&input, word, step, oracle->near, &more))
                continue;
            const double slope = (more - less) / (2 * (double)step);
            cr_assert(fabs(oracle->force[word] + slope) < 1e-3 * (1 + fabs(slope)) + 0.1,
                      "%s, atom %zu: %g and %g", input.name, i, oracle->force[word], -slope);
            compared++;
        }
    cr_assert(compared > atoms, "%zu coordinates", compared);
    contract_forget(oracle);
    input_free(&input);
}

Test(exact_forces, are_the_slope_of_the_energy)
{
    for (enum operation operation = HALF_LISTS; operation <= FULL_LISTS; operation++) {
        choose(operation);
        expect_slopes(ATOMS_SORTED, 64);
        expect_slopes(ATOMS_SHUFFLED, 40);
    }
}

/* Half and full lists of the same atoms: the same forces, which add up to nothing. */
Test(exact_forces, are_the_same_with_half_and_full_lists)
{
    choose(HALF_LISTS);
    struct input half = atoms_drawn(&(struct drawn_case){ATOMS_SHUFFLED, 200, {3}}, 3);
    struct oracle *one = forces_oracle(&half);
    choose(FULL_LISTS);
    struct input full = atoms_drawn(&(struct drawn_case){ATOMS_SHUFFLED, 200, {3}}, 3);
    struct oracle *other = forces_oracle(&full);
    double sums[FIELDS] = {0};
    cr_assert(other->near == 2 * one->near, "%zu and %zu pairs", one->near, other->near);
    for (size_t i = 0; i < 200 * FIELDS; i++) {
        cr_assert(fabs(one->force[i] - other->force[i]) < 1e-7, "%zu: %g, %g", i, one->force[i],
                  other->force[i]);
        sums[i % FIELDS] += one->force[i];
    }
    for (size_t axis = 0; axis < AXES; axis++)
        cr_assert(fabs(sums[axis]) < 1e-6, "%g", sums[axis]);
    contract_forget(one);
    contract_forget(other);
    input_free(&half);
    input_free(&full);
}

/* A number that is off by the bound is right, and one that is off by more is wrong. */
Test(exact_forces, may_be_off_by_their_bound)
{
    choose(FULL_LISTS);
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_SORTED, 100, {2}}, 2);
    struct oracle *oracle = forces_oracle(&input);
    for (size_t i = 0; i < 100 * FIELDS; i++) {
        float held[FIELDS];
        for (size_t field = 0; field < FIELDS; field++)
            held[field] = (float)oracle->force[i / FIELDS * FIELDS + field];
        held[i % FIELDS] = (float)(oracle->force[i] + 0.9 * oracle->bound[i]);
        cr_assert(forces_may_hold(oracle, i / FIELDS, (const unsigned char *)held));
        held[i % FIELDS] = (float)(oracle->force[i] - 1.2 * oracle->bound[i]);
        cr_assert(!forces_may_hold(oracle, i / FIELDS, (const unsigned char *)held));
        cr_assert(oracle->bound[i] < 0.01 * (1000 + fabs(oracle->force[i])), "%g",
                  oracle->bound[i]);
    }
    contract_forget(oracle);
    input_free(&input);
}
