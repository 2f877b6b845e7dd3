/* swap_rounds.c - atomics that are a loop around compare-and-swap: who wins each round.
 *
 * Where shared memory has no instruction, all lanes load, compute and swap, and the losers go
 * round again. A round of swaps is one pass for each part of the warp, and a pass serves one
 * lane of each bank: the first. Lanes of 8 bytes are two parts, and the second swaps last: it
 * finds what the first has changed, and loses there. The loop of a minimum or a maximum leaves
 * when it has loaded a value that its own would not change.
 *
 * Found by searching in docs/results/h200/patterns.csv; tests/sim/fidelity.c compares. */
#include <string.h>

#include "engine/engine.h"

void sim_rounds_start(struct swap_rounds *loop, const struct warp *warp, uint32_t mask)
{
    loop->warp = warp;
    loop->bytes = sim_atomic_bytes(warp->atomic[__builtin_ctz(mask)]);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        uint32_t first = mask;
        while (warp->address[__builtin_ctz(first)] != warp->address[i])
            first &= first - 1;
        loop->place[i] = (uint8_t)__builtin_ctz(first);
        loop->held[i] = 0;
        memcpy(&loop->held[i], (const void *)warp->address[i], loop->bytes);
    }
}

uint32_t sim_rounds_wanting(const struct swap_rounds *loop, uint32_t mask)
{
    uint8_t operation = loop->warp->atomic[__builtin_ctz(mask)].operation;
    if (operation != SIM_ATOMIC_MIN && operation != SIM_ATOMIC_MAX)
        return mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        uint64_t old = loop->held[loop->place[i]];
        if (sim_atomic_outcome(loop->warp, i, old) == old)
            mask &= ~(1u << i);
    }
    return mask;
}

/* One pass: the first lane of each bank tries, with what was there when the round began. */
static uint32_t swap_in_part(struct swap_rounds *loop, const uint64_t *loaded, uint32_t mask)
{
    uint32_t won = 0, busy = 0;
    for (; mask; mask &= mask - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(mask), place = loop->place[i];
        uint32_t bank = 1u << (loop->warp->address[i] / 4 % 32);
        if (busy & bank)
            continue;
        busy |= bank;
        if (loop->held[place] != loaded[place])
            continue;
        loop->held[place] = sim_atomic_outcome(loop->warp, i, loaded[place]);
        won |= 1u << i;
    }
    return won;
}

uint32_t sim_rounds_swap(struct swap_rounds *loop, uint32_t mask)
{
    uint64_t loaded[WARP];
    memcpy(loaded, loop->held, sizeof loaded);
    if (loop->bytes <= 4)
        return swap_in_part(loop, loaded, mask);
    uint32_t half = UINT32_MAX >> WARP / 2;
    uint32_t won = swap_in_part(loop, loaded, mask & half);
    return won | swap_in_part(loop, loaded, mask & ~half);
}
