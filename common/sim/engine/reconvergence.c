/* reconvergence.c - who is behind whom: the order of a program, loops included.
 *
 * When a warp diverges, hardware lets its lanes meet again at the end of the branch: at the branch's
 * immediate post-dominator, which the compiler marks (Fung et al., Dynamic Warp Formation, MICRO 2007,
 * describe it well). We see no such marks, and need none. Lanes meet again when those that are behind in
 * the program go first, until they have caught up. That is Collange's rule, the deepest call and then
 * the lowest address first (Stack-less SIMT Reconvergence, 2011). It holds as long as code lies in the
 * order of the source, for which kernel_flags.sh sees.
 *
 * A loop is the exception: a lane that has begun its next round is at a low address, and is ahead all the
 * same. So rounds are counted. The compiler (-fsanitize-coverage=trace-pc) calls us at the beginning of each
 * basic block. A step back to a lower address in one frame is the jump that closes a loop, and the block to which
 * it goes is the loop's header: it names the loop. (rewrite/loops.c sees to it that two loops have two headers.)
 * The loop reaches from its header to its latch, the last block from which a lane has jumped back. Each lane
 * keeps a stack of the loops that it is in, with the rounds that it has gone. Of two lanes in one loop
 * the one with fewer rounds is behind, whatever their addresses; loops are compared from the outermost
 * in, and addresses only where all rounds are equal. */
#include "engine/engine.h"

enum { NESTED_LOOPS = 6 };

/* A loop of the program, learned from the jumps that lanes make: the blocks of
 * code from `header` to `latch`. */
struct loop {
    uintptr_t header, latch;
    uintptr_t jump; /* the block from which the first lane has jumped back */
    enum { UNROLLED_UNKNOWN, UNROLLED, NOT_UNROLLED } unrolled;
};

/* How often a lane has gone round the loops that it is in, outermost first. */
struct loop_count {
    struct loop *loop;
    uintptr_t frame;
    uint64_t rounds;
    uint64_t entered; /* what that of the lane was when the last round began */
};

/* Of a warp. */
static struct loops_of_warp {
    uint64_t rounds[WARP]; /* of all loops that the lane is in: equal when lanes went equally far */
    struct loops_of_lane {
        uint64_t *of_all; /* its entry of `rounds` */
        uint8_t loops;    /* entries in `loop`; whatever is there beyond these */
        uint8_t label;    /* by which it has jumped into a loop; 0: by none */
        struct loop_count loop[NESTED_LOOPS];
    } lane[WARP];
} of_warp[MOST_WARPS];

static inline struct loops_of_lane *of_lane(const struct lane *lane)
{
    return lane->loops;
}

void sim_loops_start_warp(struct warp *warp)
{
    struct loops_of_warp *of = &of_warp[warp->at];
    memset(of->rounds, 0, sizeof of->rounds);
    for (int i = 0; i < WARP; i++) {
        of->lane[i].loops = of->lane[i].label = 0;
        of->lane[i].of_all = &of->rounds[i];
        warp->lane[i].loops = &of->lane[i];
    }
}

/* The loop with this header; NULL when memory is out. Apart from sim_go_round, which is on
 * every kernel's way and would have to save registers for it. */
static __attribute__((noinline)) struct loop *find_loop(uintptr_t header)
{
    static struct known {
        uint64_t header; /* the key */
        struct loop *loop;
    } * known;
    static struct sim_table loops = {.entry_bytes = sizeof *known};
    known = sim_table_add(&loops, header);
    if (known && !known->loop && (known->loop = calloc(1, sizeof *known->loop)))
        known->loop->header = header;
    return known ? known->loop : NULL;
}

/* How deep in its stack a lane is, as in warp->key. */
static uint64_t depth_of(const struct lane *lane, uintptr_t frame)
{
    return (lane->stack_top - frame) >> 4;
}

static uint64_t depth_of_stop(const struct warp *warp, unsigned int lane)
{
    return 0xffff - (warp->key[lane] >> 48);
}

/* `rounds` of a warp tells at a glance whether lanes have gone the same rounds. */
static void add_rounds(struct lane *lane, const struct loop_count *count, uint64_t rounds)
{
    *lane->loops->of_all += rounds * (uint64_t)count->loop->header;
}

