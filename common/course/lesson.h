/* lesson.h - what programs read in a lesson, docs/NN_name.md: its head, its hints, its questions.
 *
 * A hint lies folded in the lesson, three for each gap, in this order:
 *
 *     <details><summary>Hint 5.1, the idea</summary>
 *     ...
 *     </details>                                        and the same for the shape, and the line
 *
 * A question is an item of a list with numbers under `## Predict`. A comment below it says how an
 * answer with a number is counted, one comment for each number:
 *
 *     1. How many load requests does the kernel make?
 *        <!-- count: load requests = l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum -->
 *
 * Where the sum is the answer itself, the comment stands below the answer that is folded. The
 * words before the sign = are what the reader is asked for. Behind it is a sum of numbers and of
 * columns that the program `row` writes (predictions.h); with numbers alone it is the lesson's own
 * answer. It is of the kernel on 1 MiB of English text in 5 bins, or of what follows, as in `...
 * in uniform-256 -->`. Of a chapter that reduces by key it is of 65,536 uniform keys in 12,281
 * bins, with its first operation, or of what follows, as in `... in zipf-505-argmax -->`. Of one
 * that reduces an array it is of 1,048,576 values, or of so many: `... in values-65536-max -->`. */
#ifndef LESSON_H
#define LESSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { HINT_STEPS = 3, MOST_QUESTIONS = 16, MOST_COUNTS = 8 };
extern const char *const hint_steps[HINT_STEPS]; /* "the idea", "the shape", "the line" */

struct hint {
    unsigned int chapter, gap;
    size_t step;        /* in hint_steps */
    size_t first, last; /* its lines; the last one is not its own any more */
};

struct lesson {
    const char *file;
    char **lines; /* without what ends a line, and without blanks at its end */
    size_t count;
    struct hint *hints; /* as they come; one without an end, or of no known step, is left out */
    size_t hint_count;
    const char *title; /* "Private copies", of `# 5. Private copies`; NULL when there is none */
    const char *afterwards; /* what its reader can do then, of the table at its head; or NULL */
    unsigned int minutes;   /* that it takes, of the same; 0 where it does not say */
    bool optional;          /* its title says so */
};

/* Reads the file. Returns false, with errno, when it cannot. */
bool lesson_read(struct lesson *lesson, const char *file);
/* The first paragraph under `## heading` or `### heading`, one line without links; NULL: there is none. */
char *lesson_paragraph(const struct lesson *lesson, const char *heading);
/* The hint of a gap that is this far on; NULL when there is none. */
const struct hint *lesson_hint(const struct lesson *lesson, unsigned int chapter, unsigned int gap,
                               size_t step);

struct question_count {
    const char *label, *sum;      /* "load requests", "a.sum / b.sum" */
    const char *text, *operation; /* "uniform", "argmax"; "" where nothing is said */
    unsigned int bins;            /* 0 where nothing is said */
};

struct question {
    unsigned int number; /* as the lesson counts */
    char *words;         /* one line, without links */
    struct question_count counts[MOST_COUNTS];
    size_t count_count;
};

struct questions {
    char *begin; /* what stands before the first question; NULL when nothing does */
    struct question all[MOST_QUESTIONS];
    size_t count;
    bool answered;     /* something is folded below the questions */
    size_t wrong_line; /* of the first comment `count:` that cannot be read, from 1; 0: none */
};

struct questions questions_of(const struct lesson *lesson);

#endif
