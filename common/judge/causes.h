/* causes.h - which outputs are wrong, the likeliest cause, and what is said of it.
 *
 * Each cause is a function that looks for one pattern and writes a sentence when it fits. A contract lists those that
 * may be, from the most to the least specific, and the first that fits is told. Those that several contracts have are
 * here. Most are hypotheses: what the outputs would be if only some of the units were read, if each came several
 * times, or if the kernel made a certain mistake. A contract works that out as it works out what is right. */
#ifndef CAUSES_H
#define CAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"

struct input;
struct oracle;

/* Outputs that are wrong, and what is known of them. */
struct difference {
    const struct input *input;
    const struct oracle *oracle;
    const unsigned char *held;          /* the bins, or the result, after the call */
    const unsigned char *again;         /* the same after a call on another schedule, or NULL */
    const unsigned char *before;        /* what they held before, or NULL where nobody knows */
    size_t wrong, first;                /* bins, and the first of them */
    uint64_t right_before;              /* calls of this process whose outputs were right */
    double bound;                       /* by which a single float may be off; 0: not yet known */
    uint64_t blocks, threads_per_block; /* of the last launch, or 0 */
    const struct measurement
        *seen;         /* what a call did on another schedule; NULL when nobody knows */
    const void *known; /* what the contract knows besides */
    char *cause;
    size_t size;
    bool is_unknown; /* the sentence says that we do not know */
};

/* Looks for a pattern of a wrong output, and writes a sentence into difference->cause when it fits. */
typedef bool cause_of_output(struct difference *difference);

/* Which units are read. In most kernels thread t of a block gets the units whose index has the rest t. */
enum part {
    ALL_UNITS,
    FIRST_UNITS,  /* so many */
    LAST_UNITS,   /* so many */
    EVERY_SECOND, /* from the first, or the second, on */
    BUT_BLOCK,    /* all but those of a block whose threads take turns with those of others */
    BUT_SECTION,  /* of a block whose units lie in a row */
    BUT_SECTIONS, /* of a block whose threads have units in a row each */
    BUT_FIRST,
    BUT_LAST, /* of the units that a thread has in a row */
    /* The next four are read in each block, and, where there are several launches, in those that reduce what the
     * blocks before have left: */
    LANE_0,     /* one unit of each warp */
    WARP_0,     /* the units of the first warp */
    FULL_WARPS, /* the units of warps that are full */
    HALVES      /* the units that a tree keeps which drops an odd one */
};

/* What a kernel may have done in place of what it has to do. All 0: it has done what it has to. */
struct hypothesis {
    enum part part;
    uint64_t
        number; /* so many units, or the number of the block; 1 where only the first launch keeps one lane, warp and so on */
    uint64_t times; /* each of these units came so often; 0: once */
    int rule;       /* the number of a mistake in the contract's list, from 1 on */
    uint64_t length, blocks, threads; /* of the input, the grid, a block */
};
/* Whether unit i is read. */
bool is_read(const struct hypothesis *hypothesis, size_t i);

/* What outputs should be, where they are integers and more of them means that more came. */
struct integers {
    const unsigned char *right; /* NULL: they are something else */
    size_t bytes;               /* of one: 4 or 8 */
    bool are_counts;            /* each unit adds 1 */
};

/* A contract gives its causes, of which the last is NULL; a sentence for each mistake, from number 1 on, the last
 * NULL; and the oracle by a hypothesis, which contract_forget frees. */
struct causes {
    cause_of_output *const *likely;
    const char *const *mistakes;
    struct oracle *(*oracle_if)(const struct input *input, const struct hypothesis *hypothesis);
    struct integers (*integers)(const struct oracle *oracle);
};

/* Finds the outputs that are wrong, as the contract says or one by one; returns whether there are none. */
bool contract_compare(struct difference *difference);
/* Says which outputs are wrong, and the likeliest cause, as the contract says it or as explain_output does. */
void contract_explain(const struct difference *difference, char *message, size_t size);
/* The name of the first output that is wrong: "bin 7" of "bins", unless the contract has another. */
void contract_name(const struct difference *difference, char *name, size_t size);
/* How many of so many outputs are none that they may hold, and the first of them. */
size_t wrong_outputs(const struct difference *difference, const unsigned char *held, size_t outputs,
                     size_t *first);
/* "bin 7: should be 2, is 3": of the first one that is wrong, where it is called "bin 7". */
enum { FIRST_OUTPUT = 400 };
void say_first(const struct difference *difference, const char *called, char text[FIRST_OUTPUT]);
/* Explains the first one that is wrong, of `all`: "wrong on INPUT: 3 of 40 bins; likeliest cause: ...\n  bin 7:
 * should be 2, is 3", where `outputs` are "bins" and it is called "bin 7". */
void explain_output(const struct difference *difference, size_t all, const char *outputs,
                    const char *called, char *message, size_t size);

/* Tries the contract's causes until one fits. */
void first_cause(struct difference *difference);
/* Writes the sentence and returns true. In it {unit}, {units}, {done}, {output} and {begin} stand for words of the
 * contract (contract.h), and {most} for how often a unit was read at most. */
bool because(const struct difference *difference, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Does the same with a sentence which says that we do not know, or do not know which of several causes it is. Then
 * smaller inputs are tried. */
bool nobody_knows(struct difference *difference, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether the outputs are right by another oracle, which is freed; or by a hypothesis about this grid. */
bool holds_by(const struct difference *difference, struct oracle *other);
bool holds_if(const struct difference *difference, struct hypothesis hypothesis);

/* How often the call that was watched has read the units of the input. */
enum reads {
    READS_UNKNOWN, /* nobody has watched one */
    READ_ONCE,
    READ_EVENLY, /* each is read as often as the others, and more than once, as in several passes */
    READ_AGAIN,  /* each is read, and some more than once */
    READ_NEVER,  /* some are read by nobody, and none more than once */
    READ_UNEVENLY /* some are read by nobody, some more than once */
};
enum reads reads_of(const struct difference *difference);

/* What came to all outputs and what should have come, and by how much some have too much and others too little. All is
 * 0 where outputs are no integers. */
struct tally {
    struct integers of;
    uint64_t came, should, more, less;
    size_t many, few; /* outputs that have too much, and too little */
    size_t outputs;   /* to which anything should come */
};
struct tally tally_of(const struct difference *difference);

/* Causes. */
/* The first wrong output is as it was before the call, or is a float that should be set, and was added to. */
cause_of_output output_is_as_before;
cause_of_output known_mistake; /* the kernel makes a mistake of the contract's list */
cause_of_output several_times;
cause_of_output set_by_atomics;  /* of counts: by atomics that do not add */
cause_of_output from_nowhere;    /* a count is larger than all blocks could make it */
cause_of_output skipped_counted; /* units without a bin are counted, too */
cause_of_output schedules_differ;
cause_of_output each_by_as_much;
cause_of_output one_output_left_out;   /* the only one that is wrong is as it was */
cause_of_output outputs_left_out;      /* several that lie side by side are as they were */
cause_of_output outputs_several_times; /* some outputs hold a multiple, and others are right */
cause_of_output part_of_block_missing, block_missing, sections_cut, tail_dropped, beginning_again;
cause_of_output more_or_less; /* it says what can always be said */

#endif
