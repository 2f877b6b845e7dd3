/* drawn_input.h - the inputs that a contract draws outside of its suites, where a seed and a few numbers say one: that
 * on which all its chapters are run (drawn_input.c then has the input_write and input_read of run.h), those of a trace
 * (traced_contract.h), and those on which they are timed on a card (common/bench/gpu/calls.c).
 *
 * Each contract has one, where it draws its inputs (contract.h). */
#ifndef DRAWN_INPUT_H
#define DRAWN_INPUT_H

#include "call_arrays.h"

/* In the place of a number that is said later. */
#define ASKED UINT32_MAX

enum { DRAWN_NUMBERS = 4, TIMED_WITH = 2 };

/* One of a contract's kinds, how many units, and the numbers that it takes, in its own order. */
struct drawn_case {
    unsigned int kind;
    size_t units;
    unsigned int numbers[DRAWN_NUMBERS];
};

/* An input that is timed: a call does its work as many times as are asked for. */
struct timed_shape {
    const char *name;               /* as it is typed: "picture"; NULL after the last */
    unsigned int times[TIMED_WITH]; /* that it is measured with; 0: no more */
    unsigned int most_judged; /* up to so many one core knows in half a minute what is right */
    struct drawn_case drawn;
};

struct drawn_input {
    /* input_write and input_read (run.h), where no seed and length say an input; NULL: these. */
    int (*write)(const struct contract *contract, const char *file, char *const *default_files,
                 size_t count);
    struct input (*read)(const struct contract *contract, const char *file, char *called,
                         size_t size);
    const char *kind, *units; /* a word of the contract; and what SIZE counts: "atoms" */
    const char *does;         /* in place of counting a text (refuse_texts) */
    size_t usual;             /* units, where SIZE is not set */
    size_t most;              /* of them; 0: any number */
    const char *why_no_more;  /* a sentence's end */
    size_t most_simulated;    /* more would take the simulated GPU hours; 0: any number does not */
    struct input (*draw)(const struct drawn_case *drawn, uint64_t seed);
    /* What is run: up to 64 units, of which every access can be looked at, and more. */
    struct drawn_case few, many;
    struct drawn_case traced; /* in a trace's cases: ASKED are the bins that these have */
    const struct timed_shape *timed;
    const char *called; /* what a table counts: "words" */
    /* And of what is run " (%u points of %u in %u clusters)": the units and the numbers; NULL: nothing. */
    const char *shape;
};

/* Draws it, with so many in the place of ASKED; to be freed. */
struct input drawn_with(const struct drawn_input *inputs, const struct drawn_case *drawn,
                        uint64_t seed, unsigned int asked);
/* What is run, of so many units. */
struct drawn_case drawn_usual(const struct drawn_input *inputs, size_t length);

#endif
