/* tries.c - loops of tries around a compare-and-swap, by the clock: which lanes of a warp swap together.
 *
 * In a loop of tries some lanes of a warp pass and others fail, and who then waits for whom decides how many
 * requests the loop makes. nvcc puts a YIELD in front of the swap and a convergence barrier around the loop
 * (BSSY and BSYNC): a lane that has passed waits at that barrier, and a lane that has failed yields, and goes
 * round. The rules below were read off traces of single warps on an H200 (docs/results/h200/yields.csv).
 *
 * - Where nvcc makes one loop of the tries and of the loop over the elements, a lane that has passed fetches
 *   its next element, and then all lanes swap together again. The sectors of chapters 21, 22 and 26
 *   (docs/results/h200/cells.csv) agree.
 * - Where it has unrolled the loop over the elements, each copy of the body has a swap of its own, and a lane
 *   that has passed goes on to the next copy. At each YIELD another part of the warp gets its turn: the part
 *   that has waited longest, with all lanes that stand at that copy. The lanes at the barrier stay there as
 *   long as a lane that came to it with them has not tried yet. */
#include "engine/clock.h"

struct spot sim_spot_of(const struct warp *warp, unsigned int lane)
{
    return (struct spot){warp->key[lane], sim_copy_of(warp, lane)};
}

/* Of these lanes those that wait there, whatever their rounds in loops that are not unrolled. */
static uint32_t lanes_at(const struct warp *warp, uint32_t lanes, struct spot spot)
{
    uint32_t there = 0;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned int i = (unsigned int)__builtin_ctz(lanes);
        if (warp->key[i] == spot.key && sim_copy_of(warp, i) == spot.copy)
            there |= lanes & -lanes;
    }
    return there;
}

/* -- one swap -- */

/* The lanes of `mask` have swapped at `spot`; those that are back there while others have passed wait for them. */
static void note_one_swap(struct warp *warp, uint32_t mask, struct spot spot)
{
    struct tries *tries = &sim_clock_of(warp)->tries;
    const uint32_t back = lanes_at(warp, mask & warp->runnable, spot);
    const bool none_passed = back == mask && !(tries->failed & mask);
    tries->failed = (tries->failed & ~mask) | (none_passed ? 0 : back);
}

/* Where some are back at a compare-and-swap: those of the `calm` lanes that are first on the way there,
 * else all that are there. 0 where there are none, or only lanes that spin are on the way. */
static uint32_t lanes_to_swap(const struct warp *warp, uint32_t calm)
{
    const uint32_t back = sim_clock_of(warp)->tries.failed & warp->runnable;
    if (back == 0)
        return 0;
    const uint32_t there =
        lanes_at(warp, warp->runnable, sim_spot_of(warp, (unsigned int)__builtin_ctz(back)));
    const uint32_t on_the_way = calm & ~there;
    if (on_the_way == 0)
        return there == warp->runnable ? there : 0;
    const uint32_t first = sim_lanes_at_edge(warp, on_the_way, true);
    return lanes_at(warp, on_the_way, sim_spot_of(warp, (unsigned int)__builtin_ctz(first)));
}

/* -- copies of a swap -- */

static uint32_t lanes_at_swaps(const struct warp *warp, uint32_t lanes)
{
    uint32_t there = 0;
    for (lanes &= warp->runnable; lanes; lanes &= lanes - 1) {
        const struct stop stop = warp->stop[__builtin_ctz(lanes)];
        if (stop.reason == STOP_ATOMIC && stop.flags & ACCESS_COMPARES)
            there |= lanes & -lanes;
    }
    return there;
}

/* Of these lanes those that stand at a copy of a swap, and have not tried there. */
static uint32_t fresh_lanes(const struct warp *warp, uint32_t lanes)
{
    uint32_t fresh = 0;
    for (lanes = lanes_at_swaps(warp, lanes & ~sim_clock_of(warp)->tries.failed); lanes;
         lanes &= lanes - 1)
        if (sim_copy_of(warp, (unsigned int)__builtin_ctz(lanes)))
            fresh |= lanes & -lanes;
    return fresh;
}

/* These lanes yield. */
static void give_way(struct tries *tries, uint32_t lanes)
{
    tries->turns++;
    for (; lanes; lanes &= lanes - 1)
        tries->since[__builtin_ctz(lanes)] = tries->turns;
}

/* The lanes of `mask` have swapped there: who has passed is at the barrier. */
static void note_swap_of_copies(struct warp *warp, uint32_t mask, struct spot spot)
{
    struct tries *tries = &sim_clock_of(warp)->tries;
    const uint32_t back = lanes_at(warp, mask & warp->runnable, spot);
    tries->failed = (tries->failed & ~mask) | back;
    tries->kept |= mask & ~back & tries->joined;
    give_way(tries, back);
}

/* The lanes of `mask` have gone on: who has come to a swap joins its barrier. Others of them have passed it by,
 * unless they come from one. The barrier opens when all who have joined have tried. */
static void note_barrier(struct warp *warp, uint32_t mask, bool swapped)
{
    struct tries *tries = &sim_clock_of(warp)->tries;
    const uint32_t fresh = fresh_lanes(warp, mask);
    give_way(tries, fresh);
    tries->joined |= fresh;
    if (fresh && !swapped) {
        tries->joined |= mask;
        tries->kept |= mask & ~fresh;
    }
    if (!fresh_lanes(warp, tries->joined))
        tries->kept = tries->joined = 0;
}

/* Those that are on the way to a swap; else those that have waited longest at one. 0 where nobody tries. */
static uint32_t lanes_in_turn(const struct warp *warp)
{
    const struct tries *tries = &sim_clock_of(warp)->tries;
    const uint32_t free = warp->runnable & ~tries->kept;
    if (!((tries->joined | tries->failed) & warp->runnable) || !free)
        return 0;
    const uint32_t on_the_way = free & ~lanes_at_swaps(warp, free);
    if (on_the_way)
        return sim_lanes_at_edge(warp, on_the_way, true);
    unsigned int longest = (unsigned int)__builtin_ctz(free);
    for (uint32_t rest = free; rest; rest &= rest - 1)
        if (tries->since[__builtin_ctz(rest)] < tries->since[longest])
            longest = (unsigned int)__builtin_ctz(rest);
    return lanes_at(warp, free, sim_spot_of(warp, longest));
}

/* -- both -- */

void sim_note_tries(struct warp *warp, uint32_t mask, bool swapped, struct spot spot)
{
    struct tries *tries = &sim_clock_of(warp)->tries;
    if (swapped)
        tries->copied = spot.copy != 0;
    if (swapped && !tries->copied) {
        note_one_swap(warp, mask, spot);
        return;
    }
    if (swapped)
        note_swap_of_copies(warp, mask, spot);
    note_barrier(warp, mask, swapped);
}

uint32_t sim_lanes_that_try(struct warp *warp, uint32_t calm)
{
    return sim_clock_of(warp)->tries.copied ? lanes_in_turn(warp) : lanes_to_swap(warp, calm);
}
