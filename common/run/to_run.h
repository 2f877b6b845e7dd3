/* to_run.h - what the programs that run a kernel, and do not judge it, know of its contract: on which inputs all its
 * chapters are run (row, replay), traced (common/trace) and timed on a card (common/bench/gpu/calls.c).
 *
 * A seed and a few numbers say an input, which the contract draws; or the contract writes it down and reads it. */
#ifndef TO_RUN_H
#define TO_RUN_H

#include "call_arrays.h"

/* Stands for a number that is said later. */
#define ASKED UINT32_MAX

enum { DRAWN_NUMBERS = 4, TIMED_WITH = 2, TALES = 5 };

/* A case has one of the contract's kinds, so many units, and the numbers that the kind takes, in the contract's own
 * order. */
struct drawn_case {
    unsigned int kind;
    size_t units;
    unsigned int numbers[DRAWN_NUMBERS];
};

/* An input that is traced begins so many units after a multiple of 256 bytes. So many calls are made on it, of which 0
 * are one, and, where a contract has several devices, so many are there, of which 0 are as many as are asked for. */
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
    const char *name;               /* the name as it is typed, "picture"; NULL after the last */
    unsigned int times[TIMED_WITH]; /* it is measured with these; 0: no more */
    unsigned int most_judged; /* up to so many one core knows in half a minute what is right */
    struct drawn_case drawn;
};

/* Where a function is NULL there is nothing to say or do. */
struct to_run {
    const struct contract *contract;
    /* "histogram_file()", where the kernel has another function than the contract's words say. */
    const char *function;

    /* `draw` makes an input, to be freed. Where no seed and length say it, `write` and `read` do what input_write and
     * input_read do (run.h). In a trace `traced` is how many units it has where no SIZE was typed; else that is 0. */
    struct input (*draw)(const struct drawn_case *drawn, uint64_t seed);
    int (*write)(const char *file, char *const *default_files, size_t count);
    struct input (*read)(const char *file, size_t traced, char *called, size_t size);

    /* What is written down. */
    const char *kind, *units; /* a word of the contract; and what SIZE counts, "atoms" */
    const char *does;         /* in place of counting a text (refuse_texts) */
    size_t usual;             /* units, where SIZE is not set */
    size_t most;              /* units at most; 0: any number */
    const char *why_no_more;  /* a sentence's end */
    const char *called;       /* what a table counts: "words" */
    /* What a table adds of the units and the numbers, " (%u points of %u in %u clusters)"; NULL: nothing. */
    const char *shape;

    /* What is run: `few` up to 64 units, of which every access can be looked at, and `many` of more, if it has
     * numbers. */
    struct drawn_case few, many;
    const struct timed_shape *timed;

    /* What is traced. A kernel that is right shows what it does on inputs of the kind of `few`, each longer than the one
     * before, of which a page of every step has room for the second. A wrong one is tried on `cases`, short ones
     * first. */
    size_t tales[TALES];
    const struct traced_case *cases; /* NO_MORE_TRACED is the last */
    /* Makes units [from, from + count) plainer, in the first way or in another, 0 or 1. */
    void (*simplify)(struct input *input, size_t from, size_t count, unsigned int way);
    /* Writes the name of an output, "a-f"; without the function an output is called by its number. */
    void (*name_output)(size_t output, char *name, size_t size);
};

/* What is known of the kernel with which a program is linked; the contract's to_run.c has it. */
const struct to_run *kernel_to_run(void);

/* The simulated GPU would take hours for more units. */
#ifdef SIMULATED_GPU
#define MOST_SIMULATED(count, what)                                                                \
    .most = (count), .why_no_more = "at most " #count " " what                                     \
                                    " on the simulated GPU, which would take hours for "           \
                                    "more; a real one takes them (gpu run)"
#else
#define MOST_SIMULATED(count, what) .most = 0
#endif

/* Draws an input, to be freed, with `asked` in the place of ASKED. */
struct input drawn_with(const struct drawn_case *drawn, uint64_t seed, unsigned int asked);
/* The case that is run with so many units. */
struct drawn_case drawn_usual(size_t length);
/* Makes units that are floats plainer: each is 0, or each is 1. */
void simplify_floats(struct input *input, size_t from, size_t count, unsigned int way);

/* TEXT_SEED of the environment, or 1 when it is not set. One that is no whole number ends the program with one line,
 * as does all that is wrong in the next two. */
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
/* Reads it. The kind is "" when the file does not say an input. */
struct drawn drawn_read(const char *file);

#endif
