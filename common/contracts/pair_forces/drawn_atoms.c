/* drawn_atoms.c - draws atoms and their lists, the same on every machine: see drawn_atoms.h. */
#include "contract.h"
#include "drawn_atoms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grouped.h"
#include "must_have.h"
#include "random_numbers.h"

enum { UNUSED = 3 }; /* entries before the first list */

static const char *const words[ATOMS_KINDS] = {
    [ATOMS_SORTED] = " of a liquid, sorted",
    [ATOMS_SHUFFLED] = " of a liquid, shuffled",
    [ATOMS_LISTS] = ", each of 0 to 100 entries",
    [ATOMS_COINCIDENT] = ", two at a place",
};

/* The places of a lattice with `side` of them in each direction, and the atoms that have them. */
struct places {
    size_t side;
    uint32_t *of_atom, *atom_at; /* UINT32_MAX: none */
};

static struct places draw_places(unsigned int kind, size_t atoms, uint64_t *state)
{
    const size_t side = (size_t)ceil(cbrt((double)atoms) - 1e-9), all = side * side * side;
    struct places places = {side, must_have(malloc(atoms * 4 + 1), "for the atoms of a test"),
                            must_have(malloc(all * 4 + 1), "for the atoms of a test")};
    memset(places.atom_at, 0xff, all * sizeof(uint32_t));
    for (uint32_t i = 0; i < atoms; i++) {
        const uint32_t other = kind == ATOMS_SHUFFLED ? random_below(state, i + 1) : i;
        places.of_atom[i] = places.of_atom[other];
        places.of_atom[other] = i;
    }
    for (uint32_t i = 0; i < atoms; i++)
        places.atom_at[places.of_atom[i]] = i;
    return places;
}

static void draw_positions(struct input *input, unsigned int kind, const struct places *places,
                           uint64_t *state)
{
    const double off = kind == ATOMS_COINCIDENT ? 0 : 0.3, side = (double)places->side;
    for (size_t i = 0; i < input->more[ATOMS]; i++) {
        size_t place = places->of_atom[kind == ATOMS_COINCIDENT ? i - i % 2 : i];
        for (size_t axis = 0; axis < 3; axis++) {
            const double drawn =
                (double)(place % places->side) + 0.5 + off * (random_fraction(state) - 0.5);
            input_set_float(input, 4 * i + axis,
                            (float)(drawn / side * (double)float_of(input->more, BOX)));
            place /= places->side;
        }
        input_set_float(input, 4 * i + 3, random_below(state, 2) ? 0.2f : -0.2f);
    }
}

/* Draws the types. The first is argon (sigma 0.3405 nm, epsilon 0.996 kJ/mol), and others are a little larger and
 * deeper. */
static void draw_types(struct input *input, uint64_t *state)
{
    const struct arrays at = arrays_of(input->length, input->more);
    for (size_t s = 0; s < at.types; s++)
        for (size_t t = 0; t < at.types; t++) {
            const double epsilon = 0.996 * sqrt((1 + 0.1 * (double)s) * (1 + 0.1 * (double)t));
            const double sigma = 0.3405 + 0.001 * (double)(s + t), sixth = pow(sigma, 6);
            const size_t word = at.c6_c12 + 2 * (s * at.types + t);
            input_set_float(input, word, (float)(4 * epsilon * sixth));
            input_set_float(input, word + 1, (float)(4 * epsilon * sixth * sixth));
        }
    for (size_t i = 0; i < at.atoms; i++)
        input_set_word(input, at.type + i, random_below(state, (uint32_t)at.types));
}

/* Whether two atoms are so near that one is in the list of the other. No list depends on how this rounds. */
static bool is_near(const struct input *input, size_t i, size_t j, double most)
{
    const double box = (double)float_of(input->more, BOX);
    double square = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const double d =
            (double)input_float(input, 4 * i + axis) - (double)input_float(input, 4 * j + axis);
        const double near = box > 0 ? d - box * rint(d / box) : d;
        square += near * near;
    }
    return square <= most * most;
}

/* Puts an entry behind all words. Room is made for a power of two of them. */
static void list_entry(struct input *input, size_t j)
{
    if ((input->length & (input->length - 1)) == 0)
        input->elements = must_have(realloc(input->elements, 2 * input->length * sizeof(uint32_t)),
                                    "for the lists of a test");
    input_set_word(input, input->length++, (uint32_t)j);
}

