/* contract.c - what the judge knows of pair_forces(): see contract.h; and how inputs lie in memory. */
#include "exact_forces.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "contract.h"

enum { AXES = 3, FIELDS = 4, WARP = 32 };

static double number_at(const struct oracle *oracle, size_t word)
{
    return float_at((const unsigned char *)oracle->words, word);
}

/* An entry of the list of atom i: its neighbor j, and d from j to i. */
struct pair {
    size_t i, j;
    double d[AXES], r;
    double largest; /* the largest magnitude of a coordinate, or the box */
    bool counts;    /* it lies within the cutoff */
    bool maybe;     /* rounding alone decides whether it counts, or which image is nearest */
};

/* Whether a number has at most 10 bits behind the point, and not too many before it. Then nothing rounds. */
static bool is_short(double number)
{
    return fabs(number) < 1024 && number * 1024 == rint(number * 1024);
}

static bool is_half(double number)
{
    return fabs(fabs(number - rint(number)) - 0.5) < ldexp(1, -20);
}

static void measure_pair(const struct oracle *oracle, struct pair *pair)
{
    const double box = (double)oracle->box, given = (double)oracle->cutoff;
    const double cutoff = oracle->rule == NO_CUTOFF       ? INFINITY
                          : oracle->rule == CUTOFF_SQUARE ? sqrt(given)
                                                          : given;
    const bool repeats = oracle->rule != NO_IMAGES && box > 0 && isfinite(box);
    bool exact = is_short(cutoff), is_tie = false;
    double square = 0;
    pair->largest = repeats ? box : 0;
    for (size_t axis = 0; axis < AXES; axis++) {
        const double far =
            number_at(oracle, 4 * pair->i + axis) - number_at(oracle, 4 * pair->j + axis);
        const double boxes = oracle->rule == NEXT_IMAGE ? floor(far / box) : rint(far / box);
        const double d = repeats ? far - box * boxes : far;
        pair->largest = fmax(pair->largest, fabs(far));
        is_tie |= repeats && is_half(far / box);
        exact &= is_short(far) && is_short(d);
        pair->d[axis] = d;
        square += d * d;
    }
    pair->r = sqrt(square);
    const double close = exact ? 0 : ldexp(pair->largest, -22) + ldexp(pair->r, -21);
    pair->counts = square > 0 && pair->r <= cutoff && square <= (double)FLT_MAX &&
                   !(oracle->rule == BELOW_CUTOFF && pair->r == cutoff);
    pair->maybe =
        (is_tie && pair->counts) || (square > 0 && close > 0 && fabs(pair->r - cutoff) <= close);
}

/* c12 r^-12, c6 r^-6, and f q_i q_j / r. */
static const double coulomb = 138.935485f; /* f */
enum { REPULSION, ATTRACTION, CHARGES, TERMS };

/* What the three terms of F and of V are multiplied by, what powers of 1 / r they have, and by which one F is
 * multiplied with d. */
struct formula {
    double force[TERMS], energy[TERMS], power[TERMS], of_d;
    bool is_swapped; /* c6 and c12 */
};

