/* begun_copies.c - what a thread has begun to copy into shared memory, and has not waited for.
 *
 * The copy is made at once. Until the thread has waited, its bytes count as not written, so that initcheck finds whoever
 * reads them: the thread itself, or another one, however many barriers lie between. */
#include <stdlib.h>

#include "checks/checks.h"

enum {
    MOST = 32,             /* of a thread; what is beyond has arrived at once */
    MOST_THREADS = 1 << 16 /* that do not wait, of all launches */
};

struct begun_copies {
    struct begun_copies *next; /* that no thread uses */
    uint32_t commits;          /* of the thread, so far */
    unsigned int count;
    struct {
        size_t offset; /* in the shared memory of the block */
        uint32_t bytes, group;
    } copy[MOST];
};

static struct begun_copies *unused;
static struct begun_copies *of_lane[MOST_WARPS][WARP]; /* NULL: none */
static bool any;

/* NULL where there are too many, or no memory. */
static struct begun_copies *take(void)
{
    static unsigned int taken;
    struct begun_copies *begun = unused;
    if (begun) {
        unused = begun->next;
    } else {
        begun = taken < MOST_THREADS ? malloc(sizeof *begun) : NULL;
        taken += begun != NULL;
    }
    if (!begun)
        return NULL;
    begun->commits = 0;
    begun->count = 0;
    return begun;
}

static void give_back(struct begun_copies **begun)
{
    (*begun)->next = unused;
    unused = *begun;
    *begun = NULL;
}

void sim_copies_start_block(struct block *block)
{
    for (unsigned int w = 0; any && w < block->warp_count; w++)
        for (int lane = 0; lane < WARP; lane++)
            if (of_lane[block->warps[w].at][lane])
                give_back(&of_lane[block->warps[w].at][lane]);
}

void sim_copy_begun(struct lane *lane, uintptr_t to, size_t bytes)
{
    const struct block *block = lane->warp->block;
    const size_t offset = to - (uintptr_t)block->shared;
    if (offset >= SHARED_SLOT)
        return;
    struct begun_copies **own = &of_lane[lane->warp->at][lane->number];
    if (!*own)
        *own = take();
    any = true;
    struct begun_copies *begun = *own;
    if (!begun || begun->count == MOST)
        return;
    begun->copy[begun->count].offset = offset;
    begun->copy[begun->count].bytes = (uint32_t)bytes;
    begun->copy[begun->count].group = begun->commits;
    begun->count++;
    sim_init_mark_shared(block, offset, bytes, false);
}

void sim_copies_committed(struct lane *lane)
{
    struct begun_copies *begun = of_lane[lane->warp->at][lane->number];
    if (begun)
        begun->commits++;
}

void sim_copies_waited(struct lane *lane, size_t prior)
{
    struct begun_copies **own = &of_lane[lane->warp->at][lane->number], *begun = *own;
    unsigned int kept = 0;
    for (unsigned int i = 0; begun && i < begun->count; i++) {
        if (begun->copy[i].group + prior < begun->commits)
            sim_init_mark_shared(lane->warp->block, begun->copy[i].offset, begun->copy[i].bytes,
                                 true);
        else
            begun->copy[kept++] = begun->copy[i];
    }
    if (!begun)
        return;
    begun->count = kept;
    if (kept > 0)
        return;
    give_back(own);
}

bool sim_copy_is_begun(const struct block *block, size_t offset)
{
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int lane = 0; lane < WARP; lane++) {
            const struct begun_copies *begun = of_lane[block->warps[w].at][lane];
            for (unsigned int i = 0; begun && i < begun->count; i++)
                if (offset - begun->copy[i].offset < begun->copy[i].bytes)
                    return true;
        }
    return false;
}
