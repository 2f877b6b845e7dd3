/* warp_intrinsic.c - warp intrinsics: votes, matches, shuffles, reductions.
 *
 * A lane that calls one waits until every live lane that its mask names waits
 * at the same intrinsic with the same mask; then all get their results at once. */
#include <stdio.h>

#include "engine/engine.h"

uint64_t sim_meet_at_intrinsic(struct lane *lane, enum sim_warp_intrinsic operation, uint32_t mask,
                               uint64_t value, unsigned int argument, struct place place)
{
    struct warp *warp = lane->warp;
    if (!(mask >> lane->number & 1) && sim_checks(CHECK_SYNC))
        sim_report(CHECK_SYNC, lane, place.pc,
                   "Invalid arguments: the mask does not name the calling thread",
                   "a warp intrinsic was called by a lane whose bit in the mask is 0",
                   "name every lane that calls it, or keep the others from calling it");
    struct stop stop = {.reason = STOP_INTRINSIC, .operation = (uint8_t)operation};
    sim_lane_arrive(lane, stop, argument, place);
    warp->value[lane->number] = value;
    lane->mask = mask | 1u << lane->number;
    warp->intrinsic |= 1u << lane->number;
    sim_lane_blocks(lane);
    sim_lane_wait(lane);
    return warp->value[lane->number];
}

static uint32_t equal_lanes(const struct warp *warp, uint32_t mask, uint64_t value)
{
    uint32_t equal = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (warp->value[i] == value)
            equal |= 1u << i;
    }
    return equal;
}

static uint64_t combine(enum sim_warp_intrinsic operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case SIM_REDUCE_ADD:
        return a + b;
    case SIM_REDUCE_MIN_U32:
        return a < b ? a : b;
    case SIM_REDUCE_MAX_U32:
        return a > b ? a : b;
    case SIM_REDUCE_MIN_S32:
        return (int32_t)a < (int32_t)b ? a : b;
    case SIM_REDUCE_MAX_S32:
        return (int32_t)a > (int32_t)b ? a : b;
    case SIM_REDUCE_AND:
        return a & b;
    case SIM_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint64_t reduce(const struct warp *warp, enum sim_warp_intrinsic operation, uint32_t mask)
{
    uint32_t result = (uint32_t)warp->value[__builtin_ctz(mask)];
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
        result = (uint32_t)combine(operation, result, (uint32_t)warp->value[__builtin_ctz(rest)]);
    return result;
}

static bool is_shuffle(enum sim_warp_intrinsic operation)
{
    return operation >= SIM_SHUFFLE && operation <= SIM_SHUFFLE_XOR;
}

/* The lane that `lane` reads from, by the rules of the PTX instruction shfl. */
static unsigned int shuffle_source(enum sim_warp_intrinsic operation, unsigned int lane,
                                   unsigned int argument)
{
    unsigned int width = argument >> 8, offset = argument & 0xff;
    width = width == 0 || width > WARP ? WARP : width;
    unsigned int first = lane & ~(width - 1), last = first | (width - 1);
    switch (operation) {
    case SIM_SHUFFLE:
        return first | (offset & (width - 1));
    case SIM_SHUFFLE_UP:
        return lane < first + offset ? lane : lane - offset;
    case SIM_SHUFFLE_DOWN:
        return lane + offset > last ? lane : lane + offset;
    default:
        return (lane ^ offset) > last ? lane : lane ^ offset;
    }
}

/* What a shuffle reads. A lane that the mask does not name gives anything: what no register holds. */
static uint64_t shuffled(const struct warp *warp, uint32_t mask, unsigned int source)
{
    uint64_t drawn = warp->block->launch->random * 0x9e3779b97f4a7c15u;
    return warp->value[source] ^ (mask >> source & 1 ? 0 : drawn | 1ull << 32 | 1);
}

static uint64_t result_of(const struct warp *warp, enum sim_warp_intrinsic operation, uint32_t mask,
                          unsigned int lane)
{
    switch (operation) {
    case SIM_SYNCWARP:
        return 0;
    case SIM_BALLOT:
        return mask & ~equal_lanes(warp, mask, 0);
    case SIM_ANY:
        return equal_lanes(warp, mask, 0) != mask;
    case SIM_ALL:
        return equal_lanes(warp, mask, 0) == 0;
    case SIM_MATCH_ANY:
        return equal_lanes(warp, mask, warp->value[lane]);
    case SIM_MATCH_ALL:
        return equal_lanes(warp, mask, warp->value[lane]) == mask ? mask : 0;
    case SIM_SHUFFLE:
    case SIM_SHUFFLE_UP:
    case SIM_SHUFFLE_DOWN:
    case SIM_SHUFFLE_XOR:
        return shuffled(warp, mask,
                        shuffle_source(operation, lane, (unsigned int)warp->address[lane]));
    default:
        return reduce(warp, operation, mask);
    }
}

/* Most results are the same in all lanes, or in all that gave the same value. */
static uint32_t lanes_with_same_result(const struct warp *warp, enum sim_warp_intrinsic operation,
                                       uint32_t mask, unsigned int lane)
{
    if (operation == SIM_MATCH_ANY)
        return equal_lanes(warp, mask, warp->value[lane]);
    return is_shuffle(operation) ? 1u << lane : mask;
}

/* Whether a lane that has returned was behind the intrinsic at which `waits` waits when it last stopped: it has
 * passed by. Who returned before, as in `if (i >= n) return;`, may be named: the Guide asks for all threads that
 * have not exited. */
static bool has_passed_by(const struct warp *warp, unsigned int left, unsigned int waits)
{
    return warp->key[left] >> 48 == warp->key[waits] >> 48 && warp->key[left] > warp->key[waits];
}

/* Of the lanes `left`, which have returned, one that a shuffle of `mask` reads from; -1: none does. */
static int lane_read_from(const struct warp *warp, enum sim_warp_intrinsic operation, uint32_t mask,
                          uint32_t left)
{
    for (uint32_t rest = is_shuffle(operation) ? mask : 0; rest; rest &= rest - 1) {
        const unsigned int lane = (unsigned int)__builtin_ctz(rest);
        const unsigned int source =
            shuffle_source(operation, lane, (unsigned int)warp->address[lane]);
        if (left >> source & 1)
            return (int)source;
    }
    return -1;
}

/* Who should have come and has returned instead; and a lane that is read from and has returned, whose value is
 * undefined. __syncwarp may name it. Returns whether it was told. */
static bool check_left(const struct warp *warp, enum sim_warp_intrinsic operation, uint32_t mask,
                       uint32_t named)
{
    const unsigned int first = (unsigned int)__builtin_ctz(mask);
    const uint32_t left = named & warp->lanes & ~warp->live;
    char detail[128];
    if (!left || operation == SIM_SYNCWARP || !sim_checks(CHECK_SYNC))
        return false;
    int wanted = lane_read_from(warp, operation, mask, left);
    for (uint32_t rest = left; rest && wanted < 0; rest &= rest - 1)
        if (has_passed_by(warp, (unsigned int)__builtin_ctz(rest), first))
            wanted = __builtin_ctz(rest);
    if (wanted < 0)
        return false;
    snprintf(detail, sizeof detail, "lane %d of the warp is in the mask 0x%08x and has returned",
             wanted, named);
    sim_report(CHECK_SYNC, &warp->lane[first], sim_lane_pc(warp, first),
               "Invalid arguments: the mask names a thread that has left the kernel", detail,
               "let all threads of the warp reach the intrinsic, and return after it; or name only "
               "those that take part");
    return true;
}

/* By the letter a shuffle may not even read from a lane outside of its mask, and the strict check says so. Many
 * kernels do and throw the value away, which harms nobody: to them it is a warning. Whoever uses the value gets
 * anything, and is told here where it came from. */
static void tell_outside(const struct warp *warp, uint32_t mask, unsigned int lane,
                         unsigned int source)
{
    static const char headline[] = "Invalid arguments: a shuffle from a lane outside of its mask";
    static const char advice[] = "name every lane that is read from, and let all of them call it; "
                                 "or do not use what such a lane gives";
    const struct lane *reader = &warp->lane[lane];
    const uintptr_t pc = sim_lane_pc(warp, lane);
    char detail[128];
    snprintf(detail, sizeof detail,
             "lane %u reads from lane %u, which is not in the mask 0x%08x: any value", lane, source,
             mask);
    if (sim_checks(CHECK_STRICT))
        sim_report(CHECK_SYNC, reader, pc, headline, detail, advice);
    else
        sim_warn(reader, pc, headline, detail, advice);
}

/* One lane that reads from outside is enough to be told. */
static void check_sources(const struct warp *warp, enum sim_warp_intrinsic operation, uint32_t mask)
{
    if (!is_shuffle(operation) || !sim_checks(CHECK_SYNC))
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int lane = (unsigned int)__builtin_ctz(rest);
        unsigned int source = shuffle_source(operation, lane, (unsigned int)warp->address[lane]);
        if (mask >> source & 1)
            continue;
        tell_outside(warp, mask, lane, source);
        return;
    }
}

