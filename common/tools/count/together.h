/* together.h - what all ranks decide together, so that none is left behind. All are collective. */
#ifndef TOGETHER_H
#define TOGETHER_H

#include <stdbool.h>

int this_rank(void);
int all_ranks(void);

/* Whether no rank complains. Each gives a sentence, "" for none; rank 0 prints the one of the first rank
 * that has one, to standard error, and names the machine when it is not its own sentence. */
bool nobody_complains(const char *sentence);

/* Waits until rank 0 comes here, without using the core. */
void wait_for_rank_0(void);

#endif
