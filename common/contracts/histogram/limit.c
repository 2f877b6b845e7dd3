/* limit.c - how many accesses a call of histogram() may make before it counts as endless. */
#include "limit.h"

#include "sim.h"

/* Where all lanes of a warp count in one bin and take turns at it, as in chapter 33, each of them tries
 * in vain until its turn comes, and waits at the barriers of each try. A long text has other
 * characters enough, or is known beforehand. */
uint64_t limit_of_text(size_t length)
{
    enum { A_CHARACTER = 16, IN_VAIN = 256, MOST_IN_TURN = 1 << 16 };
    const uint64_t in_turn = length < MOST_IN_TURN ? length : MOST_IN_TURN;
    return A_CHARACTER * (uint64_t)length + IN_VAIN * in_turn;
}

void limit_accesses(uint64_t at_least, size_t length)
{
    sim_set_budget_for(at_least + limit_of_text(length), length, "character of the text");
}
