/* stacks.c - memory for the blocks that are resident: stacks, warps, shared memory.
 *
 * A slot holds one block and is used again by the next. Addresses are reserved
 * for as many slots as ever needed at once; memory is only what lanes touch.
 *
 * A lane that waits needs a few hundred bytes of stack, but the machine gives memory by
 * the page of 4096, and hundreds of thousands of lanes may wait at once. So there are only so
 * many sets of stacks, which warps share: one is on the set, and what the others have there is
 * put aside, without the unused part of the page, and comes back to the same addresses before
 * one of their lanes runs. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/machine.h"

enum {
    /* Stacks lie 65 pages apart and start at different lines, or the 32 lanes of
     * a warp would compete for the same few sets of the cache. */
    STACK_SHIFT = 4096, /* most that a stack's top lies below its neighbor's */
    STACK_STRIDE = STACK_BYTES + STACK_SHIFT,
    STACK_COLOR = 192,
    SHARED_STRIDE = SHARED_SLOT,
    WARP_STACKS = WARP * STACK_STRIDE,
    PAGE = 4096,
    GUARD =
        64 *
        1024, /* below the stacks of a warp: who calls too deep does not come to others' memory */
    BELOW = 256, /* what a waiting lane may need below its stack pointer */
    SETS = 640   /* of stacks for a warp */
};

struct slot {
    unsigned char *shared;
    struct warp *warps;
    unsigned int threads; /* there is room for */
};

static struct slot *slots;
static size_t slot_count;
static size_t held_bytes, peak_bytes;

/* The sets that have been needed so far, and the warp that is on each of them. */
static unsigned char *stacks[SETS];
static struct warp *present[SETS];

/* Of each resident warp: its set, which it shares with others; what it has put aside, from malloc and kept, and of
 * which lanes. */
static struct stacks_of_warp {
    unsigned int set;
    uint32_t lanes_aside;
    uint64_t *aside;
    size_t aside_words; /* there is room for */
} of_warp[MOST_WARPS];

static void count_bytes(size_t more, size_t less)
{
    held_bytes += more - less;
    peak_bytes = held_bytes > peak_bytes ? held_bytes : peak_bytes;
}

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_NOHUGEPAGE); /* a huge page would fill a whole stack */
    return memory;
}

static bool reserve_set(unsigned int set)
{
    if (stacks[set])
        return true;
    unsigned char *memory = reserve(GUARD + WARP_STACKS);
    if (!memory)
        return false;
    mprotect(memory, GUARD, PROT_NONE);
    stacks[set] = memory + GUARD;
    count_bytes((size_t)WARP * PAGE, 0);
    return true;
}

/* The part of its stack that a waiting lane uses. */
static uint64_t *used_part(const struct lane *lane, size_t *words)
{
    uintptr_t low = ((uintptr_t)lane->stack_pointer - BELOW) & ~(uintptr_t)15;
    *words = (lane->stack_top + 64 - low) / sizeof(uint64_t);
    return (uint64_t *)low;
}

/* A plain memcpy, but one that AddressSanitizer does not look into: it would find the gaps
 * that it leaves between the variables of a frame. */
__attribute__((no_sanitize("address"))) static void copy_words(uint64_t *to, const uint64_t *from,
                                                               size_t words)
{
    for (size_t i = 0; i < words; i++) {
        to[i] = from[i];
        __asm__ volatile("" ::: "memory"); /* or the compiler calls memcpy */
    }
}

/* Puts the stacks of a warp aside. Returns false when there is no memory for that. */
static bool put_aside(const struct warp *warp)
{
    struct stacks_of_warp *own = &of_warp[warp->at];
    size_t words, total = 0;
    for (uint32_t rest = warp->live; rest; rest &= rest - 1) {
        used_part(&warp->lane[__builtin_ctz(rest)], &words);
        total += words;
    }
    if (total > own->aside_words) { /* no more than that: there are thousands of warps */
        uint64_t *grown = realloc(own->aside, total * sizeof *grown);
        if (!grown)
            return false;
        count_bytes((total - own->aside_words) * sizeof *grown, 0);
        own->aside = grown;
        own->aside_words = total;
    }
    uint64_t *aside = own->aside;
    for (uint32_t rest = warp->live; rest; rest &= rest - 1, aside += words) {
        const uint64_t *used = used_part(&warp->lane[__builtin_ctz(rest)], &words);
        copy_words(aside, used, words);
    }
    own->lanes_aside = warp->live;
    return true;
}

