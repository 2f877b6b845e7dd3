/* chapter.h - what a chapter is: its folder, its contract, its suite, its lesson, its gaps.
 *
 * Nothing is registered: a chapter is a folder NN_name with a kernel whose file is called after
 * its contract, a header in common/contract, and with a suite, tests/NN_name.c. Here alone a stub,
 * the head of a suite and the name of a folder are read; lesson.h reads the lesson. */
#ifndef CHAPTER_H
#define CHAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct contract {
    const char *name;    /* "reduce_by_index_batched", of reduce_by_index_batched.cu */
    const char *tools;   /* "reduce_by_index": A_batched is run by the programs of A */
    bool in_c;           /* its kernel is plain C */
    bool has_operations; /* it is compiled for an operation, and not for a number of bins */
    bool of_array;       /* of these: there are no keys */
    bool batched;        /* or each of many arrays has bins of its own */
    bool on_devices;     /* on several devices, or ranks, which host threads may feed */
    const char *units;   /* what its input is made of: "characters", "keys", "values" */
    unsigned int usual;  /* so many units of an array; of the others so many bins */
};

struct chapter {
    const char *stem, *name;   /* "05_privatized_global", and without its number */
    unsigned int number, part; /* 5, 1 */
    struct contract contract;
    const char *above;          /* "chapters" */
    const char *folder;         /* chapters/05_privatized_global */
    const char *file;           /* histogram.cu in it, or where it should be */
    const char *solution;       /* the same in solutions/, which may be missing */
    const char *lesson, *suite; /* docs/05_*.md, tests/05_*.c */
    const char *exercise;       /* tests/further/05_*.c: the suite of Go further; may be missing */
    const char *operations;     /* "count max", that the head of its suite names; or "" */
};

/* Of a kernel's file. Contracts are looked up in the root of the course. */
struct contract contract_of(const char *kernel_file);
/* Whether a kernel is for the ranks of MPI. */
bool is_for_ranks(const char *kernel_file);
/* The chapter that a place belongs to: its folder, or what lies there, "chapters/05_name/further/histogram.cu".
 * Its kernel need not be there. A place of no chapter has the number 0. */
struct chapter chapter_at(const char *place);
/* All in a folder, "chapters", that have a suite, by their numbers. Returns how many. */
size_t chapters_in(const char *folder, struct chapter **chapters);
/* The operation that it is counted with: its first, or "count". */
const char *first_operation(const char *operations);
/* What the head of a suite names, by its path below tests/, without .c; or "". */
const char *operations_of(const char *suite);

/* A gap begins with a comment `// TODO(5.1): what goes there`, which goes on over comment lines
 * whose words are set in by two blanks or more, and ends with `// end of TODO(5.1)`; in C also with
 * slash and star. It is empty when nothing but comments and blanks lie between. A stub is its
 * solution without what lies between. */
enum { MOST_GAPS = 64 };

struct gaps {
    const char *file;
    unsigned int count, empty;
    struct gap {
        unsigned int chapter, number, line;
        unsigned int code, end; /* lines: of what fills it the first, and of its end */
        const char *sentence;   /* what goes there */
        bool filled;
    } all[MOST_GAPS];
    const char *error; /* a gap without an end, or a file that cannot be read; else NULL */
};

/* Reads the file. With `bins` other than 0, a gap between `#if BINS == 5` and #else or #endif
 * counts only when it is compiled with that many. */
struct gaps gaps_in(const char *file, unsigned int bins);
/* Whether there are gaps, and nothing is in any of them. */
bool gaps_untouched(const struct gaps *gaps);
/* The first that is empty; NULL when none is. */
const struct gap *gaps_first(const struct gaps *gaps);
/* Prints those that are empty: "FILE:LINE: not done yet: TODO(5.1) what". Returns 0 when no gap is
 * empty, 1 when some are, 2 when all are, 3 on an error. */
int gaps_print(const struct gaps *gaps, FILE *out);
/* Writes the stub of a solution; of a stub that is the same once more. Returns what is wrong with
 * the file: it cannot be read, a gap has no end, or there is none; else NULL. */
const char *gaps_write_stub(const char *solution, FILE *out);

#endif
