/* rotation.h - a text on the device, so many times over that the L2 cache never holds the copy that
 * is read next. */
#ifndef ROTATION_H
#define ROTATION_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "errors.h"
#include "text.h"

struct rotation {
    unsigned char *first;
    size_t count, stride, length, next;
};

/* At least two copies, and 512 MiB in all. */
static inline struct rotation rotation_of(const struct text *text)
{
    struct rotation c = {.stride = (text->length + 255) / 256 * 256, .length = text->length};
    c.count = ((size_t)512 << 20) / c.stride;
    c.count = c.count < 2 ? 2 : c.count;
    must(cudaMalloc((void **)&c.first, c.count * c.stride), "cudaMalloc of the texts");
    must(cudaMemcpy(c.first, text->bytes, text->length, cudaMemcpyHostToDevice), "cudaMemcpy");
    for (size_t have = 1, more; have < c.count; have += more) {
        more = have < c.count - have ? have : c.count - have;
        must(cudaMemcpy(c.first + have * c.stride, c.first, more * c.stride,
                        cudaMemcpyDeviceToDevice),
             "cudaMemcpy between the texts");
    }
    return c;
}

/* The copies in turn. */
static inline const unsigned char *rotation_next(struct rotation *rotation)
{
    return rotation->first + rotation->next++ % rotation->count * rotation->stride;
}

static inline void rotation_free(struct rotation *rotation)
{
    must(cudaFree(rotation->first), "cudaFree");
    rotation->first = NULL;
}

#endif