/* The atom at place number n of a cube of span^3 around another one, which is at `place`. */
static uint32_t atom_around(const struct places *places, size_t place, size_t span, size_t n)
{
    const size_t side = places->side, back = side - span / 2 % side;
    size_t found = 0, size = 1;
    for (size_t axis = 0; axis < 3; axis++, size *= side, place /= side, n /= span)
        found += size * ((place % side + back + n % span) % side);
    return places->atom_at[found];
}

/* Lists the atoms near atom i. Half lists give the two atoms of a pair equal shares. */
static void add_near(struct input *input, const struct places *places, size_t i, double most)
{
    const double spacing = (double)float_of(input->more, BOX) / (double)places->side;
    const size_t wide = 2 * (size_t)ceil(most / spacing + 0.3) + 1;
    const size_t span = wide < places->side ? wide : places->side;
    for (size_t n = 0; n < span * span * span; n++) {
        const size_t j = atom_around(places, places->of_atom[i], span, n);
        const bool is_its = operation_chosen() == FULL_LISTS || ((i + j) % 2 == 0) == (i < j);
        if (i != j && j != UINT32_MAX && is_its && is_near(input, i, j, most))
            list_entry(input, j);
    }
}

static void add_drawn(struct input *input, unsigned int kind, size_t i, uint64_t *state)
{
    static const size_t lengths[] = {33, 0, 1, 31, 32, 2, 64, 65, 100, 7};
    const size_t atoms = input->num_bins;
    for (size_t n = 0; n < lengths[i % (sizeof lengths / sizeof *lengths)]; n++) {
        const size_t other = random_below(state, (uint32_t)atoms);
        const bool is_own = kind == ATOMS_COINCIDENT ? n % 5 == 0 : false;
        list_entry(input, is_own ? i : other != i ? other : (i + 1) % atoms);
    }
}

/* Draws all lists, one behind the other. */
static void draw_lists(struct input *input, unsigned int kind, const struct places *places,
                       uint64_t *state)
{
    const struct arrays at = arrays_of(0, input->more);
    const double cutoff = (double)float_of(input->more, CUTOFF);
    for (size_t n = 0; n < UNUSED; n++)
        list_entry(input, UINT32_MAX);
    for (size_t i = 0; i <= at.atoms; i++) {
        input_set_word(input, at.first + i, (uint32_t)(input->length - at.neighbors));
        if (i < at.atoms && kind >= ATOMS_LISTS)
            add_drawn(input, kind, i, state);
        else if (i < at.atoms)
            add_near(input, places, i, kind == ATOMS_SORTED ? cutoff : 1.1 * cutoff);
    }
}

struct input atoms_drawn(const struct drawn_case *drawn, uint64_t seed)
{
    const size_t atoms = drawn->units, types = drawn->numbers[TYPES];
    const double density = 21.1, usual = 1.1;
    const double box = cbrt((double)(atoms > 0 ? atoms : 1) / density);
    struct input input = input_for(&pair_forces_contract);
    input.num_bins = atoms;
    input.more[TYPES] = types;
    input.more[ATOMS] = atoms;
    const double cutoff = drawn->kind >= ATOMS_LISTS ? box : fmin(box / 2, usual);
    input.more[BOX] = bits_of_float((float)box);
    input.more[CUTOFF] = bits_of_float((float)cutoff);
    input.length = arrays_of(0, input.more).neighbors;
    input.elements = room_for(2 * input.length, sizeof(uint32_t), "for the atoms of a test");
    memset(input.elements, 0xff, input.length * sizeof(uint32_t));
    const struct places places = draw_places(drawn->kind, atoms, &seed);
    draw_positions(&input, drawn->kind, &places, &seed);
    draw_types(&input, &seed);
    draw_lists(&input, drawn->kind, &places, &seed);
    free(places.of_atom);
    free(places.atom_at);
    snprintf(input.name, sizeof input.name, "%s lists of %s atom%s%s, %zu type%s, %s entries",
             operation_name(input.operation), grouped(atoms), atoms == 1 ? "" : "s",
             words[drawn->kind], types, types == 1 ? "" : "s",
             grouped(input.length - arrays_of(0, input.more).neighbors - UNUSED));
    return input;
}
