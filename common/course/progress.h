/* progress.h - how far a student is: what each chapter's file is, and which chapter comes next.
 *
 * What is known of a file comes from the file itself and from the record of verdicts (record.h). */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "chapter.h"

enum state {
    STATE_MISSING,   /* there is no file, or it cannot be read: `said` is why */
    STATE_UNTOUCHED, /* every gap is empty */
    STATE_IN_WORK,   /* `said` is what the verdict was, if there is one on this text */
    STATE_ANOTHER,   /* right, but by another technique: `said` is what the counter says */
    STATE_SOLVED,    /* `said` is what the counter says of the technique */
    STATES
};

struct progress {
    struct chapter chapter;
    bool optional; /* the title of the lesson says so */
    enum state state;
    unsigned int gaps, empty; /* of the gaps for the number of bins */
    bool judged;              /* there is a verdict on this text, or none is needed */
    bool wrong;               /* and it says that the kernel is wrong */
    bool solved_before;       /* an earlier text of the file was solved */
    size_t verdicts;          /* on any text of the file: 0 when none has been kept */
    time_t when;              /* the file got its text */
    const char *said;
};

struct course {
    const char *folder; /* with the student's kernels: "chapters" */
    unsigned int bins;
    struct progress *chapters; /* by their numbers */
    size_t count;
};

/* Looks at all chapters in `folder`; where there are none it ends the program with one line and
 * status 1. */
struct course course_read(const char *folder, unsigned int bins);
/* The chapter of this stem; where there is none the program ends as above. */
struct progress *course_chapter(const struct course *course, const char *stem);

/* Judges, by `make chapterN test`, the chapters whose files have no verdict and look finished,
 * says so on standard error, and looks at them once more. */
void course_judge(struct course *course);

/* The chapter that the student is at: the first that is not solved; an optional one only when it
 * has been begun. NULL when there is none left. */
struct progress *course_current(const struct course *course);
/* The same. On the way there the files of which no verdict at all is kept are judged; one that was
 * judged and has changed since is in work, whatever it would be told now. */
struct progress *course_judge_to_current(struct course *course);

/* "in work, 2 of 4 gaps are empty", "untouched (optional)": fits into 44 columns. */
const char *progress_words(const struct progress *progress);
/* What a command about a chapter, that is quoted, needs besides its goals, " BINS=26
 * CHAPTERS=mine", or nothing; BINS where the chapter counts texts. */
const char *settings_words(const struct course *course, const struct progress *progress);

#endif
