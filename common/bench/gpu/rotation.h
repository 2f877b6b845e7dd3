/* rotation.h - memory of the device for many runs: an input so many times over that the L2 cache never
 * holds the copy that is read next, or a place for each result. */
#ifndef ROTATION_H
#define ROTATION_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "errors.h"

#ifdef SIMULATED_GPU // there is no cache to defeat
enum { ROTATION_MIB = 1 };
#else
enum { ROTATION_MIB = 512 };
#endif

struct rotation {
    unsigned char *first;
    size_t count, stride, length, next; /* in bytes */
};

/* Room for so many copies, in which nobody has written; `first` is NULL when the device has not that much
 * memory. */
static inline struct rotation rotation_room_for(size_t length, size_t count)
{
    struct rotation c = {.stride = (length + 255) / 256 * 256, .length = length, .count = count};
    if (!got_memory(cudaMalloc((void **)&c.first, c.count * c.stride), "cudaMalloc of the inputs"))
        c.first = NULL;
    return c;
}

/* For at least two copies, and 512 MiB in all. */
static inline struct rotation rotation_room(size_t length)
{
    const size_t stride = (length + 255) / 256 * 256;
    const size_t count = stride ? ((size_t)ROTATION_MIB << 20) / stride : 0;
    return rotation_room_for(length, count < 2 ? 2 : count);
}

/* Places for the results of so many runs as a queue has at most, or as have room in a share of the card's memory. */
enum { MOST_RESULTS = 200, RESULTS_SHARE = 8 };
static inline struct rotation rotation_results(size_t length)
{
    size_t left, memory;
    must(cudaMemGetInfo(&left, &memory), "cudaMemGetInfo");
    const size_t most = length ? memory / RESULTS_SHARE / length : MOST_RESULTS;
    return rotation_room_for(length, most > MOST_RESULTS ? MOST_RESULTS : most > 0 ? most : 1);
}

/* Makes all copies what the first one is. */
static inline void rotation_repeat(const struct rotation *c)
{
    for (size_t have = 1, more; have < c->count; have += more) {
        more = have < c->count - have ? have : c->count - have;
        must(cudaMemcpy(c->first + have * c->stride, c->first, more * c->stride,
                        cudaMemcpyDeviceToDevice),
             "cudaMemcpy between the inputs");
    }
}

/* So many copies of what lies in the host's memory; 0: as many as rotation_room has. */
static inline struct rotation rotation_of(const void *bytes, size_t length, size_t count)
{
    const struct rotation c = count ? rotation_room_for(length, count) : rotation_room(length);
    if (!c.first)
        must(cudaErrorMemoryAllocation, "cudaMalloc of the texts");
    must(cudaMemcpy(c.first, bytes, length, cudaMemcpyHostToDevice), "cudaMemcpy");
    rotation_repeat(&c);
    return c;
}

/* That of so many. */
static inline void *rotation_place(const struct rotation *rotation, size_t number)
{
    return rotation->first + number % rotation->count * rotation->stride;
}

/* The copies in turn. */
static inline const void *rotation_next(struct rotation *rotation)
{
    return rotation_place(rotation, rotation->next++);
}

static inline void rotation_free(struct rotation *rotation)
{
    must(cudaFree(rotation->first), "cudaFree");
    rotation->first = NULL;
}

#endif