static struct formula formula_of(enum rule rule)
{
    const struct formula formulas[RULES - FORMULAS] = {
        [CHARGES_SQUARE - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {12, 6, 2}, 2, false},
        [CHARGES_UNDIVIDED - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {12, 6, 0}, 2, false},
        [CHARGES_WITHOUT_F -
            FORMULAS] = {{12, -6, 1 / coulomb}, {1, -1, 1 / coulomb}, {12, 6, 1}, 2, false},
        [CHARGES_SUBTRACTED - FORMULAS] = {{12, -6, -1}, {1, -1, -1}, {12, 6, 1}, 2, false},
        [CHARGES_SUBTRACTED_IN_F - FORMULAS] = {{12, -6, -1}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [WITHOUT_CHARGES - FORMULAS] = {{12, -6, 0}, {1, -1, 0}, {12, 6, 1}, 2, false},
        [WITHOUT_CHARGES_IN_F - FORMULAS] = {{12, -6, 0}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [WITHOUT_CHARGES_IN_V - FORMULAS] = {{12, -6, 1}, {1, -1, 0}, {12, 6, 1}, 2, false},
        [ATTRACTION_BY_12 - FORMULAS] = {{12, -12, 1}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [REPULSION_BY_6 - FORMULAS] = {{6, -6, 1}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [BY_6_AND_12 - FORMULAS] = {{6, -12, 1}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [WITHOUT_12_AND_6 - FORMULAS] = {{1, -1, 1}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [ENERGY_BY_12_AND_6 - FORMULAS] = {{12, -6, 1}, {12, -6, 1}, {12, 6, 1}, 2, false},
        [ATTRACTION_ADDED - FORMULAS] = {{12, 6, 1}, {1, 1, 1}, {12, 6, 1}, 2, false},
        [ATTRACTION_ADDED_IN_F - FORMULAS] = {{12, 6, 1}, {1, -1, 1}, {12, 6, 1}, 2, false},
        [ATTRACTION_ADDED_IN_V - FORMULAS] = {{12, -6, 1}, {1, 1, 1}, {12, 6, 1}, 2, false},
        [POWER_OF_4 - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {8, 4, 1}, 2, false},
        [POWER_OF_3 - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {6, 3, 1}, 1, false},
        [C12_BY_R_6 - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {6, 6, 1}, 2, false},
        [C12_BY_R_8 - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {8, 6, 1}, 2, false},
        [C6_FOR_C12 - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {12, 6, 1}, 2, true},
        [NOT_DIVIDED - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {12, 6, 1}, 0, false},
        [DIVIDED_BY_R - FORMULAS] = {{12, -6, 1}, {1, -1, 1}, {12, 6, 1}, 1, false},
    };
    const struct formula right = {{12, -6, 1}, {1, -1, 1}, {12, 6, 1}, 2, false};
    return rule < FORMULAS ? right : formulas[rule - FORMULAS];
}

/* F divided by r, and V, and the sums of the magnitudes of their terms. */
struct terms {
    double force, energy, force_terms, energy_terms;
};

static struct terms terms_of(const struct oracle *oracle, const struct pair *pair)
{
    const double r = pair->r;
    const struct formula by = formula_of(oracle->rule);
    const size_t j = oracle->rule == OWN_CHARGE ? pair->i : pair->j;
    const uint32_t *type = oracle->words + oracle->at.type;
    const size_t s = type[pair->i], t = oracle->rule == OWN_TYPE ? s : type[pair->j];
    const size_t row = oracle->at.c6_c12 + 2 * (s * oracle->at.types + t);
    const double factors[TERMS] = {
        number_at(oracle, row + !by.is_swapped), number_at(oracle, row + by.is_swapped),
        coulomb * number_at(oracle, 4 * pair->i + AXES) * number_at(oracle, 4 * j + AXES)};
    static const double sizes[TERMS] = {12, 6, 1};
    struct terms terms = {0, 0, 0, 0};
    for (int term = 0; term < TERMS; term++) {
        const double is = factors[term] * pow(r, -by.power[term]);
        terms.force += by.force[term] * is * pow(r, 1 - by.of_d);
        terms.energy += by.energy[term] * is;
        terms.force_terms += sizes[term] * fabs(is) * pow(r, 1 - by.of_d);
        terms.energy_terms += fabs(is);
    }
    return terms;
}

/* Adds what a pair brings to one of its atoms, and by how much that may be off. The rounding of sums comes later. */
static void add_forces(struct oracle *oracle, size_t atom, double sign, const struct pair *pair)
{
    const struct terms terms = terms_of(oracle, pair);
    const double unit = ldexp(1, -24), nearest = ldexp(1, -8), most = ldexp(1, 120);
    const bool is_none = !isfinite(terms.energy);
    const bool any = is_none || pair->r < nearest || terms.force_terms >= most * pair->r ||
                     terms.force_terms >= most;
    const double part = pair->maybe ? 2 : 16 * unit + 14 * 2 * unit * pair->largest / pair->r;
    for (size_t field = 0; field < FIELDS; field++) {
        const size_t at = FIELDS * atom + field;
        const double size = field < AXES ? terms.force_terms : terms.energy_terms / 2;
        const double share = field < AXES ? terms.force * (pair->d[field] / pair->r)
                             : oracle->rule == WHOLE_ENERGY ? terms.energy
                                                            : terms.energy / 2;
        oracle->force[at] += pair->counts ? (field < AXES ? sign : 1) * share : 0;
        oracle->bound[at] += any ? INFINITY : part * size + 4 * (double)FLT_MIN;
        oracle->sizes[at] += size;
    }
    oracle->pairs[atom]++;
    if (is_none && !pair->maybe && pair->counts)
        oracle->bound[FIELDS * atom + AXES] = NAN; /* and so it stays */
}

/* Adds entry number `n` of a list. With half lists both atoms get something. */
static void add_entry_forces(struct oracle *oracle, struct pair *pair, size_t n)
{
    const bool is_half_list = oracle->operation == HALF_LISTS;
    const double sign = oracle->rule == PULLED ? -1 : 1;
    measure_pair(oracle, pair);
    oracle->near += pair->counts;
    oracle->unsure += pair->maybe;
    oracle->at_one[pair->i] += pair->r == 0;
    oracle->at_one[pair->j] += pair->r == 0 && is_half_list;
    if (!pair->counts && !pair->maybe)
        return;
    if (oracle->rule != FIRST_LANE || n % WARP == 0)
        add_forces(oracle, pair->i, sign, pair);
    if (is_half_list && oracle->rule != OTHERS_LEFT_OUT)
        add_forces(oracle, pair->j, oracle->rule == PUSHED_ALIKE ? sign : -sign, pair);
}

/* How many entries a kernel comes to. */
static size_t taken(const struct oracle *oracle, size_t entries)
{
    return oracle->rule == WHOLE_ROUNDS                     ? entries / WARP * WARP
           : oracle->rule == FIRST_ROUND && entries >= WARP ? WARP
                                                            : entries;
}

/* Adds all entries. The sums round at most once for each pair. */
static void add_all(struct oracle *oracle)
{
    const uint32_t *first = oracle->words + oracle->at.first;
    for (size_t i = 0; i < oracle->at.atoms; i++) {
        const size_t before = oracle->near, entries = taken(oracle, first[i + 1] - first[i]);
        for (size_t n = 0; n < entries; n++) {
            const size_t at = oracle->at.neighbors + first[i] + n;
            add_entry_forces(oracle, &(struct pair){.i = i, .j = oracle->words[at]}, n);
        }
        oracle->lists += oracle->near > before;
    }
    for (size_t i = 0; i < FIELDS * oracle->at.atoms; i++)
        oracle->bound[i] += ldexp(oracle->pairs[i / FIELDS], -24) * oracle->sizes[i];
}

struct oracle *forces_by(const struct input *input, enum rule rule)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    const struct arrays at = arrays_of(input->length, input->more);
    *oracle = (struct oracle){
        .at = at,
        .rule = rule,
        .operation = input->operation,
        .box = float_of(input->more, BOX),
        .cutoff = float_of(input->more, CUTOFF),
        .words = oracle_copy(oracle, input->elements, input->length * sizeof(uint32_t)),
        .force = oracle_room(oracle, at.atoms, FIELDS * sizeof(double)),
        .bound = oracle_room(oracle, at.atoms, FIELDS * sizeof(double)),
        .sizes = oracle_room(oracle, at.atoms, FIELDS * sizeof(double)),
        .pairs = oracle_room(oracle, at.atoms, sizeof(uint32_t)),
        .at_one = oracle_room(oracle, at.atoms, sizeof(uint32_t))};
    add_all(oracle);
    return oracle;
}

struct oracle *forces_oracle(const struct input *input)
{
    return forces_by(input, RIGHT);
}

bool forces_may_hold(const struct oracle *oracle, size_t atom, const unsigned char *held)
{
    bool fits = true;
    for (size_t field = 0; field < FIELDS; field++) {
        const double is = float_at(held, field), bound = oracle->bound[FIELDS * atom + field];
        fits &= isnan(bound)
                    ? !isfinite(is)
                    : bound == INFINITY || fabs(is - oracle->force[FIELDS * atom + field]) <= bound;
    }
    return fits;
}

static void say_four(const double *numbers, char *text, size_t size)
{
    snprintf(text, size, "(%.5g, %.5g, %.5g), energy %.5g", numbers[0], numbers[1], numbers[2],
             numbers[AXES]);
}

static void forces_say(const struct oracle *oracle, size_t atom, const unsigned char *held,
                       char *should, char *holds, size_t size)
{
    double is[FIELDS];
    for (size_t field = 0; field < FIELDS; field++)
        is[field] = float_at(held, field);
    say_four(oracle->force + FIELDS * atom, should, size);
    say_four(is, holds, size);
}

/* Draws about so many words: an atom has 59 entries, or twice as many. A small number is that of the atoms. */
static struct input draw_forces(uint64_t seed, size_t length)
{
    enum { FEW = 64, WORDS_OF_ATOM = 16, TYPES_DRAWN = 5 };
    return atoms_drawn(&(struct drawn_case){seed % 2 == 0 ? ATOMS_LISTS : ATOMS_SHUFFLED,
                                            length <= FEW ? length : length / WORDS_OF_ATOM,
                                            {1 + (unsigned int)(seed % TYPES_DRAWN)}},
                       seed);
}

/* Whether atoms and lists were read. They lie among words that nobody has to read. */
static bool has_read(const char *name, const struct measurement *cost, char *what, size_t size)
{
    if (cost->bytes_read >= cost->length * sizeof(uint32_t))
        return true;
    snprintf(what, size, "some entries or atoms are read by no kernel (%s): each has to be read",
             name);
    return false;
}

/* A word is a float or a whole number: bits that are no ordinary float are shown as a number. */
static void shapes_of_forces(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape){4, 4, 1, {{"word", FIELD_FLOAT, 0, 32}}};
    *output = (struct shape)FOUR_FLOATS(4, "x", "y", "z", "energy");
}

/* No part of an input is an input: longest_part is 0. */
const struct contract pair_forces_contract = {
    .words = {.function = "pair_forces()",
              .unit = "word",
              .units = "words",
              .input = "atoms and lists",
              .output = "result",
              .output_is = "the forces are",
              .by_kernel = "the forces have to be worked out by kernels, on the device",
              .when_empty = "without atoms the grid has 0 blocks, which CUDA refuses"},
    .oracle = forces_oracle,
    .may_hold = forces_may_hold,
    .say = forces_say,
    .causes = &causes_of_forces,
    .has_operation = true,
    .outputs = "atoms",
    .has_done = has_read,
    .later_schedules = 2,
    .draw = draw_forces,
    .race_shift = 4,
    .shapes = shapes_of_forces,
    .sets = true,
    .guard = NAN,    /* the number of a neighbor that there is not, too */
    .accesses = 256, /* an entry brings four atomics */
};
