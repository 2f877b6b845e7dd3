/* causes.c - the likeliest cause of a wrong force: what certain mistakes would leave, worked out anew. */
#include "contract.h"

#include <math.h>
#include <stdlib.h>

#include "exact_forces.h"
#include "must_have.h"

enum { AXES = 3, FIELDS = 4, FORCE = 16 };

static const char *const says[VARIANTS] = {
    [PUSHED_ALIKE] = "the two atoms of a pair are pushed the same way: j gets -F when i gets F",
    [OTHERS_LEFT_OUT] = "an atom has only what its own list brings; with half lists it is in "
                        "others, which have to add to it, too",
    [OTHERS_ADDED] = "with full lists each pair is in two lists: what a list adds to the "
                     "neighbors comes twice",
    [PULLED] = "each force has the other sign: d goes from the neighbor to the atom, x_i - x_j",
    [NO_IMAGES] = "pairs across the box are missing, or too far apart: of all images the nearest "
                  "one counts, d - box * rint(d / box)",
    [NEXT_IMAGE] =
        "of all images of an atom the next one below is taken, and the nearest one counts: "
        "d - box * rint(d / box), not floor",
    [CUT_IMAGE] =
        "of all images of an atom the nearest one counts: d - box * rint(d / box), and (int) "
        "cuts towards 0",
    [NO_CUTOFF] = "pairs beyond the cutoff are counted",
    [BELOW_CUTOFF] = "pairs at exactly the cutoff are left out, and they count",
    [CUTOFF_SQUARE] = "the square of r is compared with the cutoff, which has to be squared, too",
    [FIRST_TYPES] = "c6 and c12 are those of types 0 and 0: a pair has those of its types, number "
                    "s * types + t",
    [OWN_TYPE] = "c6 and c12 are those of two atoms of the type of i: the neighbor has its own",
    [NO_CHARGES] = "the charges are missing: f q_i q_j / r",
    [WHOLE_ROUNDS] = "the last entries of a list are missing, those behind whole rounds of 32",
    [FIRST_ROUND] = "entries from the 33rd of a list on are missing: a warp takes 32 at a time",
    [FIRST_LANE] = "of its own list an atom has entries 0, 32 and so on: what the other lanes "
                   "bring is lost",
    [WHOLE_ENERGY] = "an atom has half of the energy of a pair, and here it has all of it",
};

/* A number of the first atom that is wrong, as it is held; and by how much it is off. */
static double held_at(const struct difference *d, size_t field)
{
    return float_at(d->held + d->first * FORCE, field);
}

static double error_at(const struct difference *d, size_t field)
{
    return held_at(d, field) - d->oracle->force[FIELDS * d->first + field];
}

/* Whether each atom holds what `force` says, but for rounding, or anything is right there. */
static bool fits(const struct difference *d, const double *force)
{
    for (size_t i = 0; i < FIELDS * d->oracle->at.atoms; i++) {
        const double is = float_at(d->held, i);
        const double slack = 4 * d->oracle->bound[i] + 2e-5 * fabs(force[i]);
        if (!(fabs(is - force[i]) <= slack) && slack < INFINITY)
            return false;
    }
    return true;
}

static bool known_mistake(struct difference *d)
{
    bool found = false;
    double *force = room_for(d->oracle->at.atoms, FIELDS * sizeof *force, "for a mistake's forces");
    for (enum variant variant = AS_IT_SHOULD + 1; variant < VARIANTS && !found; variant++) {
        oracle_variant(d->oracle, variant, force);
        found = fits(d, force) && because(d, "%s", says[variant]);
    }
    free(force);
    return found;
}

static bool held_before(struct difference *d)
{
    const double before = d->before ? float_at(d->before, FIELDS * d->first) : 0;
    if (fabs(before) < 1)
        return false;
    if (held_at(d, 0) == before)
        return because(d, "it holds what it held before the call: no thread sets it");
    return fabs(error_at(d, 0) - before) <= 1e-4 * fabs(before) &&
           because(d, "what it held before the call is in it: set the forces to 0 before any is "
                      "added");
}

static bool no_number(struct difference *d)
{
    if (isfinite(held_at(d, 0)) && isfinite(held_at(d, 1)) && isfinite(held_at(d, 2)))
        return false;
    return because(d, d->oracle->at_one[d->first] > 0
                          ? "a list has the atom itself, or one at the same place: 1 / r is "
                            "infinite, and the pair brings nothing"
                          : "a pair whose distance is a NaN or infinite was counted, or memory "
                            "that nobody has written");
}

static bool is_zero(struct difference *d)
{
    return held_at(d, 0) == 0 && held_at(d, 1) == 0 && held_at(d, AXES) == 0 &&
           because(d, "no pair has brought anything to it, and %u of its pairs count%s",
                   d->oracle->pairs[d->first],
                   d->oracle->box > 0 ? "" : ", though no image of them does: there is no box");
}

static bool other_pairs(struct difference *d)
{
    const double *bound = d->oracle->bound + FIELDS * d->first;
    if (!(d->oracle->cutoff > 0))
        return because(d, "the cutoff is not above 0, and leaves no pair, whatever its square is");
    if (fabs(error_at(d, 0)) <= bound[0] && fabs(error_at(d, 1)) <= bound[1])
        return because(d, "the force is right, and the energy is not: half of c12 r^-12 - c6 r^-6 "
                          "+ f q_i q_j / r");
    return nobody_knows(
        d,
        "we do not know: of its %u pairs some are missing, some came twice, or the formula is "
        "another",
        d->oracle->pairs[d->first]);
}

cause_of_output *const likely_causes[] = {no_number, known_mistake, held_before,
                                          is_zero,   other_pairs,   NULL};
