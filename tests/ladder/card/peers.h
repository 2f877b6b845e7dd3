/* peers.h - what the library is measured beside: one shared library for each operation and each CUB, which has a table
 * of peers. */
#ifndef PEERS_H
#define PEERS_H

#include <cuda_runtime.h>
#include <stddef.h>

/* One call of an operation: the bins hold what an empty bin holds. */
struct cell_arrays {
    const unsigned int *keys, *values;
    size_t length;
    void *bins;
    size_t num_bins;
    cudaStream_t stream;
};

struct peer {
    const char *name;
    void (*run)(const struct cell_arrays *arrays);
};

/* What an operation must leave, found by wide atomics; and how many bins are wrong. */
struct peers {
    const struct peer *table; /* up to a name of NULL */
    void (*find_truth)(const struct cell_arrays *arrays, void *truth);
    size_t truth_bytes; /* of a bin */
    /* Counts wrong bins in *wrong, on the device; of `runs` calls into the same bins. */
    void (*compare)(const struct cell_arrays *arrays, const void *truth, unsigned int *wrong);
    void (*forget)(void); /* gives memory back */
};

#ifdef __cplusplus
#define PEERS_C extern "C"
#else
#define PEERS_C
#endif

#endif
