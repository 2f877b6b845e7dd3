/* planted.h - planted mistakes: the patches of a chapter's solution in tests/mutants/NN_name. */
#ifndef PLANTED_H
#define PLANTED_H

#include <stdbool.h>
#include <stddef.h>

#include "chapter.h"

/* What the head of a patch says; "" or 0 where it says nothing. */
struct planted {
    const char *patch, *name; /* its path; "lost_update" of lost_update.patch */
    unsigned int bins;        /* BINS=256: with which alone it is wrong */
    const char *operations;   /* Operations: count max, with which alone */
    bool races;               /* Caught by: racecheck */
    bool needs;               /* Needs: values whose sum wraps; so not every input shows it */
    const char *reason;       /* Reason: of several lines */
    unsigned int number;      /* Break: 1, of those that a student is asked to expose */
    const char *hides; /* Hides: text = "xyz", a line of a student's file that does not expose it */
};

/* Reads those of a chapter, by their numbers and names. Returns how many there are. */
size_t planted_in(const char *stem, struct planted **planted);
/* Makes a kernel below `above`, "build/breaks/1", of a chapter's solution by a patch. Returns its chapter; where the
 * patch does not fit, the program ends with one line. */
struct chapter planted_make(const struct planted *planted, const struct chapter *chapter,
                            const char *above);

#endif
