/* exact_forces.h - what pair_forces() should leave, in double precision, and by how much it may be off.
 *
 * T is |12 c12 r^-12| + |6 c6 r^-6| + |f q q / r|, by r, of a pair. The pair's force may be off by 16 x 2^-24 T,
 * and by 2^-24 T more for each pair of its atom, since any order of additions is right. A coordinate of up to
 * B in magnitude is rounded by 2^-24 B, so that a distance is off by up to 2^-23 B; T goes with up to r^-14, so
 * each pair brings 14 x 2^-23 B / r T besides. B is the box, or the difference of two coordinates if that is more.
 * Energies have the same, with terms of their own. */
#ifndef EXACT_FORCES_H
#define EXACT_FORCES_H

#include "contract.h"
#include "drawn_atoms.h"

/* The contract, and mistakes that a kernel may make. */
enum rule {
    RIGHT,
    PUSHED_ALIKE,    /* j gets F, not -F */
    OTHERS_LEFT_OUT, /* j gets nothing of half lists */
    PULLED,          /* -F for F */
    NO_IMAGES,
    NEXT_IMAGE, /* floor in place of rint */
    NO_CUTOFF,
    BELOW_CUTOFF,  /* r < cutoff */
    CUTOFF_SQUARE, /* r^2 <= cutoff */
    OWN_TYPE,      /* of the type of i twice */
    WHOLE_ROUNDS,  /* entries of whole rounds of 32 */
    FIRST_ROUND,   /* the first 32 entries */
    FIRST_LANE,    /* i gets those of entries 0, 32 and so on */
    WHOLE_ENERGY,  /* V, not half of it */
    OWN_CHARGE,    /* q_i q_i */
    FORMULAS,      /* from here on one term of the formula is another: see formula_of() */
    CHARGES_SQUARE = FORMULAS,
    CHARGES_UNDIVIDED,
    CHARGES_WITHOUT_F,
    CHARGES_SUBTRACTED,
    CHARGES_SUBTRACTED_IN_F,
    WITHOUT_CHARGES,
    WITHOUT_CHARGES_IN_F,
    WITHOUT_CHARGES_IN_V,
    ATTRACTION_BY_12,
    REPULSION_BY_6,
    BY_6_AND_12,
    WITHOUT_12_AND_6,
    ENERGY_BY_12_AND_6,
    ATTRACTION_ADDED,
    ATTRACTION_ADDED_IN_F,
    ATTRACTION_ADDED_IN_V,
    POWER_OF_4,
    POWER_OF_3,
    C12_BY_R_6,
    C12_BY_R_8,
    C6_FOR_C12,
    NOT_DIVIDED,
    DIVIDED_BY_R,
    RULES
};

struct oracle {
    struct arrays at;
    enum rule rule;
    enum operation operation;
    float box, cutoff;
    uint32_t *words; /* of the input */
    double *force;   /* four of each atom: x, y, z, and the energy */
    double *bound;   /* the same; infinite where anything is right, NaN where no finite number is */
    double *sizes;   /* the same: sums of the magnitudes of what is added */
    uint32_t *pairs; /* of each atom that count */
    uint32_t *at_one;   /* entries of its list, and of lists that it is in, with r = 0 */
    size_t near, lists; /* entries that count; lists with any such */
    size_t unsure;      /* entries of which rounding decides whether they count */
};

/* What a rule leaves; contract_forget frees it. */
struct oracle *forces_by(const struct input *input, enum rule rule);

struct oracle *forces_oracle(const struct input *input);
bool forces_may_hold(const struct oracle *oracle, size_t output, const unsigned char *held);
extern const struct causes causes_of_forces;

#endif
