/* coalesce.c - the rules by which the hardware's counters count.
 *
 * The hardware looks at the addresses of a warp's lanes together and moves what they touch
 * once. How it counts is not documented for atomics; the rules here were found by counting
 * on an H200 with Nsight Compute and comparing number for number (docs/simulator.md has the
 * table, tests/sim/calibration.cu and fidelity.c the proofs).
 *
 * Two things make an atomic different. In global memory the L2 cache carries it out: lanes
 * that want one address take turns there, lanes that want different addresses of a sector
 * do not. In shared memory each lane needs a pass of its bank, equal address or not, but for
 * the increment by one, ATOMS.POPC.INC, which counts equal lanes first.
 *
 * All functions take the 32 addresses of a warp and the mask of the lanes that take part. */
#include <string.h>

#include "engine/engine.h"

/* A set of up to 64 numbers with a count each; small enough to stay in L1. */
enum { SLOT_BITS = 7, SLOTS = 1 << SLOT_BITS };
struct tally {
    uint64_t used[SLOTS / 64];
    uint64_t key[SLOTS];
    unsigned int count[SLOTS];
};

static void tally_clear(struct tally *tally)
{
    memset(tally->used, 0, sizeof tally->used);
}

/* Counts `key` and returns its slot. */
static unsigned int tally_add(struct tally *tally, uint64_t key)
{
    unsigned int slot = (unsigned int)sim_hash(key, SLOT_BITS);
    for (;; slot = (slot + 1) % SLOTS) {
        uint64_t bit = (uint64_t)1 << slot % 64;
        if (!(tally->used[slot / 64] & bit)) {
            tally->used[slot / 64] |= bit;
            tally->key[slot] = key;
            tally->count[slot] = 1;
            return slot;
        }
        if (tally->key[slot] == key) {
            tally->count[slot]++;
            return slot;
        }
    }
}

/* Loads and stores move each 32-byte sector once, whoever touches it. As long as no lane
 * goes back, a sector that is new is one that the lane before did not touch. */
unsigned int sim_sectors(const uintptr_t *address, uint32_t mask, unsigned int bytes,
                         struct extent extent)
{
    struct tally seen;
    uintptr_t last = 0;
    unsigned int sectors = 0;
    if (extent.run)
        return (unsigned int)(((extent.high - 1) >> 5) - (extent.low >> 5) + 1);
    uint32_t rest = mask;
    for (; rest; rest &= rest - 1) {
        uintptr_t sector = address[__builtin_ctz(rest)] >> 5;
        if (sector < last)
            break;
        sectors += sector != last;
        last = sector;
    }
    if (!rest && !(extent.odd & (bytes - 1))) /* aligned: none reaches into the next one */
        return sectors;
    last = UINTPTR_MAX;
    sectors = 0;
    tally_clear(&seen);
    for (; mask; mask &= mask - 1) {
        uintptr_t first = address[__builtin_ctz(mask)];
        uintptr_t end = (first + bytes - 1) >> 5;
        for (uintptr_t sector = first >> 5; sector <= end; sector++) {
            if (sector == last)
                continue;
            last = sector;
            sectors += seen.count[tally_add(&seen, sector)] == 1;
        }
    }
    return sectors;
}

/* The same as below, in a window so small that each word has a counter of its own. */
enum { WINDOW = 1024 };
static unsigned int atomic_sectors_near(const uintptr_t *address, uint32_t mask, uintptr_t low)
{
    unsigned char lanes[WINDOW / 4 + 8] = {0}, most[WINDOW / 32 + 1] = {0};
    unsigned int total = 0;
    for (; mask; mask &= mask - 1) {
        size_t word = (address[__builtin_ctz(mask)] - low) >> 2;
        unsigned char same = ++lanes[word];
        if (same > most[word / 8]) {
            most[word / 8] = same;
            total++;
        }
    }
    return total;
}

/* Atomics on one address in a sector take turns; those on different addresses
 * of the sector go together. So a sector counts as often as the address in it
 * that most lanes want. */
unsigned int sim_atomic_sectors(const uintptr_t *address, uint32_t mask, struct extent extent)
{
    struct tally lanes, sectors;
    unsigned int total = 0;
    if (extent.high - extent.low <= WINDOW && !(extent.odd & 3))
        return atomic_sectors_near(address, mask, extent.low & ~(uintptr_t)31);
    tally_clear(&lanes);
    tally_clear(&sectors);
    for (; mask; mask &= mask - 1) {
        uintptr_t a = address[__builtin_ctz(mask)];
        unsigned int same = lanes.count[tally_add(&lanes, a)];
        unsigned int slot = tally_add(&sectors, a >> 5);
        if (sectors.count[slot] == 1) { /* new: the count now holds the maximum, plus 1 */
            total++;
            sectors.count[slot] = 2;
        } else if (same > --sectors.count[slot] - 1) {
            sectors.count[slot] = same + 1;
            total++;
        }
    }
    return total;
}

