/* standing.h - how far a student is: what each chapter's file is, and which chapter comes next.
 *
 * Nothing is registered: a chapter is a folder NN_name of the folder with the student's kernels
 * that has a suite, tests/NN_name.c. What is known of its file comes from the file itself and from
 * the record of verdicts (record.h). */
#ifndef STANDING_H
#define STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { STANDING_PATH = 2048, STANDING_SAID = 512 };

enum standing_state {
    STANDING_MISSING,   /* there is no file, or it cannot be read: `said` is why */
    STANDING_UNTOUCHED, /* every gap is empty */
    STANDING_IN_WORK,   /* `said` is what the verdict was, if there is one on this text */
    STANDING_ANOTHER,   /* right, but by another technique: `said` is what the counter says */
    STANDING_SOLVED     /* `said` is what the counter says of the technique */
};
enum { STANDING_STATES = STANDING_SOLVED + 1 };
/* "missing", "untouched", "in work", "right, by another technique", "solved" */
extern const char *const standing_names[STANDING_STATES];

struct standing {
    char stem[256];             /* "05_name" */
    char file[STANDING_PATH];   /* the student's kernel, or where it should be */
    char lesson[STANDING_PATH]; /* "docs/05_name.md", which may be missing */
    unsigned int number;        /* 5 */
    bool optional;              /* the title of the lesson says so */
    enum standing_state state;
    unsigned int gaps, empty; /* of the gaps for the number of bins */
    bool judged;              /* there is a verdict on this text, or none is needed */
    bool wrong;               /* and it says that the kernel is wrong */
    bool solved_before;       /* an earlier text of the file was solved */
    size_t verdicts;          /* on any text of the file: 0 when none has been kept */
    time_t when;              /* the file got its text */
    char said[STANDING_SAID];
};

struct standings {
    const char *folder; /* as it was given */
    unsigned int bins;
    struct standing *chapters; /* by their numbers */
    size_t count;
};

/* Looks at all chapters in `folder`, "chapters" for instance; none when there are none, or there is
 * no such folder. Free them with standings_free. */
struct standings standings_read(const char *folder, unsigned int bins);
void standings_free(struct standings *standings);

/* Looks once more at one of them. */
void standing_look(const struct standings *standings, struct standing *chapter);

/* Whether the file is to be judged before anything is said about it: no gap is empty, and there is
 * no verdict on its text. */
bool standing_is_open(const struct standing *chapter);

/* The chapter that the student is at: the first that is not solved; an optional one only when it
 * has been begun. NULL when there is none left. */
struct standing *standings_current(const struct standings *standings);

/* "chapter 5" of chapter 5, 05_name: "name". */
const char *standing_name(const struct standing *chapter);

#endif
