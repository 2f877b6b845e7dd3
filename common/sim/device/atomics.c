/* atomics.c - atomicAdd and its kind.
 *
 * A lane stops at the atomic like at any access; when it goes on, it performs
 * the operation, and no other lane runs in between: that makes it atomic. */
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

/* What the flags of enum stop_flags say of each operation on each type. nvcc sums most
 * operations on integers in the warp first when the address is the same in all lanes. And some
 * have no instruction in shared memory, by what nvcc 13 makes of them for sm_90: there are
 * ATOMS.EXCH and ATOMS.CAS of 32, 64 and 128 bits, and the rest for 32-bit integers alone. */
#define OF_TYPES(INTEGERS, OTHERS)                                                                 \
    {                                                                                              \
        [SIM_U16] = (OTHERS) & ~ACCESS_LOOPS, [SIM_S32] = INTEGERS, [SIM_U32] = INTEGERS,          \
        [SIM_S64] = OTHERS, [SIM_U64] = OTHERS, [SIM_F32] = OTHERS, [SIM_F64] = OTHERS,            \
        [SIM_F16] = OTHERS, [SIM_F16X2] = OTHERS, [SIM_F32X2] = (OTHERS) & ~ACCESS_LOOPS,          \
        [SIM_F32X4] = (OTHERS) & ~ACCESS_LOOPS, [SIM_B128] = (OTHERS) & ~ACCESS_LOOPS              \
    }
static const uint16_t flags_of[][SIM_B128 + 1] = {
    [SIM_ATOMIC_ADD] = OF_TYPES(ACCESS_AGGREGATES, ACCESS_LOOPS),
    [SIM_ATOMIC_EXCH] = OF_TYPES(ACCESS_EXCHANGE, ACCESS_EXCHANGE),
    [SIM_ATOMIC_MIN] = OF_TYPES(ACCESS_AGGREGATES, ACCESS_LOOPS),
    [SIM_ATOMIC_MAX] = OF_TYPES(ACCESS_AGGREGATES, ACCESS_LOOPS),
    [SIM_ATOMIC_INC] = OF_TYPES(0, ACCESS_LOOPS),
    [SIM_ATOMIC_DEC] = OF_TYPES(0, ACCESS_LOOPS),
    [SIM_ATOMIC_AND] = OF_TYPES(ACCESS_AGGREGATES, ACCESS_LOOPS),
    [SIM_ATOMIC_OR] = OF_TYPES(ACCESS_AGGREGATES, ACCESS_LOOPS),
    [SIM_ATOMIC_XOR] = OF_TYPES(ACCESS_AGGREGATES, ACCESS_LOOPS),
    [SIM_ATOMIC_CAS] = OF_TYPES(ACCESS_COMPARES, ACCESS_COMPARES),
};

static inline struct stop atomic_stop(const struct lane *lane, struct lane_atomic atomic,
                                      unsigned int flags)
{
    flags |= flags_of[atomic.operation][atomic.type];
    if (lane->uniform && flags & ACCESS_AGGREGATES)
        flags |= ACCESS_UNIFORM;
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

static inline void arrive(struct lane *lane, struct lane_atomic atomic, uintptr_t address,
                          unsigned int flags, struct place here)
{
    struct warp *warp = lane->warp;
    sim_lane_arrive(lane, atomic_stop(lane, atomic, flags), address, here);
    warp->atomic[lane->number] = atomic;
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
static __attribute__((noinline)) void *stop_slowly(struct lane *lane)
{
    void *stack_pointer = lane->stack_pointer;
    wait_and_carry_out(lane, sim_place_of_entry(lane).pc);
    return stack_pointer;
}

/* Nearly always the engine carries out the atomics of all lanes, and this is the whole way. */
void *sim_stop_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                      uint64_t compare, unsigned int flags);
void *sim_stop_atomic(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                      uint64_t compare, unsigned int flags)
{
    struct lane *lane = sim_lane;
    struct warp *warp = lane->warp;
    arrive(lane, (struct lane_atomic){(uint8_t)op, (uint8_t)type}, (uintptr_t)address, flags,
           sim_place_of_entry(lane));
    warp->value[lane->number] = compare;
    warp->operand[lane->number] = operand;
    if (__builtin_expect(sim_explaining | sim_fences_used, false))
        return stop_slowly(lane);
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
    arrive(lane, (struct lane_atomic){(uint8_t)op, (uint8_t)type}, (uintptr_t)address, flags, here);
    lane->warp->value[lane->number] = compare;
    lane->warp->operand[lane->number] = operand;
    wait_and_carry_out(lane, here.pc);
}
#endif

/* Rare enough to be carried out by the lane. */
void sim_atomic_wide(enum sim_atomic_op op, enum sim_type type, void *address, uint64_t operand,
                     uint64_t operand_high, uint64_t compare, uint64_t compare_high,
                     unsigned int flags)
{
    struct place here = HERE;
    struct lane *lane = sim_lane_for("an atomic", here.pc);
    struct warp *warp = lane->warp;
    arrive(lane, (struct lane_atomic){(uint8_t)op, (uint8_t)type}, (uintptr_t)address, flags, here);
    warp->value[lane->number] = compare;
    warp->value_high[lane->number] = compare_high;
    warp->operand[lane->number] = operand;
    warp->operand_high[lane->number] = operand_high;
    wait_and_carry_out(lane, here.pc);
}

void sim_needs(const char *what, int capability)
{
    const struct sim_card *card = sim_options()->card;
    if (card->capability >= capability)
        return;
    char headline[160], detail[160];
    snprintf(headline, sizeof headline, "%s is not on this card: %s has compute capability %d.%d",
             what, card->name, card->capability / 10, card->capability % 10);
    snprintf(detail, sizeof detail, "it needs %d.%d, which H200 has", capability / 10,
             capability % 10);
    const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    sim_report(
        CHECK_MEMORY, sim_lane_for(what, pc), pc, headline, detail,
        "take another way where __CUDA_ARCH__ is less (nvcc refuses to compile this kernel)");
    sim_stop_launch(sim_running, cudaErrorNoKernelImageForDevice);
}

uint64_t sim_atomic_result_high(void)
{
    struct lane *lane = sim_lane;
    sim_note_result_used(lane);
    return lane->warp->value_high[lane->number];
}

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
