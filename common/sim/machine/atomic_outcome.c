/* atomic_outcome.c - what an atomic leaves in memory, of what it finds there. */
#include <string.h>

#include "include/sim_half_bits.h"
#include "machine/machine.h"

static uint32_t float_sum(uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static uint64_t two_float_sums(uint64_t a, uint64_t b)
{
    return float_sum((uint32_t)a, (uint32_t)b) |
           (uint64_t)float_sum((uint32_t)(a >> 32), (uint32_t)(b >> 32)) << 32;
}

static uint64_t add_floats(enum sim_type type, uint64_t a, uint64_t b)
{
    if (type == SIM_F64) {
        double x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x += y;
        memcpy(&a, &x, sizeof x);
        return a;
    }
    if (type == SIM_F32)
        return float_sum((uint32_t)a, (uint32_t)b);
    if (type == SIM_F32X2)
        return two_float_sums(a, b);
    /* one half, or two */
    return sim_half_sum((uint16_t)a, (uint16_t)b) |
           (uint64_t)sim_half_sum((uint16_t)(a >> 16), (uint16_t)(b >> 16)) << 16;
}

static bool less(enum sim_type type, uint64_t a, uint64_t b)
{
    if (type == SIM_S32)
        return (int32_t)a < (int32_t)b;
    if (type == SIM_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

/* The value that the operation leaves in memory. */
static uint64_t apply(enum sim_atomic_op op, enum sim_type type, uint64_t old, uint64_t operand,
                      uint64_t compare)
{
    switch (op) {
    case SIM_ATOMIC_ADD:
        return type >= SIM_F32 ? add_floats(type, old, operand) : old + operand;
    case SIM_ATOMIC_EXCH:
        return operand;
    case SIM_ATOMIC_MIN:
        return less(type, operand, old) ? operand : old;
    case SIM_ATOMIC_MAX:
        return less(type, old, operand) ? operand : old;
    case SIM_ATOMIC_INC:
        return old >= operand ? 0 : old + 1;
    case SIM_ATOMIC_DEC:
        return old == 0 || old > operand ? operand : old - 1;
    case SIM_ATOMIC_AND:
        return old & operand;
    case SIM_ATOMIC_OR:
        return old | operand;
    case SIM_ATOMIC_XOR:
        return old ^ operand;
    default:
        return old == compare ? operand : old;
    }
}

uint64_t sim_atomic_outcome(const struct warp *warp, unsigned int lane, uint64_t old)
{
    struct lane_atomic atomic = warp->atomic[lane];
    unsigned int bytes = sim_atomic_bytes(atomic);
    uint64_t mask = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
    return apply((enum sim_atomic_op)atomic.operation, (enum sim_type)atomic.type, old,
                 warp->operand[lane], warp->value[lane]) &
           mask;
}

/* A compare-and-swap, an exchange or an addition of four floats. */
void sim_wide_outcome(const struct warp *warp, unsigned int lane, const uint64_t *old,
                      uint64_t *new)
{
    uint64_t operand[2] = {warp->operand[lane], warp->operand_high[lane]};
    bool adds = warp->atomic[lane].operation == SIM_ATOMIC_ADD;
    bool stays = warp->atomic[lane].operation == SIM_ATOMIC_CAS &&
                 (old[0] != warp->value[lane] || old[1] != warp->value_high[lane]);
    for (int i = 0; i < 2; i++)
        new[i] = stays ? old[i] : adds ? two_float_sums(old[i], operand[i]) : operand[i];
}
