/* polls.c - volatile loads that wait for a flag.
 *
 * By the letter of PTX a volatile load of what another thread has stored is no race, but it may
 * read an old value where no fence orders the two. For a thread that waits for a flag that is no
 * matter: it reads again. A load that some lane of the launch made twice in a row, of one word,
 * is taken for such a one. */
#include "checks/race.h"

enum { PCS = UINT16_MAX + 1, LANES_BITS = 12 };
static bool polls[PCS];
static struct last {
    uintptr_t address;
    uint32_t lane; /* numbered in the launch */
    uint16_t pc;
} last[1 << LANES_BITS];

void sim_poll_note(const struct warp *warp, uint32_t mask, uint16_t pc)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        struct last current = {warp->address[i], warp->id * WARP + i, pc};
        struct last *l = &last[sim_hash(current.lane, LANES_BITS)];
        if (l->address == current.address && l->lane == current.lane && l->pc == current.pc)
            polls[pc] = true;
        *l = current;
    }
}

static enum race_verdict judge(uint16_t pc)
{
    return polls[pc] ? RACE_IS_NONE : RACE_IS_ERROR;
}

bool sim_poll_defers(const struct race *race)
{
    return race->cause == RACE_BY_LETTER && race->poll && sim_race_defer(race, judge, race->poll);
}