/* Results are computed before any is written, since they come from the operands. Equal ones
 * are computed once: for a match of 32 lanes that is 32 comparisons a value, not 1,024. */
static void open_intrinsic(struct warp *warp, enum sim_warp_intrinsic operation, uint32_t mask)
{
    uint64_t result[WARP];
    for (uint32_t rest = mask; rest;) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        uint32_t same = lanes_with_same_result(warp, operation, mask, i);
        uint64_t value = result_of(warp, operation, mask, i);
        for (uint32_t other = same; other; other &= other - 1)
            result[__builtin_ctz(other)] = value;
        rest &= ~same;
    }
    SIM_TELL(warp->block->launch, warp_meets, warp, mask, operation, result);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        warp->value[i] = result[i];
        warp->stop[i] = (struct stop){.reason = STOP_RESUME};
        warp->lane[i].mask = 0;
    }
    warp->intrinsic &= ~mask;
    sim_make_runnable(warp, mask);
}

/* Lanes of one warp may wait at several intrinsics with different masks, as coalesced groups
 * do: each opens when its own lanes are there. A mask counts without lanes that returned. */
void sim_complete_intrinsics(struct warp *warp)
{
    for (uint32_t rest = warp->intrinsic; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        uint32_t mask = warp->lane[i].mask & warp->live, there = 0;
        if (mask & ~warp->intrinsic)
            continue;
        for (uint32_t other = warp->intrinsic & mask; other; other &= other - 1) {
            unsigned int j = (unsigned int)__builtin_ctz(other);
            if (same_stop(warp->stop[j], warp->stop[i]) && warp->lane[j].mask == warp->lane[i].mask)
                there |= 1u << j;
        }
        if (there != mask)
            continue;
        enum sim_warp_intrinsic operation = (enum sim_warp_intrinsic)warp->stop[i].operation;
        if (!check_left(warp, operation, mask, warp->lane[i].mask))
            check_sources(warp, operation, mask);
        open_intrinsic(warp, operation, mask);
        rest &= ~mask | 1u << i;
    }
}
