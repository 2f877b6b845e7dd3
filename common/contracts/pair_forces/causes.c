/* causes.c - the likeliest cause of a wrong force: what certain mistakes would leave is worked out and compared. */
#include "contract.h"

#include <math.h>

#include "exact_forces.h"

enum { AXES = 3, FIELDS = 4 };

static const char *const mistakes[RULES + 1] = {
    [PUSHED_ALIKE] = "the two atoms of a pair are pushed the same way: j gets -F when i gets F",
    [OTHERS_LEFT_OUT] = "an atom has only what its own list brings; with half lists it is in "
                        "others, which have to add to it, too",
    [PULLED] = "each force has the other sign: d goes from the neighbor to the atom, x_i - x_j",
    [NO_IMAGES] = "pairs across the box are missing, or too far apart: of all images the nearest "
                  "one counts, d - box * rint(d / box)",
    [NEXT_IMAGE] =
        "of all images of an atom the next one below is taken, and the nearest one counts: "
        "d - box * rint(d / box), not floor",
    [NO_CUTOFF] = "pairs beyond the cutoff are counted",
    [BELOW_CUTOFF] = "pairs at exactly the cutoff are left out, and they count",
    [CUTOFF_SQUARE] = "the square of r is compared with the cutoff, which has to be squared, too",
    [OWN_TYPE] = "c6 and c12 are those of two atoms of the type of i: the neighbor has its own",
    [WHOLE_ROUNDS] = "the last entries of a list are missing, those behind whole rounds of 32",
    [FIRST_ROUND] = "entries from the 33rd of a list on are missing: a warp takes 32 at a time",
    [FIRST_LANE] = "of its own list an atom has entries 0, 32 and so on: what the other lanes "
                   "bring is lost",
    [WHOLE_ENERGY] = "an atom has half of the energy of a pair, and here it has all of it",
    [OWN_CHARGE] = "the charge of i is taken twice: the neighbor has its own",
    [CHARGES_SQUARE] = "the formula is another: f q_i q_j is divided by r^2, and has to be by r",
    [CHARGES_UNDIVIDED] = "the formula is another: f q_i q_j is not divided by r",
    [CHARGES_WITHOUT_F] = "the formula is another: q_i q_j / r is not multiplied by f, COULOMB",
    [CHARGES_SUBTRACTED] = "the formula is another: f q_i q_j / r is subtracted, and has to be "
                           "added",
    [CHARGES_SUBTRACTED_IN_F] = "the formula of F is another: f q_i q_j / r is subtracted, and "
                                "has to be added",
    [WITHOUT_CHARGES] = "the formula is another: f q_i q_j / r is missing",
    [WITHOUT_CHARGES_IN_F] = "the formula of F is another: f q_i q_j / r is missing",
    [WITHOUT_CHARGES_IN_V] = "the formula of V is another: f q_i q_j / r is missing",
    [ATTRACTION_BY_12] = "the formula of F is another: c6 r^-6 is taken 12 times, and not 6 times",
    [REPULSION_BY_6] = "the formula of F is another: c12 r^-12 is taken 6 times, and not 12 times",
    [BY_6_AND_12] = "the formula of F is another: 12 and 6 have changed places: c12 r^-12 has to "
                    "be taken 12 times",
    [WITHOUT_12_AND_6] = "the formula of F is another: c12 r^-12 is taken 12 times, and c6 r^-6 6 "
                         "times, which they are not in V",
    [ENERGY_BY_12_AND_6] = "the formula of V is another: its terms are taken once; the factors 12 "
                           "and 6 are those of F",
    [ATTRACTION_ADDED] = "the formula is another: c6 r^-6 is added, and has to be subtracted",
    [ATTRACTION_ADDED_IN_F] =
        "the formula of F is another: c6 r^-6 is added, and has to be subtracted",
    [ATTRACTION_ADDED_IN_V] =
        "the formula of V is another: c6 r^-6 is added, and has to be subtracted",
    [POWER_OF_4] =
        "the formula is another: r^-4 stands for r^-6, and r^-8 for r^-12; three factors "
        "r^-2 make r^-6",
    [POWER_OF_3] = "1 / r stands for 1 / r^2 in the powers of both terms, and where d is "
                   "multiplied: r is the root of d's square",
    [C12_BY_R_6] = "the formula is another: c12 is multiplied by r^-6, and has to be by r^-12",
    [C12_BY_R_8] = "the formula is another: c12 is multiplied by r^-8, and has to be by r^-12, "
                   "which is the square of r^-6",
    [C6_FOR_C12] = "the formula is another: c6 and c12 have changed places",
    [NOT_DIVIDED] = "the formula of F is another: the factor r^-2 before d is missing",
    [DIVIDED_BY_R] = "the formula of F is another: the factor before d is r^-2, and here it is "
                     "r^-1",
};

/* A number of the first atom that is wrong, as it is held. */
static double held_at(const struct difference *d, size_t field)
{
    return float_at(d->held, FIELDS * d->first + field);
}

static bool is_right_of_forces(const struct difference *d, size_t field)
{
    const size_t at = FIELDS * d->first + field;
    return fabs(held_at(d, field) - d->oracle->force[at]) <= d->oracle->bound[at];
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

/* A pair pushes along a line, so that one component is not wrong alone. */
static bool one_component(struct difference *d)
{
    size_t wrong = 0, which = 0;
    for (size_t axis = 0; axis < AXES; axis++)
        if (!is_right_of_forces(d, axis)) {
            wrong++;
            which = axis;
        }
    return wrong == 1 && is_right_of_forces(d, AXES) &&
           because(d,
                   "only %c of the force is wrong: all three components have the same factor and "
                   "the same sign, and are added alike",
                   "xyz"[which]);
}

static bool other_pairs(struct difference *d)
{
    bool is_right = true;
    if (!(d->oracle->cutoff > 0))
        return because(d, "the cutoff is not above 0, and leaves no pair, whatever its square is");
    for (size_t axis = 0; axis < AXES; axis++)
        is_right = is_right && is_right_of_forces(d, axis);
    return nobody_knows(
        d,
        "we do not know: of its %u pairs some are missing, some came twice, or the formula is "
        "another%s",
        d->oracle->pairs[d->first], is_right ? ": the force is right, and the energy is not" : "");
}

static struct oracle *forces_if(const struct input *input, const struct hypothesis *hypothesis)
{
    return forces_by(input, (enum rule)hypothesis->rule);
}

static cause_of_output *const likely[] = {
    no_number, known_mistake, output_is_as_before, is_zero, one_component, other_pairs, NULL};

const struct causes causes_of_forces = {likely, mistakes, forces_if, NULL};
