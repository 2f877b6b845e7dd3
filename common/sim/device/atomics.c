/* atomics.c - atomicAdd and its kind.
 *
 * A lane stops at the atomic like at any access; when it goes on, it performs
 * the operation, and no other lane runs in between: that makes it atomic. */
#include <string.h>

#include "engine/engine.h"

/* nvcc sums these in the warp first when the address is the same in all lanes. */
static bool aggregates(struct sim_atomic atomic)
{
    const unsigned int operations = 1 << SIM_ATOMIC_ADD | 1 << SIM_ATOMIC_MIN |
                                    1 << SIM_ATOMIC_MAX | 1 << SIM_ATOMIC_AND | 1 << SIM_ATOMIC_OR |
                                    1 << SIM_ATOMIC_XOR;
    return (atomic.type == SIM_S32 || atomic.type == SIM_U32) && operations >> atomic.operation & 1;
}

static inline struct stop atomic_stop(const struct lane *lane, struct sim_atomic atomic,
                                      unsigned int flags)
{
    if (aggregates(atomic))
        flags |= ACCESS_AGGREGATES | (lane->uniform ? ACCESS_UNIFORM : 0);
    if (atomic.type >= SIM_F32)
        flags |= ACCESS_FLOATING;
    if (atomic.operation == SIM_ATOMIC_CAS)
        flags |= ACCESS_COMPARES;
    if (atomic.operation == SIM_ATOMIC_EXCH)
        flags |= ACCESS_EXCHANGE;
    return (struct stop){STOP_ATOMIC, {sim_atomic_bytes(atomic)}, (uint16_t)flags};
}

void sim_relaxed(void)
{
    if (sim_lane)
        sim_lane->relaxed = true;
}

void sim_note_uniform(void)
{
    if (sim_lane)
        sim_lane->uniform = true;
}

static inline void arrive(struct lane *lane, struct sim_atomic atomic, uintptr_t address,
                          unsigned int flags, struct place here)
{
    struct warp *warp = lane->warp;
    unsigned int i = lane->number;
    sim_lane_arrive(lane, atomic_stop(lane, atomic, flags), address, here);
    warp->atomic[i] = atomic;
    warp->runnable |= 1u << i;
    lane->uniform = false;
    lane->atomic_address = address;
    lane->atomic_block_scope = flags & SIM_SCOPE_BLOCK;
    lane->atomic_relaxed = lane->relaxed;
    lane->relaxed = false;
}

/* The lane carries its atomic out itself, when it goes on: what it publishes and what is to be
 * explained goes by the order of the lanes. */
static void wait_and_carry_out(struct lane *lane, uintptr_t pc)
{
    const struct warp *warp = lane->warp;
    uintptr_t address = warp->address[lane->number];
    sim_lane_wait(lane);
    if (sim_explaining)
        sim_explain_access(lane, address, warp->stop[lane->number].bytes, STOP_ATOMIC, pc);
    sim_carry_out(lane);
}

#ifdef SIM_ENTRIES
/* Nearly always the engine carries out the atomics of all lanes, and this is the whole way. */
void *sim_stop_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                      uint64_t compare, unsigned int flags);
void *sim_stop_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                      uint64_t compare, unsigned int flags)
{
    struct lane *lane = sim_lane;
    struct place place = sim_place_of_entry(lane);
    struct warp *warp = lane->warp;
    void *stack_pointer = lane->stack_pointer;
    arrive(lane, (struct sim_atomic){(uint8_t)op, (uint8_t)type}, (uintptr_t)address, flags, place);
    warp->value[lane->number] = compare;
    warp->operand[lane->number] = operand;
    if (__builtin_expect(sim_explaining || sim_fences_used, false)) {
        wait_and_carry_out(lane, place.pc);
        return stack_pointer;
    }
    warp->deferred |= 1u << lane->number;
    return sim_hand_over(lane);
}

void sim_host_atomic(void);
void sim_host_atomic(void)
{
    sim_lane_for("an atomic", (uintptr_t)__builtin_return_address(0));
}
SIM_ENTRY("sim_atomic", "sim_stop_atomic", "sim_host_atomic", "");
#else
void sim_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                uint64_t compare, unsigned int flags)
{
    struct place here = HERE;
    struct lane *lane = sim_lane_for("an atomic", here.pc);
    arrive(lane, (struct sim_atomic){(uint8_t)op, (uint8_t)type}, (uintptr_t)address, flags, here);
    lane->warp->value[lane->number] = compare;
    lane->warp->operand[lane->number] = operand;
    wait_and_carry_out(lane, here.pc);
}
#endif

/* That it is called at all is the point: the result is used, so the atomic is ATOM. */
uint64_t sim_atomic_result(void)
{
    struct lane *lane = sim_lane;
    sim_note_result_used(lane);
    if (sim_fences_used && lane->atomic_relaxed)
        sim_order_read_relaxed(lane, lane->atomic_address);
    else if (sim_fences_used)
        sim_order_acquire(lane, lane->atomic_address, lane->atomic_block_scope);
    return lane->warp->value[lane->number];
}
