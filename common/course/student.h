/* student.h - how far a student is: what each chapter's file is, and which chapter comes next.
 *
 * What is known of a file comes from the file itself and from the record of verdicts. */
#ifndef STUDENT_H
#define STUDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "chapter.h"

/* The verdicts on a student's file, kept beside it in verdicts.txt, a line each.
 *
 *     TIME BINS OUTCOME HASH MESSAGE
 *
 * A verdict is about a text, which the hash names: it stays true for as long as the file has that
 * text, and a file that is changed back has its verdict again. */

/* From the worst to the best. */
enum outcome { OUTCOME_WRONG, OUTCOME_ANOTHER, OUTCOME_SOLVED, OUTCOMES };

struct verdict {
    enum outcome outcome;
    unsigned int bins;
    uint64_t hash; /* of the text that was judged */
    const char *message;
};

struct record {
    struct verdict *verdicts; /* as they came */
    size_t count;
};

/* Adds a verdict, of now, on the text that SOURCE has. One that says what the last one said of this
 * text and number of bins adds nothing. Where it cannot be kept it is lost, silently: the next verdict is kept. */
void record_add(const char *source, unsigned int bins, enum outcome outcome, const char *message);

/* All verdicts on SOURCE; none when there is no record. Lines that are none are passed over. */
struct record record_read(const char *source);

/* The best that is known of a text: for each number of bins its last verdict counts. NULL when
 * nothing is. */
const struct verdict *record_best(const struct record *record, uint64_t hash);

/* How far the chapters are. */

enum state {
    STATE_MISSING,   /* there is no file, or it cannot be read */
    STATE_UNTOUCHED, /* every gap is empty */
    STATE_IN_WORK,
    STATE_ANOTHER, /* right, but by another technique */
    STATE_SOLVED,
    STATES
};

struct progress {
    struct chapter chapter;
    bool optional; /* the title of the lesson says so */
    enum state state;
    unsigned int gaps, empty; /* of the gaps for the number of bins */
    bool wrong;               /* a verdict on this text says that the kernel is */
    bool solved_before;       /* an earlier text of the file was solved */
    time_t when;              /* the file got its text */
    const char *error;        /* why it is missing, or what is wrong with its gaps; or "" */
    unsigned int minutes;     /* that the lesson takes; 0 where it does not say */
    double points;            /* that the file earns: a part of what the chapter gives */
};

/* What a chapter in this state earns, by common/teach/points.txt; 0 where there is no such file. */
double points_of(enum state state);

struct course {
    const char *folder; /* with the student's kernels: "chapters" */
    unsigned int bins;
    struct progress *chapters; /* by their numbers */
    size_t count;
};

/* Looks at all chapters in `folder`; where there are none it ends the program with one line and
 * status 1. */
struct course course_read(const char *folder, unsigned int bins);

/* Of all chapters: how many are solved, points, and minutes of lessons, of those that are solved and of all. */
struct totals {
    unsigned int solved, minutes_done, minutes;
    double points, most_points;
};
struct totals course_totals(const struct course *course);

/* The chapter that the student is at: the first that is not solved; an optional one only when it
 * has been begun. NULL when there is none left. */
struct progress *course_current(const struct course *course);
/* "in work, 2 of 4 gaps are empty", "untouched (optional)": fits into 44 columns. */
const char *progress_words(const struct progress *progress);
/* What a command about a chapter, that is quoted, needs besides its goals, " BINS=26
 * CHAPTERS=mine", or nothing; BINS where the chapter counts texts. */
const char *settings_words(const struct course *course, const struct progress *progress);

#endif
