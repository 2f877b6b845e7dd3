/* loops.c - who is behind whom: the order of a program, loops included.
 *
 * Lanes that diverged meet again when those that are behind go first. The lower
 * instruction is behind the higher one, except in a loop: a lane that has begun
 * its next round stands at a low address and is ahead all the same. So rounds
 * are counted. The compiler (-fsanitize-coverage=trace-pc) calls us at each
 * basic block; a step back to a lower address in one frame is the jump that
 * closes a loop. This gives the order that hardware gets from reconverging at
 * the end of each branch. */
#include <string.h>

#include "internal.h"

enum { LOOPS = 1024 };

/* The loop with this header; every loop shares the last entry when all are used. */
static struct loop *find_loop(uintptr_t header)
{
    static struct loop loops[LOOPS];
    size_t at = (header * 0x9e3779b97f4a7c15u) >> 54;
    for (size_t tried = 0; tried < LOOPS; tried++, at = (at + 1) % LOOPS) {
        if (loops[at].header == header)
            return &loops[at];
        if (!loops[at].header) {
            loops[at].header = header;
            return &loops[at];
        }
    }
    return &loops[LOOPS - 1];
}

/* How deep in its stack a lane stands, as in warp->key. */
static uint64_t depth_of(const struct lane *lane, uintptr_t frame)
{
    return (lane->stack_top - frame) >> 4;
}

static uint64_t depth_of_stop(const struct warp *warp, unsigned int lane)
{
    return 0xffff - (warp->key[lane] >> 48);
}

/* warp->rounds tells at a glance whether lanes have gone the same rounds. */
static void add_rounds(struct lane *lane, const struct loop_count *count, uint64_t rounds)
{
    lane->warp->rounds[lane->number] += rounds * (uint64_t)count->loop->header;
}

static void leave_loop(struct lane *lane)
{
    const struct loop_count *count = &lane->loop[--lane->loops];
    add_rounds(lane, count, 0 - count->rounds);
}

/* The loop reaches to its last block, and in it to the last access before the jump. */
static void extend_loop(const struct lane *lane, struct loop *loop, uintptr_t latch,
                        uintptr_t frame)
{
    const struct warp *warp = lane->warp;
    uintptr_t stop = sim_lane_pc(warp, lane->number);
    if (stop > latch && depth_of_stop(warp, lane->number) == depth_of(lane, frame))
        latch = stop;
    if (latch > loop->latch)
        loop->latch = latch;
}

/* The lane jumped from the block at `latch` back to the one at `header`. */
static __attribute__((noinline)) void go_round(struct lane *lane, uintptr_t header, uintptr_t latch,
                                               uintptr_t frame)
{
    while (lane->loops) { /* leave the loops of called functions, the inner and the earlier ones */
        const struct loop_count *last = &lane->loop[lane->loops - 1];
        if (last->frame > frame ||
            (last->frame == frame && last->loop->header <= header && header <= last->loop->latch))
            break;
        leave_loop(lane);
    }
    struct loop_count *top = lane->loops ? &lane->loop[lane->loops - 1] : NULL;
    if (!top || top->frame != frame || top->loop->header != header) {
        if (lane->loops == NESTED_LOOPS)
            return;
        top = &lane->loop[lane->loops++];
        *top = (struct loop_count){find_loop(header), frame, 0};
    }
    top->rounds++;
    add_rounds(lane, top, 1);
    extend_loop(lane, top->loop, latch, frame);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    struct lane *lane = sim_lane;
    if (!lane)
        return;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t latch = lane->code_at;
    bool back = pc <= latch && frame == lane->code_frame;
    lane->code_at = pc;
    lane->code_frame = frame;
    if (back) /* at the end, so that the usual case saves no registers */
        go_round(lane, pc, latch, frame);
}

/* Whether a lane that stands at `stop`, `depth` deep, is still in a loop it has gone
 * round: one of a calling function, or one of this that holds the place. */
static bool is_inside(const struct lane *lane, const struct loop_count *count, uintptr_t stop,
                      uint64_t depth)
{
    uint64_t own = depth_of(lane, count->frame);
    return own < depth ||
           (own == depth && stop >= count->loop->header && stop <= count->loop->latch);
}

void sim_leave_loops(struct warp *warp, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(lanes);
        struct lane *lane = &warp->lane[i];
        while (lane->loops && !is_inside(lane, &lane->loop[lane->loops - 1], sim_lane_pc(warp, i),
                                         depth_of_stop(warp, i)))
            leave_loop(lane);
    }
}

/* The rounds that `lane` has gone in the loop of `count`, at the same depth. */
static uint64_t rounds_of(const struct lane *lane, const struct lane *counted,
                          const struct loop_count *count)
{
    uint64_t depth = depth_of(counted, count->frame);
    for (unsigned int i = 0; i < lane->loops; i++)
        if (lane->loop[i].loop == count->loop && depth_of(lane, lane->loop[i].frame) == depth)
            return lane->loop[i].rounds;
    return 0;
}

/* Compares the rounds in the loops of `one` in which both lanes are, from the
 * outermost in: below 0 when `one` has gone fewer. */
static int compare_rounds(const struct warp *warp, unsigned int one, unsigned int other)
{
    const struct lane *lane = &warp->lane[one];
    for (unsigned int i = 0; i < lane->loops; i++) {
        const struct loop_count *count = &lane->loop[i];
        if (!is_inside(lane, count, sim_lane_pc(warp, one), depth_of_stop(warp, one)) ||
            !is_inside(lane, count, sim_lane_pc(warp, other), depth_of_stop(warp, other)))
            continue;
        uint64_t rounds = rounds_of(&warp->lane[other], lane, count);
        if (rounds != count->rounds)
            return count->rounds < rounds ? -1 : 1;
    }
    return 0;
}

int sim_program_order(const struct warp *warp, unsigned int lane, unsigned int other)
{
    int order = compare_rounds(warp, lane, other);
    if (order == 0)
        order = -compare_rounds(warp, other, lane);
    uint64_t key = warp->key[lane], other_key = warp->key[other];
    return order ? order : key < other_key ? -1 : key > other_key;
}
