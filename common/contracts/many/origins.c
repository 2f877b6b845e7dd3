/* origins.c - which bytes of the text lie where: in its own memory, and in memory that it was copied to. */
#include "origins.h"

#include "base/table.h"
#include "must_have.h"

#include <stdlib.h>
#include <string.h>

/* The index of the first that ends behind the address. */
static size_t first_behind(struct origins *origins, uintptr_t address)
{
    const struct origin *all = origins->origin;
    size_t low = 0, high = origins->count, last = origins->last;
    if (last < high && all[last].begin <= address && address < all[last].end)
        return last;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (all[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    origins->last = low;
    return low;
}

/* Makes room for `added` more at `at`, in the place of `removed`. */
static struct origin *replace(struct origins *origins, size_t at, size_t removed, size_t added)
{
    const size_t count = origins->count - removed + added;
    origins->origin =
        must_have(sim_grow(origins->origin, &origins->room, count, sizeof *origins->origin),
                  "to follow the text");
    struct origin *place = origins->origin + at;
    memmove(place + added, place + removed, (origins->count - at - removed) * sizeof *place);
    origins->count = count;
    return place;
}

void origins_forget(struct origins *origins, uintptr_t begin, size_t bytes)
{
    const uintptr_t end = begin + bytes;
    struct origin kept[2];
    size_t left = 0, at = first_behind(origins, begin), behind = at;
    for (; behind < origins->count && origins->origin[behind].begin < end; behind++) {
        const struct origin o = origins->origin[behind];
        if (o.begin < begin)
            kept[left++] = (struct origin){o.begin, begin, o.offset};
        if (o.end > end)
            kept[left++] = (struct origin){end, o.end, o.offset + (end - o.begin)};
    }
    if (behind > at)
        memcpy(replace(origins, at, behind - at, left), kept, left * sizeof *kept);
}

void origins_set(struct origins *origins, uintptr_t begin, size_t bytes, uint64_t offset)
{
    if (bytes == 0)
        return;
    origins_forget(origins, begin, bytes);
    const size_t at = first_behind(origins, begin);
    *replace(origins, at, 0, 1) = (struct origin){begin, begin + bytes, offset};
}

int origins_next(struct origins *origins, uintptr_t begin, uintptr_t end, struct origin *part)
{
    const size_t at = first_behind(origins, begin);
    if (begin >= end || at == origins->count || origins->origin[at].begin >= end)
        return 0;
    *part = origins->origin[at];
    if (part->begin < begin) {
        part->offset += begin - part->begin;
        part->begin = begin;
    }
    if (part->end > end)
        part->end = end;
    return 1;
}

void origins_clear(struct origins *origins)
{
    free(origins->origin);
    *origins = (struct origins){.count = 0};
}
