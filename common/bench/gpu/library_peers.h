/* library_peers.h - what the libraries of peers share: CUB and Thrust, of the toolkit or of a newer CCCL. Each file of
 * peers is a library of its own, since CUB and Thrust take long to compile. For CUDA C. */
#ifndef LIBRARY_PEERS_H
#define LIBRARY_PEERS_H

#include <cub/version.cuh>
#include <cuda_runtime.h>
#include <stdio.h>

#include "bench.h"
#include "errors.h"

/* Of CUB, "3.0.1". */
static inline const char *cub_version()
{
    static char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
             CUB_SUBMINOR_VERSION);
    return version;
}

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
