/* to_run.h - what the programs that run a kernel, and do not judge it, know of its contract: on which inputs all its
 * chapters are run (row, replay), traced (common/trace) and timed on a card (common/bench/gpu/calls.c).
 *
 * A seed and a few numbers say an input, which the contract draws; or the contract writes it down and reads it. */
#ifndef TO_RUN_H
#define TO_RUN_H

#include "call_arrays.h"

/* In the place of a number that is said later. */
#define ASKED UINT32_MAX

enum { DRAWN_NUMBERS = 4, TIMED_WITH = 2, TALES = 5 };

/* One of a contract's kinds, how many units, and the numbers that it takes, in its own order. */
struct drawn_case {
    unsigned int kind;
    size_t units;
    unsigned int numbers[DRAWN_NUMBERS];
};

/* An input that is traced: units after a multiple of 256 bytes at which it begins; calls, one after the other; devices
 * that there are, where a contract has several. 0: none; one call; as many devices as are asked for. */
struct traced_case {
    struct drawn_case drawn;
    size_t misalignment;
    unsigned int calls, devices;
};
#define TRACED(of_kind, count, ...)                                                                \
    {                                                                                              \
        .drawn.kind = of_kind, .drawn.units = count, __VA_ARGS__                                   \
    }
#define NO_MORE_TRACED TRACED(UINT32_MAX, 0)
#define NUMBERS(...) .drawn.numbers = {__VA_ARGS__}

/* An input that is timed: a call does its work as many times as are asked for. */
struct timed_shape {
    const char *name;               /* as it is typed: "picture"; NULL after the last */
    unsigned int times[TIMED_WITH]; /* that it is measured with; 0: no more */
    unsigned int most_judged; /* up to so many one core knows in half a minute what is right */
    struct drawn_case drawn;
};

/* Where a function is NULL there is nothing to say or do. */
struct to_run {
    const struct contract *contract;
    const char *function; /* "histogram_file()", where it is not the one of the contract's words */

    /* Draws an input, to be freed. What differs from other contracts' inputs is in two functions: input_write and
     * input_read of run.h, of which the second is told how many units there are where no SIZE was typed, in a trace; 0:
     * as many as were written down. NULL: a seed and a length are written down. */
    struct input (*draw)(const struct drawn_case *drawn, uint64_t seed);
    int (*write)(const char *file, char *const *default_files, size_t count);
    struct input (*read)(const char *file, size_t traced, char *called, size_t size);

    /* What is written down. */
    const char *kind, *units; /* a word of the contract; and what SIZE counts: "atoms" */
    const char *does;         /* in place of counting a text (refuse_texts) */
    size_t usual;             /* units, where SIZE is not set */
    size_t most;              /* of them; 0: any number */
    const char *why_no_more;  /* a sentence's end */
    const char *called;       /* what a table counts: "words" */
    /* And of what is run " (%u points of %u in %u clusters)": the units and the numbers; NULL: nothing. */
    const char *shape;

    /* What is run: up to 64 units, of which every access can be looked at, and more of another kind, if that has
     * numbers. */
    struct drawn_case few, many;
    const struct timed_shape *timed;

    /* What is traced. A kernel that is right shows what it does on inputs of the kind of `few`, each longer than the one
     * before, of which a page of every step has room for the second. A wrong one is tried on `cases`, short ones
     * first. */
    size_t tales[TALES];
    const struct traced_case *cases; /* NO_MORE_TRACED is the last */
    /* Makes units [from, from + count) plainer, in the first or in another way, 0 or 1. */
    void (*simplify)(struct input *input, size_t from, size_t count, unsigned int way);
    /* The name of an output, "a-f"; without the function it is its number. */
    void (*name_output)(size_t output, char *name, size_t size);
};

/* That of the kernel with which a program is linked, in the contract's to_run.c. */
const struct to_run *kernel_to_run(void);

/* Of more the simulated GPU would take hours. */
#ifdef SIMULATED_GPU
#define MOST_SIMULATED(count, what)                                                                \
    .most = (count), .why_no_more = "at most " #count " " what                                     \
                                    " on the simulated GPU, which would take hours for "           \
                                    "more; a real one takes them (gpu run)"
#else
#define MOST_SIMULATED(count, what) .most = 0
#endif

/* Draws it, with so many in the place of ASKED; to be freed. */
struct input drawn_with(const struct drawn_case *drawn, uint64_t seed, unsigned int asked);
/* What is run, of so many units. */
struct drawn_case drawn_usual(size_t length);
/* `simplify` where units are floats: each is 0, or each is 1. */
void simplify_floats(struct input *input, size_t from, size_t count, unsigned int way);

/* What the environment says. TEXT_SEED; 1 when it is not set. One that is no whole number ends the program with one
 * line, as all that is wrong here does. */
uint64_t asked_seed(void);
/* SIZE, "4096", "64K", "16M" or "1G", in `units` ("elements"), from 1 to 2^32 - 1; `usual` when it is not set. */
size_t asked_length(const char *units, size_t usual);
/* Refuses INPUT and TEXT, where a chapter "reduces an array" and no text; `instead` says what there is
 * to choose. */
void refuse_texts(const char *does, const char *instead);

/* What is written down of an input that is drawn, for whatever operation: "zipf 1 65536". */
struct drawn {
    char kind[16]; /* a word of the contract */
    uint64_t seed;
    size_t length;
};
/* Returns 0, or -1, and errno says why. */
int drawn_write(const struct drawn *drawn, const char *file);
/* Of a file that says no such thing the kind is "". */
struct drawn drawn_read(const char *file);

#endif
