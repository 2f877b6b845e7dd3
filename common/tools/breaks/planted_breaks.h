/* planted_breaks.h - the planted mistakes of a chapter that a student is asked to expose.
 *
 * They are the patches in tests/mutants/NN_name whose head has these lines:
 *
 *     Break: 1                     its number among those of the chapter
 *     Hides: text = "xyz"          a line of a student's file that does not expose it; without it
 *                                  text = "abc"
 *     Exposed by: text = "a"       lines that do, with " ; " between them */
#ifndef PLANTED_BREAKS_H
#define PLANTED_BREAKS_H

#include <stdbool.h>
#include <stddef.h>

enum { BREAKS_PATH = 1024, BREAKS_WORDS = 1024, MOST_BREAKS = 16 };

struct planted_break {
    unsigned int number;
    char patch[BREAKS_PATH];
    char reason[BREAKS_WORDS], hides[BREAKS_WORDS], exposed_by[BREAKS_WORDS];
};

/* Reads those of a chapter, by their numbers. Returns how many there are. */
size_t planted_breaks(const char *stem, struct planted_break breaks[MOST_BREAKS]);
/* Makes `file` by the patch, from the chapter's solution, unless it is like that already. Returns
 * false, with errno or after what patch said in FILE.log, when that fails. */
bool planted_break_make(const struct planted_break *planted, const char *solution,
                        const char *file);

#endif
