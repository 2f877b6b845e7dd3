/* lesson.h - what programs read in a lesson, docs/NN_name.md: its exercise, and its hints.
 *
 * A hint lies folded in the lesson, three for each gap, in this order:
 *
 *     <details><summary>Hint 5.1, the idea</summary>
 *     ...
 *     </details>                                        and the same for the shape, and the line */
#ifndef LESSON_H
#define LESSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { HINT_STEPS = 3 };
extern const char *const hint_steps[HINT_STEPS]; /* "the idea", "the shape", "the line" */

struct hint {
    unsigned int chapter, gap;
    size_t step;        /* in hint_steps */
    size_t first, last; /* its lines; the last one is not its own any more */
};

struct lesson {
    char **lines; /* without what ends a line, and without blanks at its end */
    size_t count;
    struct hint *hints; /* as they come; one without an end, or of no known step, is left out */
    size_t hint_count;
};

/* Reads the file; free the result with lesson_free. Returns false, with errno, when it cannot. */
bool lesson_read(struct lesson *lesson, const char *file);
void lesson_free(struct lesson *lesson);

/* The line after `## heading`; the number of lines when there is none. */
size_t lesson_behind(const struct lesson *lesson, const char *heading);

/* Writes a line without the addresses of its links: [chapter 4](04_name.md) is chapter 4. */
void lesson_write_words(const char *line, FILE *to);

/* The first paragraph under `## heading` as one line without links, which the caller frees; NULL
 * when there is none. */
char *lesson_paragraph(const struct lesson *lesson, const char *heading);

/* The words of the page's title, `# 5. Private copies`, without its number: "Private copies". NULL
 * when the first line is none. It is the lesson's. */
const char *lesson_title(const struct lesson *lesson);

/* What the first table of the page says in the row `| heading | ... |`, without links, which the
 * caller frees; NULL when there is no such row. */
char *lesson_row(const struct lesson *lesson, const char *heading);

/* The hint of a gap that is this far on; NULL when there is none. */
const struct hint *lesson_hint(const struct lesson *lesson, unsigned int chapter, unsigned int gap,
                               size_t step);

#endif