static void leave_loop(struct lane *lane)
{
    struct loops_of_lane *of = of_lane(lane);
    const struct loop_count *count = &of->loop[--of->loops];
    add_rounds(lane, count, 0 - count->rounds);
}

/* Whether the lane waited last in that frame, in the block `since` or a later one. */
static bool has_waited(const struct lane *lane, uintptr_t frame, uint64_t since)
{
    const struct warp *warp = lane->warp;
    return warp->entered[lane->number] >= since &&
           depth_of_stop(warp, lane->number) == depth_of(lane, frame);
}

/* The loop reaches to its last block, and in it to the last access before the jump, which the lane made in the block
 * `since` or a later one. An earlier access, which may lie behind the loop, is none of its. */
static __attribute__((noinline)) void extend_loop(const struct lane *lane, struct loop *loop,
                                                  uintptr_t latch, uintptr_t frame, uint64_t since)
{
    uintptr_t stop = sim_lane_pc(lane->warp, lane->number);
    if (stop > latch && has_waited(lane, frame, since))
        latch = stop;
    if (latch > loop->latch)
        loop->latch = latch;
}

static __attribute__((noinline)) void enter_loop(struct lane *lane, uintptr_t header,
                                                 uintptr_t latch, uintptr_t frame)
{
    struct loops_of_lane *of = of_lane(lane);
    while (of->loops) { /* leave the loops of called functions, the inner and the earlier ones */
        const struct loop_count *last = &of->loop[of->loops - 1];
        if (last->frame > frame ||
            (last->frame == frame && last->loop->header <= header && header <= last->loop->latch))
            break;
        leave_loop(lane);
    }
    struct loop_count *top = of->loops ? &of->loop[of->loops - 1] : NULL;
    if (!top || top->frame != frame || top->loop->header != header) {
        struct loop *loop = of->loops < NESTED_LOOPS ? find_loop(header) : NULL;
        if (!loop)
            return;
        if (!loop->jump)
            loop->jump = latch;
        top = &of->loop[of->loops++];
        *top = (struct loop_count){loop, frame, 0, lane->entered - 1};
    }
    top->rounds++;
    add_rounds(lane, top, 1);
    extend_loop(lane, top->loop, latch, frame, top->entered);
    top->entered = lane->entered;
}

/* Nearly always it is the loop of the round before. */
void sim_go_round(struct lane *lane, uintptr_t header, uintptr_t latch, uintptr_t frame)
{
    struct loops_of_lane *of = of_lane(lane);
    struct loop_count *top = of->loop + of->loops - 1;
    if (!of->loops || top->frame != frame || top->loop->header != header) {
        enter_loop(lane, header, latch, frame);
        return;
    }
    top->rounds++;
    add_rounds(lane, top, 1);
    if (latch > top->loop->latch || sim_lane_pc(lane->warp, lane->number) > top->loop->latch)
        extend_loop(lane, top->loop, latch, frame, top->entered);
    top->entered = lane->entered;
}

/* Whether a lane that waits at `stop`, `depth` deep, is still in a loop it has gone
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
        struct loops_of_lane *of = of_lane(lane);
        while (of->loops && !is_inside(lane, &of->loop[of->loops - 1], sim_lane_pc(warp, i),
                                       depth_of_stop(warp, i)))
            leave_loop(lane);
    }
}

/* The rounds that `lane` has gone in the loop of `count`, at the same depth. */
static uint64_t rounds_of(const struct lane *lane, const struct lane *counted,
                          const struct loop_count *count)
{
    const struct loops_of_lane *of = of_lane(lane);
    uint64_t depth = depth_of(counted, count->frame);
    for (unsigned int i = 0; i < of->loops; i++)
        if (of->loop[i].loop == count->loop && depth_of(lane, of->loop[i].frame) == depth)
            return of->loop[i].rounds;
    return 0;
}

/* Compares the rounds in the loops of `one` in which both lanes are, from the
 * outermost in: below 0 when `one` has gone fewer. */
