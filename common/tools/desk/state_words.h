/* state_words.h - how far a student is, in words. */
#ifndef STATE_WORDS_H
#define STATE_WORDS_H

#include <stddef.h>

#include "standing.h"

/* "in work, 2 of 4 gaps are empty", "untouched (optional)": fits into 44 columns. */
void state_words(const struct standing *chapter, char *words, size_t size);

/* What a command about a chapter, that is quoted, needs besides its goals, " BINS=26 CHAPTERS=mine",
 * or nothing; BINS where the chapter counts texts. */
void settings_words(const struct standings *standings, const struct standing *chapter, char *words,
                    size_t size);

/* The standings that a program was asked about, as "NAME FOLDER BINS". Returns 0, or the status to
 * end with, when what is wrong has been said on standard error: 2 for other arguments, 1 when there
 * is no chapter. To be given to standings_free after 0. */
int state_asked(int count, char **arguments, struct standings *standings);

/* Says on standard error that there is no chapter in the folder, and why. Returns 1, a status. */
int state_no_chapter(const char *folder);

#endif
