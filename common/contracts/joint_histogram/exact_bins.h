/* exact_bins.h - what joint_histogram() should leave, in double precision; and what kernels leave that follow
 * another rule.
 *
 * A part of a pair is off by 8 x 2^-k at most, as the contract says, and a bin is rounded to a float: so it may be
 * off by that for each pair which touches it, and by 2^-24 of itself. The bins together are off by what rounding to
 * floats takes, 2^-24 of the pairs that are counted: one pair that is missing shows among 2^23. */
#ifndef EXACT_BINS_H
#define EXACT_BINS_H

#include "contract.h"
#include "drawn_pairs.h"

/* The contract, and mistakes that a kernel may make. */
enum rule {
    RIGHT,
    TRUNCATES,      /* (int)x in place of floor(x) */
    EDGE_TOO_EARLY, /* only x <= x_bins - 4 is counted */
    SIDES_SWAPPED,  /* the weights of x belong to bins along y */
    MIRRORED,       /* 1 - t in place of t */
    TRANSPOSED,     /* bin x * y_bins + y */
    RULES
};

struct oracle {
    enum rule rule;
    struct sides sides;
    size_t bins, outputs;  /* more outputs than bins: slopes */
    double *right, *bound; /* what an output should be, and how far it may be off */
    uint64_t counted;      /* pairs */
    double unit;           /* each of them may be off by so much in a bin */
};

/* What a kernel leaves that follows a rule; contract_forget frees it. */
struct oracle *joint_by(const struct input *input, enum rule rule);

/* What the bins hold together; and whether that is right. */
double bins_total(const struct oracle *oracle, const unsigned char *held);
bool bins_total_fits(const struct oracle *oracle, const unsigned char *held);

extern const struct causes causes_of_joint;

#endif
