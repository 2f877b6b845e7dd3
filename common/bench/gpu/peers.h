/* peers.h - what the libraries of peers share: CUB and Thrust, of the toolkit or of a newer CCCL. Each file of
 * peers is a library of its own, since CUB and Thrust take long to compile. For CUDA C. */
#ifndef PEERS_H
#define PEERS_H

#include <cub/version.cuh>
#include <cuda_runtime.h>

#include "bench.h"
#include "errors.h"

#define QUOTE(number) #number
#define QUOTED(number) QUOTE(number)
#define CUB_VERSION_TEXT                                                                           \
    QUOTED(CUB_MAJOR_VERSION) "." QUOTED(CUB_MINOR_VERSION) "." QUOTED(CUB_SUBMINOR_VERSION)

/* Memory that grows when more is needed, outside of what is timed. */
struct scratch {
    void *memory;
    size_t bytes;
};

static inline void *at_least(struct scratch *s, size_t bytes)
{
    if (s->bytes < bytes) {
        must(cudaFree(s->memory), "cudaFree");
        must(cudaMalloc(&s->memory, bytes), "cudaMalloc of a library's scratch memory");
        s->bytes = bytes;
    }
    return s->memory;
}

static inline void give_back(struct scratch *s)
{
    must(cudaFree(s->memory), "cudaFree");
    *s = scratch{};
}

/* Calls what first says how many bytes of memory it needs, and then uses them: of CUB. */
template <typename function>
static void call_cub(struct scratch *s, const char *what, function call)
{
    size_t bytes = 0;
    must(call((void *)NULL, bytes), what);
    must(call(at_least(s, bytes), bytes), what);
}

#endif
