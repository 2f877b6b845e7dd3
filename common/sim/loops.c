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

/* The lane jumped from the block at `latch` back to the one at `header`. */
static __attribute__((noinline)) void go_round(struct lane *lane, uintptr_t header,
                                               uintptr_t latch, uintptr_t frame)
{
    while (lane->loops) { /* leave the loops of called functions, and the inner ones */
        const struct loop_count *inner = &lane->loop[lane->loops - 1];
        if (inner->frame > frame || (inner->frame == frame && inner->loop->header <= header))
            break;
        lane->loops--;
    }
    struct loop_count *top = lane->loops ? &lane->loop[lane->loops - 1] : NULL;
    if (!top || top->frame != frame || top->loop->header != header) {
        if (lane->loops == NESTED_LOOPS)
            return;
        top = &lane->loop[lane->loops++];
        *top = (struct loop_count){find_loop(header), frame, 0};
    }
    top->rounds++;
    if (latch > top->loop->latch)
        top->loop->latch = latch;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    struct lane *lane = sim_lane;
    if (!lane)
        return;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (pc <= lane->code_at && frame == lane->code_frame)
        go_round(lane, pc, lane->code_at, frame);
    lane->code_at = pc;
    lane->code_frame = frame;
}

/* The rounds that `lane` has gone in the loop of `count`, in the same frame. */
static uint64_t rounds_of(const struct lane *lane, const struct lane *counted,
                          const struct loop_count *count)
{
    uintptr_t depth = counted->stack_top - count->frame;
    for (unsigned int i = 0; i < lane->loops; i++)
        if (lane->loop[i].loop == count->loop && lane->stack_top - lane->loop[i].frame == depth)
            return lane->loop[i].rounds;
    return 0;
}

/* Compares the rounds in the loops of `one` that hold both lanes' places, from
 * the outermost in: below 0 when `one` has gone fewer. */
static int compare_rounds(const struct lane *one, uintptr_t pc, const struct lane *other,
                          uintptr_t other_pc)
{
    for (unsigned int i = 0; i < one->loops; i++) {
        const struct loop_count *count = &one->loop[i];
        uintptr_t header = count->loop->header, latch = count->loop->latch;
        /* The latch is the start of the last block; its end is not known, but an
         * access in it would be a place of its own. */
        if (pc < header || pc > latch || other_pc < header || other_pc > latch)
            continue;
        uint64_t rounds = rounds_of(other, one, count);
        if (rounds != count->rounds)
            return count->rounds < rounds ? -1 : 1;
    }
    return 0;
}

bool sim_is_behind(const struct warp *warp, unsigned int lane, unsigned int other)
{
    uint64_t key = warp->key[lane], other_key = warp->key[other];
    if (key >> 48 != other_key >> 48) /* the deeper call first */
        return key < other_key;
    const struct lane *a = &warp->lane[lane], *b = &warp->lane[other];
    uintptr_t pc = sim_lane_pc(warp, lane), other_pc = sim_lane_pc(warp, other);
    int order = compare_rounds(a, pc, b, other_pc);
    if (order == 0)
        order = -compare_rounds(b, other_pc, a, pc);
    return order ? order < 0 : key < other_key;
}
