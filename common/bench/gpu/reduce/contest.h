/* contest.h - who reduces the same values in one run: chapters and libraries. */
#ifndef CONTEST_H
#define CONTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "operation.h"

enum { MOST_CONTESTANTS = 32 };

typedef void reduction(const value_t *d_values, size_t length, value_t *d_result);

struct contestant {
    char name[64];
    reduction *run;  /* NULL: it only reads */
    bool is_library; /* one of rivals.h: what it does wrong is no fault of the course */
};

struct contest {
    struct contestant who[MOST_CONTESTANTS];
    size_t count;
};

/* More than MOST_CONTESTANTS end the program with one line. */
void contest_add(struct contest *contest, const char *name, reduction *run, bool is_library);

/* Adds all that libraries hold: one chapter's reduce(), in a folder of its name, or in one of the
 * operation's name below that; or what rivals.h names. The chapter that is linked in, where one is,
 * comes before them, as "this kernel". What is none of these ends the program with one line. */
void contest_add_libraries(struct contest *contest, char *const *paths, int count);

#endif
