/* stacks.c - memory for the blocks that are resident: stacks, warps, shared memory.
 *
 * A slot holds one block and is used again by the next. Addresses are reserved
 * for as many slots as ever needed at once; memory is only what lanes touch. */
#define _GNU_SOURCE
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
    SHARED_STRIDE = SHARED_SLOT
};

struct slot {
    unsigned char *stacks, *shared;
    struct warp *warps;
    unsigned int threads; /* there is room for */
};

static struct slot *slots;
static size_t slot_count;
static size_t lane_bytes;

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_NOHUGEPAGE); /* a huge page would fill a whole stack */
    return memory;
}

static bool slot_grow(struct slot *slot, unsigned int threads)
{
    size_t warps = (threads + WARP - 1) / WARP;
    if (slot->stacks)
        munmap(slot->stacks, (size_t)slot->threads * STACK_STRIDE);
    for (unsigned int w = 0; w < slot->threads / WARP; w++)
        free(slot->warps[w].known);
    free(slot->warps);
    if (!slot->shared)
        slot->shared = reserve(SHARED_STRIDE);
    slot->warps = aligned_alloc(64, (warps * sizeof *slot->warps + 63) / 64 * 64);
    if (slot->warps)
        memset(slot->warps, 0, warps * sizeof *slot->warps);
    slot->stacks = reserve(warps * WARP * STACK_STRIDE);
    slot->threads = slot->stacks && slot->warps && slot->shared ? (unsigned int)warps * WARP : 0;
    lane_bytes += warps * sizeof *slot->warps + (size_t)threads * 4096;
    return slot->threads != 0;
}

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
    for (unsigned int thread = 0; thread < threads; thread++) {
        struct lane *lane = &slot->warps[thread / WARP].lane[thread % WARP];
        uintptr_t low = (uintptr_t)slot->stacks + (size_t)thread * STACK_STRIDE;
        *lane = (struct lane){.stack_low = low + STACK_SHIFT, .warp = &slot->warps[thread / WARP]};
        lane->stack_top = low + STACK_STRIDE - 64 - (thread % 21) * STACK_COLOR;
        lane->number = thread % WARP;
    }
    return true;
}

bool sim_is_lane_stack(uintptr_t address)
{
    for (size_t i = 0; i < slot_count; i++)
        if (address - (uintptr_t)slots[i].stacks < (size_t)slots[i].threads * STACK_STRIDE)
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
    return lane_bytes;
}
