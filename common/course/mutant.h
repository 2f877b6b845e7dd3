/* mutant.h - planted mistakes: the patches of a chapter's solution in tests/mutants/NN_name. */
#ifndef MUTANT_H
#define MUTANT_H

#include <stdbool.h>
#include <stddef.h>

/* What the head of a patch says; "" or 0 where it says nothing. */
struct mutant {
    const char *patch, *name; /* its path; "lost_update" of lost_update.patch */
    unsigned int bins;        /* BINS=256: with which alone it is wrong */
    const char *operations;   /* Operations: count max, with which alone */
    bool races;               /* Caught by: racecheck */
    bool needs;               /* Needs: values whose sum wraps; so not every input shows it */
    const char *reason;       /* Reason: of several lines */
    /* Of those that a student is asked to expose: */
    unsigned int number; /* Break: 1, among those of the chapter */
    const char *hides; /* Hides: text = "xyz", a line of a student's file that does not expose it */
    const char *exposed_by; /* Exposed by: text = "a", lines that do, with " ; " between them */
};

/* Reads those of a chapter, by their numbers and names. Returns how many there are. */
size_t mutants_of(const char *stem, struct mutant **mutants);
/* Makes `file`, and its folder, by the patch from the chapter's solution. Returns false, after what
 * patch said in FILE.log, when that fails. */
bool mutant_make(const struct mutant *mutant, const char *solution, const char *file);

#endif
