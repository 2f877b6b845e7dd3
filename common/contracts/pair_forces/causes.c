/* causes.c - the likeliest cause of a wrong force: what certain mistakes would leave, worked out anew. */
#include "contract.h"

#include <math.h>
#include <stdlib.h>

#include "exact_forces.h"
#include "float_sum.h"

enum { AXES = 3, FIELDS = 4, FORCE = 16 };

static double held_at(const struct difference *d, size_t i)
{
    return (double)float_at(d->held + i * sizeof(float));
}

/* Whether each atom holds what `force` says, but for rounding, or anything is right there. */
static bool fits(const struct difference *d, const double *force)
{
    const struct oracle *oracle = d->oracle;
    for (size_t i = 0; i < FIELDS * oracle->at.atoms; i++) {
        const double slack = 4 * oracle->bound[i] + 2e-5 * fabs(force[i]);
        if (!(!(slack < INFINITY) || fabs(held_at(d, i) - force[i]) <= slack))
            return false;
    }
    return true;
}

static const struct {
    enum variant variant;
    const char *says;
} mistakes[] = {
    {PUSHED_ALIKE, "the two atoms of a pair are pushed the same way: j gets -F when i gets F"},
    {OTHERS_LEFT_OUT, "an atom has only what its own list brings; with half lists it is in others, "
                      "which have to add to it, too"},
    {OTHERS_ADDED, "with full lists each pair is in two lists: what a list adds to the neighbors "
                   "comes twice"},
    {PULLED, "each force has the other sign: d goes from the neighbor to the atom, x_i - x_j"},
    {NO_IMAGES, "pairs across the box are missing, or too far apart: of all images the nearest "
                "one counts, d - box * rint(d / box)"},
    {NO_CUTOFF, "pairs beyond the cutoff are counted"},
    {FIRST_TYPES,
     "c6 and c12 are those of types 0 and 0: a pair has those of its types, number s * "
     "types + t"},
    {OWN_TYPE, "c6 and c12 are those of two atoms of the type of i: the neighbor has its own"},
    {NO_CHARGES, "the charges are missing: f q_i q_j / r"},
    {WHOLE_ROUNDS, "the last entries of a list are missing, those behind whole rounds of 32"},
    {FIRST_ROUND, "entries from the 33rd of a list on are missing: a warp takes 32 at a time"},
    {FIRST_LANE,
     "of its own list an atom has entries 0, 32 and so on: what the other lanes bring is lost"},
    {WHOLE_ENERGY, "an atom has half of the energy of a pair, and here it has all of it"},
};

static bool known_mistake(struct difference *d)
{
    bool found = false;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes && !found; i++) {
        double *force = oracle_variant(d->oracle, mistakes[i].variant);
        found = fits(d, force) && because(d, "%s", mistakes[i].says);
        free(force);
    }
    return found;
}

static bool nothing_written(struct difference *d)
{
    return d->before &&
           memcmp(d->held + d->first * FORCE, d->before + d->first * FORCE, FORCE) == 0 &&
           because(d, "it holds what it held before the call: no thread sets it");
}

static bool added_to_before(struct difference *d)
{
    const size_t x = d->first * FIELDS;
    const double before = d->before ? (double)float_at(d->before + x * sizeof(float)) : 0;
    return d->before && fabs(before) > 1 &&
           fabs(held_at(d, x) - before - d->oracle->force[x]) <= 1e-4 * fabs(before) &&
           because(d, "what it held before the call is in it: set the forces to 0 before any is "
                      "added");
}

static bool none_in_place_of_a_number(struct difference *d)
{
    const size_t x = d->first * FIELDS;
    bool is_finite = true;
    for (size_t field = 0; field < FIELDS; field++)
        is_finite &= isfinite(held_at(d, x + field)) != 0;
    if (is_finite)
        return false;
    return because(d, d->oracle->at_one[d->first] > 0
                          ? "a list has the atom itself, or one at the same place: 1 / r is "
                            "infinite, and the pair brings nothing"
                          : "a pair whose distance is a NaN or infinite was counted, or memory "
                            "that nobody has written");
}

/* All of it is zero. */
static bool is_zero(struct difference *d)
{
    const size_t x = d->first * FIELDS;
    return held_at(d, x) == 0 && held_at(d, x + 1) == 0 && held_at(d, x + AXES) == 0 &&
           because(d, "no pair has brought anything to it, and %u of its pairs count",
                   d->oracle->pairs[d->first]);
}

static bool wrong_energy(struct difference *d)
{
    const size_t x = d->first * FIELDS;
    for (size_t field = 0; field < AXES; field++)
        if (!(fabs(held_at(d, x + field) - d->oracle->force[x + field]) <=
              d->oracle->bound[x + field]))
            return false;
    return because(d, "the force is right, and the energy is not: half of c12 r^-12 - c6 r^-6 + f "
                      "q_i q_j / r");
}

static bool other_pairs(struct difference *d)
{
    return because(d,
                   "of its %u pairs some are missing, some came twice, or the formula is another",
                   d->oracle->pairs[d->first]);
}

cause_of_output *const likely_causes[] = {nothing_written, none_in_place_of_a_number,
                                          known_mistake,   added_to_before,
                                          is_zero,         wrong_energy,
                                          other_pairs,     NULL};
