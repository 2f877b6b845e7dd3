/* questions.h - the questions under `## Predict` of a lesson, and what counts the answers.
 *
 * A question is an item of a list with numbers. A comment below it says how an answer with a number
 * is counted, one comment for each number:
 *
 *     1. How many load requests does the kernel make?
 *        <!-- count: load requests = l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum -->
 *
 * Where the sum is the answer itself, the comment stands below the answer that is folded.
 * The words before the sign = are what the reader is asked for. Behind it is a sum of numbers and of
 * columns that the program `row` writes (expression.h); with numbers alone it is the lesson's own
 * answer. It is of the kernel on 1 MiB of English text in 5 bins, or of what follows, as in
 * `... in uniform-256 -->`. Of a chapter that reduces by key it is of 65,536 uniform keys in 12,281
 * bins, with its first operation, or of what follows, as in `... in zipf-505-argmax -->`. Of one that
 * reduces an array it is of 1,048,576 values, or of so many: `... in values-65536-max -->`. */
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include <stddef.h>

#include "lesson.h"

enum { MOST_QUESTIONS = 16, MOST_COUNTS = 8 };

struct question_count {
    char label[64], sum[256];     /* "load requests", "a.sum / b.sum" */
    char text[16], operation[16]; /* "uniform", "argmax"; "" where nothing is said */
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

/* Reads them; free them with questions_free. */
struct questions questions_of(const struct lesson *lesson);
void questions_free(struct questions *questions);

#endif