/* One pass serves one 4-byte word in each of the 32 banks, to any number of
 * lanes. Wide accesses are served by halves or quarters of the warp. */
static unsigned int passes_near(const uintptr_t *address, uint32_t mask, uintptr_t low)
{
    uint64_t seen[WINDOW / 4 / 64 + 1] = {0};
    unsigned char bank[32] = {0};
    unsigned int most = 0;
    for (; mask; mask &= mask - 1) {
        size_t word = (address[__builtin_ctz(mask)] - low) >> 2;
        uint64_t bit = (uint64_t)1 << word % 64;
        if (seen[word / 64] & bit)
            continue;
        seen[word / 64] |= bit;
        unsigned int depth = ++bank[word % 32];
        most = depth > most ? depth : most;
    }
    return most;
}

static unsigned int passes(const uintptr_t *address, uint32_t mask, unsigned int bytes)
{
    struct tally words;
    unsigned char bank[32] = {0};
    unsigned int most = 0;
    tally_clear(&words);
    for (; mask; mask &= mask - 1) {
        uintptr_t a = address[__builtin_ctz(mask)];
        for (uintptr_t word = a >> 2; word <= (a + bytes - 1) >> 2; word++) {
            if (words.count[tally_add(&words, word)] > 1)
                continue;
            unsigned int depth = ++bank[word % 32];
            most = depth > most ? depth : most;
        }
    }
    return most;
}

/* The half, quarter or whole of a warp that is served at a time. */
static uint32_t first_part(unsigned int bytes, unsigned int *parts)
{
    *parts = bytes <= 4 ? 1 : bytes / 4;
    return *parts == 1 ? UINT32_MAX : (1u << WARP / *parts) - 1;
}

unsigned int sim_least_wavefronts(uint32_t mask, unsigned int bytes)
{
    unsigned int parts, total = 0;
    uint32_t part = first_part(bytes, &parts);
    for (unsigned int i = 0; i < parts; i++, part <<= WARP / parts % WARP)
        total += (mask & part) != 0;
    return total;
}

unsigned int sim_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes,
                            struct extent extent)
{
    unsigned int parts, total = 0;
    uint32_t part = first_part(bytes, &parts);
    uintptr_t low = extent.low & ~(uintptr_t)3;
    if (extent.high - low <= 32 * 4) /* all in banks of their own */
        return sim_least_wavefronts(mask, bytes);
    if (bytes <= 4 && extent.high - low <= WINDOW && !(extent.odd & (bytes - 1)))
        return passes_near(address, mask, low);
    for (unsigned int i = 0; i < parts; i++, part <<= WARP / parts % WARP)
        if (mask & part)
            total += passes(address, mask & part, bytes);
    return total;
}

/* Whether each lane wants what the lane beside it wants, or that one takes no part. */
static bool in_pairs(const uintptr_t *address, uint32_t mask, unsigned int distance)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest), other = i ^ distance;
        if (mask >> other & 1 && address[other] != address[i])
            return false;
    }
    return true;
}

/* Where its lanes go in pairs, i and i ^ 1, or i and i ^ 2, a load of 8 bytes serves the whole warp at once, one of
 * 16 bytes a half of it. Said of earlier GPUs in NVIDIA's forum, and so on the H200 (tests/fidelity/loads.cu):
 * https://forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228 */
unsigned int sim_load_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes,
                                 struct extent extent, unsigned int *least)
{
    const bool paired = bytes >= 8 && (in_pairs(address, mask, 1) || in_pairs(address, mask, 2));
    *least = sim_least_wavefronts(mask, paired ? bytes / 2 : bytes);
    if (!paired)
        return sim_wavefronts(address, mask, bytes, extent);
    unsigned int parts, total = 0;
    uint32_t part = first_part(bytes / 2, &parts);
    for (unsigned int i = 0; i < parts; i++, part <<= WARP / parts % WARP)
        total += mask & part ? passes(address, mask & part, bytes) : 0;
    return total;
}

static unsigned int atomic_passes(const uintptr_t *address, uint32_t mask, unsigned int bytes)
{
    unsigned char bank[32] = {0};
    unsigned int most = 0;
    for (; mask; mask &= mask - 1) {
        unsigned int depth = ++bank[address[__builtin_ctz(mask)] / bytes % (128 / bytes)];
        most = depth > most ? depth : most;
    }
    return most;
}

/* ATOMS.ADD and its kind: every lane needs a pass of its bank of its own. With 8 bytes, 16 pairs
 * of banks serve half a warp, and with 16 bytes 8 groups of four a quarter. */
unsigned int sim_atomic_wavefronts(const uintptr_t *address, uint32_t mask, unsigned int bytes)
{
    if (bytes <= 4)
        return atomic_passes(address, mask, 4);
    unsigned int parts, total = 0;
    uint32_t part = first_part(bytes, &parts);
    for (unsigned int i = 0; i < parts; i++, part <<= WARP / parts % WARP)
        total += atomic_passes(address, mask & part, bytes);
    return total;
}
