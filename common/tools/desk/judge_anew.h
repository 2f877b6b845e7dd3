/* judge_anew.h - finds a verdict again that nobody has kept: build/ is gone, or the file is newer. */
#ifndef JUDGE_ANEW_H
#define JUDGE_ANEW_H

#include "standing.h"

/* Judges, by `make chapterN test`, the chapters whose files have no verdict and look finished
 * (standing_is_open), says so on standard error, and looks at them once more. */
void judge_all_anew(struct standings *standings);

/* The chapter that the student is at (standings_current), or NULL. On the way there the files of
 * which no verdict at all is kept are judged; one that was judged and has changed since is in work,
 * whatever it would be told now. */
struct standing *judge_to_current(struct standings *standings);

#endif