static int compare_rounds(const struct warp *warp, unsigned int one, unsigned int other)
{
    const struct lane *lane = &warp->lane[one];
    const struct loops_of_lane *of = of_lane(lane);
    for (unsigned int i = 0; i < of->loops; i++) {
        const struct loop_count *count = &of->loop[i];
        if (!is_inside(lane, count, sim_lane_pc(warp, one), depth_of_stop(warp, one)) ||
            !is_inside(lane, count, sim_lane_pc(warp, other), depth_of_stop(warp, other)))
            continue;
        uint64_t rounds = rounds_of(&warp->lane[other], lane, count);
        if (rounds != count->rounds)
            return count->rounds < rounds ? -1 : 1;
    }
    return 0;
}

/* The first instruction of the loop's head, or that which goes on to its next round, is in the line of
 * its `for`. clang gives the call before it, which returns to `pc`, no line. */
static bool says_unroll(uintptr_t pc)
{
    return sim_lines_have(pc, pc, 1, "#pragma unroll") ||
           sim_lines_have(pc + 1, pc + 1, 1, "#pragma unroll");
}

/* Whether nvcc makes a copy of the loop's body for each round. */
static bool is_unrolled(struct loop *loop)
{
    if (loop->unrolled == UNROLLED_UNKNOWN)
        loop->unrolled =
            says_unroll(loop->header) || says_unroll(loop->jump) ? UNROLLED : NOT_UNROLLED;
    return loop->unrolled == UNROLLED;
}

uint64_t sim_copy_of(const struct warp *warp, unsigned int lane)
{
    const struct lane *own = &warp->lane[lane];
    const struct loops_of_lane *of = of_lane(own);
    uint64_t copy = 0;
    for (unsigned int i = 0; i < of->loops; i++) {
        const struct loop_count *count = &of->loop[i];
        if (is_unrolled(count->loop) &&
            is_inside(own, count, sim_lane_pc(warp, lane), depth_of_stop(warp, lane)))
            copy += count->rounds * (uint64_t)count->loop->header;
    }
    return copy;
}

int sim_program_order(const struct warp *warp, unsigned int lane, unsigned int other)
{
    int order = compare_rounds(warp, lane, other);
    if (order == 0)
        order = -compare_rounds(warp, other, lane);
    uint64_t key = warp->key[lane], other_key = warp->key[other];
    if (order == 0 && key == other_key) /* lanes that came into a loop at two places stay apart */
        return of_lane(&warp->lane[lane])->label - of_lane(&warp->lane[other])->label;
    return order ? order : key < other_key ? -1 : key > other_key;
}

/* `rounds` differs, so that it is seen at a glance. */
void sim_enter_by_label(struct lane *lane, unsigned int label)
{
    const uint64_t large = 0x9e3779b97f4a7c15u;
    struct loops_of_lane *of = of_lane(lane);
    *of->of_all += (label - (uint64_t)of->label) * large;
    of->label = (uint8_t)label;
}

/* Nearly always true, so it has to be quick: one pass without a branch, which compilers turn
 * into vector instructions. */
bool sim_all_together(const struct warp *warp)
{
    const uint64_t *rounds_of = of_warp[warp->at].rounds;
    unsigned int first = (unsigned int)__builtin_ctz(warp->runnable);
    uint64_t key = warp->key[first], rounds = rounds_of[first], differs = 0;
    if (warp->runnable == UINT32_MAX) {
        for (int i = 0; i < WARP; i++)
            differs |= (warp->key[i] ^ key) | (rounds_of[i] ^ rounds);
    } else {
        for (uint32_t rest = warp->runnable; rest; rest &= rest - 1) {
            int i = __builtin_ctz(rest);
            differs |= (warp->key[i] ^ key) | (rounds_of[i] ^ rounds);
        }
    }
    return differs == 0;
}

uint32_t sim_lanes_at_edge(const struct warp *warp, uint32_t candidates, bool first)
{
    const uint64_t *rounds = of_warp[warp->at].rounds;
    unsigned int best = (unsigned int)__builtin_ctz(candidates);
    uint32_t chosen = 1u << best;
    for (uint32_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        int order = 0;
        if (warp->key[i] != warp->key[best] || rounds[i] != rounds[best])
            order = sim_program_order(warp, i, best);
        if (order == 0) {
            chosen |= 1u << i;
        } else if ((order < 0) == first) {
            best = i;
            chosen = 1u << i;
        }
    }
    return chosen;
}
