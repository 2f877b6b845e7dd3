/* plan.h - what the host decides before a launch, and what the kernels of an operation are told. C and CUDA C. */
#ifndef LADDER_PLAN_H
#define LADDER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder.h"

/* Elements of one round: `length` keys, and values of 4 bytes if the operation has any. Rounds are short enough for
 * numbers of 32 bits. A kernel reads words, of a few elements; word 0 begins `skipped` elements before the first, at
 * an address where keys can be loaded as a word, and values too if they are `wide`. */
struct ladder_elements {
    const uint32_t *keys, *values;
    unsigned int length, skipped, base; /* base: the index of the first element in the call */
    bool wide;
};

/* How bins and elements are divided when elements are dealt to buckets of neighboring bins. */
struct ladder_dealing {
    unsigned int num_bins, bits,
        buckets;                  /* a bucket has 2^bits bins; 0 buckets: it is not possible */
    unsigned int place_mask;      /* 2^bits - 1: of a key, its place in the bucket */
    unsigned int blocks, threads; /* that deal; of each */
    unsigned int tile_words;      /* of a tile */
    unsigned int room;            /* of a tile, for its vectors in order */
};

enum ladder_memory {
    LADDER_AS_THEY_ARE, /* each element is combined into its bin in the cache */
    LADDER_IN_SHARED,
    LADDER_IN_BUCKETS,
    LADDER_IN_32_BUCKETS, /* of counts alone */
};

struct ladder_plan {
    enum ladder_memory memory;
    unsigned int copies;     /* of a block's bins, in shared memory */
    unsigned int passes;     /* over the elements: ranges of bins */
    bool has_own;            /* each thread has bins of its own there */
    unsigned int hot_floats; /* of shared memory for hot keys of a sum of floats, or 0 */
    bool inspects;           /* a sample is looked at */
    bool may_be_direct;      /* the sample decides whether elements go straight to their bins */
    float most_sectors;      /* of a warp's neighbors, for that */
    float most_hot;          /* and the largest share of one key */
    unsigned int multiprocessors;
    size_t round; /* elements of a round, at most */
    struct ladder_dealing dealing;
    size_t tiles;                /* of a round, at most */
    size_t segments_at, work_at; /* where they begin behind the findings, in temporary memory */
    size_t temporary_bytes;
};

enum {
    LADDER_FINDINGS_BYTES = 1024, /* at the begin of temporary memory: what a sample found */
    LADDER_MOST_BUCKETS = 4096,
    LADDER_DEAL_THREADS = 1024, /* of a block, at most */
    LADDER_DEAL_WORDS = 6,      /* of a thread, in a tile */
    LADDER_COPIES_MOST = 32,
    LADDER_FEW_THREADS = 256,
    LADDER_SHARED_THREADS = 1024,
    LADDER_HOT_KEYS = 128,         /* that a sample notes, at most */
    LADDER_HOT_FLOATS = 2048,      /* of their sums: 64 keys for 32 lanes each; */
    LADDER_MOST_HOT_FLOATS = 8192, /* or eight for each thread */
    LADDER_SORT_ELEMENTS = 8,      /* of a thread, in a tile that is put in order */
    /* 32 buckets of counts, a tile of which is split at a time */
    LADDER_BUCKETS = 32,
    LADDER_NEIGHBORS = 8, /* neighboring bins that share a bucket: a sector of the bins */
    LADDER_SPLIT_THREADS = 512,
    LADDER_SPLIT_KEYS = 16, /* of a thread, in a tile */
    LADDER_SPLIT_TILE = LADDER_SPLIT_THREADS * LADDER_SPLIT_KEYS,
    LADDER_SPLIT_ROOM = LADDER_SPLIT_TILE / 8 + LADDER_BUCKETS, /* vectors of 8 places */
};

/* Counters of one of the 32 buckets. */
static inline size_t ladder_places_of(size_t num_bins)
{
    const size_t group = LADDER_NEIGHBORS * LADDER_BUCKETS;
    return (num_bins + group - 1) / group * LADDER_NEIGHBORS;
}

/* Bytes of shared memory to deal, beside what is static. */
static inline size_t ladder_bytes_to_deal(const struct ladder_dealing *dealing, size_t vector_bytes)
{
    return dealing->room * vector_bytes + 2 * (size_t)dealing->buckets * sizeof(unsigned int);
}

/* Bytes of shared memory for a table of eight floats for each of so many places, and to put values in order. */
#ifdef __CUDACC__
__host__ __device__
#endif
    static inline size_t
    ladder_bytes_to_sort(size_t places, size_t threads)
{
    return (places * 8 + threads * LADDER_SORT_ELEMENTS) * sizeof(float) +
           (places + 1) * sizeof(unsigned int);
}

/* What the kernels of an operation are, for the model and for a launch. One table an operation. */
struct ladder_kernels {
    /* Allows each kernel as much shared memory as the device has for a block. */
    cudaError_t (*prepare)(size_t shared_of_block);
    /* Puts one round into the stream. `temporary` has plan->temporary_bytes. */
    cudaError_t (*run)(const struct ladder_plan *plan, const struct ladder_elements *elements,
                       void *bins, size_t num_bins, void *temporary, cudaStream_t stream);
    cudaError_t (*clear)(void *bins, size_t num_bins, unsigned int multiprocessors,
                         cudaStream_t stream);
};

#pragma GCC visibility push(hidden) /* known within the library alone */

/* The table of each operation: its source is compiled once for each. */
#ifdef __cplusplus
extern "C" {
#endif
extern const struct ladder_kernels ladder_kernels_count, ladder_kernels_count_64,
    ladder_kernels_saturate, ladder_kernels_sum_u32, ladder_kernels_sum_f32, ladder_kernels_powers,
    ladder_kernels_minmax, ladder_kernels_argmax;
#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
