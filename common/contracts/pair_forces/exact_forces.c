/* exact_forces.c - forces of pairs in double precision: see exact_forces.h. */
#include "exact_forces.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { AXES = 3, FIELDS = 4, WARP = 32 };

static double number_at(const struct oracle *oracle, size_t word)
{
    return float_at((const unsigned char *)oracle->words, word);
}

/* An entry: of atom i, its neighbor j, and d from j to i. */
struct pair {
    size_t i, j;
    double d[AXES], r;
    double largest; /* magnitude of a coordinate, or the box */
    bool is_first;  /* of 32 entries of the list */
    bool counts;    /* within the cutoff */
    bool maybe;     /* no more than rounding decides whether it counts, or which image is nearest */
};

/* 10 bits behind the point, and not too many before it: nothing rounds. */
static bool is_short(double number)
{
    return fabs(number) < 1024 && number * 1024 == rint(number * 1024);
}

static bool is_half(double number)
{
    return fabs(fabs(number - rint(number)) - 0.5) < ldexp(1, -20);
}

static void measure_pair(const struct oracle *oracle, struct pair *pair, enum variant variant)
{
    const double box = (double)oracle->box, given = (double)oracle->cutoff;
    const double cutoff = variant == NO_CUTOFF       ? INFINITY
                          : variant == CUTOFF_SQUARE ? sqrt(given)
                                                     : given;
    const bool repeats = variant != NO_IMAGES && box > 0 && isfinite(box);
    bool exact = is_short(cutoff), is_tie = false;
    double square = 0;
    pair->largest = repeats ? box : 0;
    for (size_t axis = 0; axis < AXES; axis++) {
        const double far =
            number_at(oracle, 4 * pair->i + axis) - number_at(oracle, 4 * pair->j + axis);
        const double boxes = variant == NEXT_IMAGE  ? floor(far / box)
                             : variant == CUT_IMAGE ? trunc(far / box)
                                                    : rint(far / box);
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
                   !(variant == BELOW_CUTOFF && pair->r == cutoff);
    pair->maybe =
        (is_tie && pair->counts) || (square > 0 && close > 0 && fabs(pair->r - cutoff) <= close);
}

/* F by r and V, and the sums of the magnitudes of their terms. */
struct terms {
    double force, energy, force_terms, energy_terms;
};

static struct terms terms_of(const struct oracle *oracle, const struct pair *pair,
                             enum variant variant)
{
    const double f = 138.935485f, r = pair->r;
    const uint32_t *type = oracle->words + oracle->at.type;
    const size_t s = variant == FIRST_TYPES ? 0 : type[pair->i];
    const size_t t = variant == FIRST_TYPES || variant == OWN_TYPE ? s : type[pair->j];
    const size_t row = oracle->at.c6_c12 + 2 * (s * oracle->at.types + t);
    const double attraction = number_at(oracle, row) * pow(r, -6);
    const double repulsion = number_at(oracle, row + 1) * pow(r, -12);
    const double charges = variant == NO_CHARGES ? 0
                                                 : f * number_at(oracle, 4 * pair->i + AXES) *
                                                       number_at(oracle, 4 * pair->j + AXES) / r;
    const double sizes[] = {fabs(repulsion), fabs(attraction), fabs(charges)};
    return (struct terms){
        (12 * repulsion - 6 * attraction + charges) / r, repulsion - attraction + charges,
        (12 * sizes[0] + 6 * sizes[1] + sizes[2]) / r, sizes[0] + sizes[1] + sizes[2]};
}

static void add(double *force, size_t atom, double sign, const struct pair *pair,
                const struct terms *terms, enum variant variant)
{
    for (size_t axis = 0; axis < AXES; axis++)
        force[FIELDS * atom + axis] += sign * terms->force * (pair->d[axis] / pair->r);
    force[FIELDS * atom + AXES] += variant == WHOLE_ENERGY ? terms->energy : terms->energy / 2;
}

/* By how much an atom may be off for this pair, but for the rounding of sums. */
static void add_bound(struct oracle *oracle, size_t atom, const struct pair *pair,
                      const struct terms *terms)
{
    const double unit = ldexp(1, -24), nearest = ldexp(1, -8), most = ldexp(1, 120);
    const bool is_none = !isfinite(terms->energy);
    const bool any = is_none || pair->r < nearest || terms->force_terms >= most * pair->r ||
                     terms->force_terms >= most;
    const double part = pair->maybe ? 2 : 16 * unit + 14 * 2 * unit * pair->largest / pair->r;
    for (size_t field = 0; field < FIELDS; field++) {
        const double size = field < AXES ? terms->force_terms : terms->energy_terms / 2;
        oracle->bound[FIELDS * atom + field] += any ? INFINITY : part * size + 4 * (double)FLT_MIN;
    }
    oracle->is_none[atom] |= is_none && !pair->maybe && pair->counts;
}

/* The sums round once for each pair, at most. */
static void add_rounding(struct oracle *oracle, const double *terms)
{
    for (size_t i = 0; i < FIELDS * oracle->at.atoms; i++)
        oracle->bound[i] += ldexp(oracle->pairs[i / FIELDS], -24) * terms[i];
}

/* Whether a mistaken kernel comes to an entry of a list. */
static bool is_taken(size_t entry, size_t begin, size_t end, enum variant variant)
{
    const size_t number = entry - begin;
    return variant == WHOLE_ROUNDS  ? number < (end - begin) / WARP * WARP
           : variant == FIRST_ROUND ? number < WARP
                                    : true;
}

static void add_pair(const struct oracle *oracle, const struct pair *pair, enum variant variant,
                     double *force)
{
    const bool is_half_list = operation_now() == HALF_LISTS;
    const struct terms terms = terms_of(oracle, pair, variant);
    const double sign = variant == PULLED ? -1 : 1;
    if (variant != FIRST_LANE || pair->is_first)
        add(force, pair->i, sign, pair, &terms, variant);
    if (is_half_list ? variant != OTHERS_LEFT_OUT : variant == OTHERS_ADDED)
        add(force, pair->j, variant == PUSHED_ALIKE ? sign : -sign, pair, &terms, variant);
}

void oracle_variant(const struct oracle *oracle, enum variant variant, double *force)
{
    memset(force, 0, oracle->at.atoms * FIELDS * sizeof *force);
    const uint32_t *first = oracle->words + oracle->at.first;
    for (size_t i = 0; i < oracle->at.atoms; i++)
        for (size_t n = first[i]; n < first[i + 1]; n++) {
            struct pair pair = {.i = i,
                                .j = oracle->words[oracle->at.neighbors + n],
                                .is_first = (n - first[i]) % WARP == 0};
            measure_pair(oracle, &pair, variant);
            if (pair.counts && is_taken(n, first[i], first[i + 1], variant))
                add_pair(oracle, &pair, variant, force);
        }
}

/* One entry: what it adds to bounds and numbers of its atom, and with half lists of its neighbor. */
static void note_entry(struct oracle *oracle, struct pair *pair, double *sizes)
{
    const size_t atoms[] = {pair->i, pair->j}, ends = operation_now() == HALF_LISTS ? 2 : 1;
    measure_pair(oracle, pair, AS_IT_SHOULD);
    const struct terms terms = terms_of(oracle, pair, AS_IT_SHOULD);
    oracle->near += pair->counts;
    oracle->unsure += pair->maybe;
    for (size_t end = 0; end < ends; end++) {
        const size_t atom = atoms[end];
        oracle->at_one[atom] += pair->r == 0;
        if (!pair->counts && !pair->maybe)
            continue;
        oracle->pairs[atom]++;
        add_bound(oracle, atom, pair, &terms);
        for (size_t field = 0; field < FIELDS; field++)
            sizes[FIELDS * atom + field] +=
                field < AXES ? terms.force_terms : terms.energy_terms / 2;
    }
}

static void note_bounds(struct oracle *oracle)
{
    const uint32_t *first = oracle->words + oracle->at.first;
    double *sizes = oracle_room(oracle, oracle->at.atoms, FIELDS * sizeof *sizes);
    for (size_t i = 0; i < oracle->at.atoms; i++) {
        const size_t before = oracle->near;
        for (size_t n = first[i]; n < first[i + 1]; n++) {
            struct pair pair = {.i = i, .j = oracle->words[oracle->at.neighbors + n]};
            note_entry(oracle, &pair, sizes);
        }
        oracle->lists += oracle->near > before;
    }
    add_rounding(oracle, sizes);
}

struct oracle *oracle_of(const struct input *input)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    const struct arrays at = arrays_of(input->length, input->more);
    *oracle = (struct oracle){.at = at,
                              .box = float_of(input->more, BOX),
                              .cutoff = float_of(input->more, CUTOFF),
                              .words = oracle_room(oracle, input->length, sizeof(uint32_t)),
                              .force = oracle_room(oracle, at.atoms, FIELDS * sizeof(double)),
                              .bound = oracle_room(oracle, at.atoms, FIELDS * sizeof(double)),
                              .pairs = oracle_room(oracle, at.atoms, sizeof(uint32_t)),
                              .at_one = oracle_room(oracle, at.atoms, sizeof(uint32_t)),
                              .is_none = oracle_room(oracle, at.atoms, sizeof(bool))};
    memcpy(oracle->words, input->elements, input->length * sizeof(uint32_t));
    note_bounds(oracle);
    oracle_variant(oracle, AS_IT_SHOULD, oracle->force);
    return oracle;
}

bool oracle_may_hold(const struct oracle *oracle, size_t atom, const unsigned char *held)
{
    for (size_t field = 0; field < FIELDS; field++) {
        const size_t at = FIELDS * atom + field;
        const double is = float_at(held, field);
        if (field == AXES && oracle->is_none[atom] && isfinite(is))
            return false;
        if (oracle->bound[at] < INFINITY && !(fabs(is - oracle->force[at]) <= oracle->bound[at]))
            return false;
    }
    return true;
}

static void say_four(const double *numbers, char *text, size_t size)
{
    snprintf(text, size, "(%.5g, %.5g, %.5g), energy %.5g", numbers[0], numbers[1], numbers[2],
             numbers[AXES]);
}

void oracle_say(const struct oracle *oracle, size_t atom, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    double is[FIELDS];
    for (size_t field = 0; field < FIELDS; field++)
        is[field] = float_at(held, field);
    say_four(oracle->force + FIELDS * atom, should, size);
    say_four(is, holds, size);
}