static void bring(struct warp *warp)
{
    struct stacks_of_warp *own = &of_warp[warp->at];
    struct warp **on = &present[own->set];
    if (*on && !put_aside(*on)) {
        fprintf(stderr, "simulated GPU: the host is out of memory\n");
        exit(1);
    }
    *on = warp;
    const uint64_t *aside = own->aside;
    size_t words;
    for (uint32_t rest = own->lanes_aside; rest; rest &= rest - 1, aside += words) {
        uint64_t *used = used_part(&warp->lane[__builtin_ctz(rest)], &words);
        copy_words(used, aside, words);
    }
    own->lanes_aside = 0;
}

void sim_need_stacks(struct warp *warp)
{
    if (present[of_warp[warp->at].set] != warp)
        bring(warp);
}

void sim_stacks_start(void)
{
    memset(present, 0, sizeof present);
}

/* The warp begins, with nothing on its stacks. Returns false without memory. */
static bool take_set(struct warp *warp)
{
    struct stacks_of_warp *own = &of_warp[warp->at];
    own->set = warp->at % SETS;
    own->lanes_aside = 0;
    if (present[own->set] == warp)
        present[own->set] = NULL;
    warp->live = 0;
    return reserve_set(own->set);
}

/* A launch with larger blocks needs a larger slot. */
static void free_warps(struct slot *slot)
{
    count_bytes(0, slot->threads / WARP * sizeof *slot->warps);
    free(slot->warps);
}

static bool slot_grow(struct slot *slot, unsigned int threads)
{
    size_t warps = (threads + WARP - 1) / WARP;
    free_warps(slot);
    if (!slot->shared)
        slot->shared = reserve(SHARED_STRIDE);
    slot->warps = aligned_alloc(64, (warps * sizeof *slot->warps + 63) / 64 * 64);
    if (slot->warps)
        memset(slot->warps, 0, warps * sizeof *slot->warps);
    slot->threads = slot->warps && slot->shared ? (unsigned int)warps * WARP : 0;
    count_bytes(slot->threads / WARP * sizeof *slot->warps, 0);
    return slot->threads != 0;
}

/* Slots are made when they are first needed, and then kept. */
static struct slot *find_slot(unsigned int index)
{
    struct slot *grown = sim_grow(slots, &slot_count, (size_t)index + 1, sizeof *slots);
    if (!grown)
        return NULL;
    slots = grown;
    return &slots[index];
}

bool sim_slot_prepare(struct block *block, unsigned int index, unsigned int threads)
{
    struct slot *slot = find_slot(index);
    if (!slot || (slot->threads < threads && !slot_grow(slot, threads)))
        return false;
    block->slot = index;
    block->warps = slot->warps;
    block->shared = slot->shared;
    const unsigned int warps = (threads + WARP - 1) / WARP;
    for (unsigned int w = 0; w < warps; w++) {
        struct warp *warp = &slot->warps[w];
        warp->at = index * warps + w;
        if (!take_set(warp))
            return false;
    }
    for (unsigned int thread = 0; thread < threads; thread++) {
        struct warp *warp = &slot->warps[thread / WARP];
        struct lane *lane = &warp->lane[thread % WARP];
        uintptr_t low =
            (uintptr_t)stacks[of_warp[warp->at].set] + (size_t)(thread % WARP) * STACK_STRIDE;
        memset(lane, 0, sizeof *lane);
        lane->stack_low = low + STACK_SHIFT;
        lane->warp = warp;
        lane->stack_top = low + STACK_STRIDE - 64 - (thread % 21) * STACK_COLOR;
        lane->number = thread % WARP;
    }
    return true;
}

bool sim_is_lane_stack(uintptr_t address)
{
    for (unsigned int set = 0; set < SETS; set++)
        if (stacks[set] && address - (uintptr_t)stacks[set] < WARP_STACKS)
            return true;
    return false;
}

bool sim_is_shared(uintptr_t address)
{
    for (size_t i = 0; i < slot_count; i++)
        if (slots[i].shared && address - (uintptr_t)slots[i].shared < SHARED_STRIDE)
            return true;
    return false;
}

size_t sim_peak_bytes(void)
{
    return peak_bytes;
}
