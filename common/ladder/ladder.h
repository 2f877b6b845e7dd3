/* ladder.h - libladder: histograms, reductions by key, and reductions on a GPU, for every input.
 *
 * Each function has the form
 *
 *     ladder_status f(void *temporary, size_t *temporary_bytes, ..., cudaStream_t stream);
 *
 * and is called twice. With temporary == NULL it writes to *temporary_bytes how many bytes of device memory
 * the same call needs, and does nothing else. With memory of at least that many bytes, at a multiple of 256,
 * it puts its work into the stream and returns. It does not allocate memory, does not wait for the device, and
 * never ends the program, so that it can be captured in a graph. What the memory holds before does not matter;
 * it may be used again, or freed in the order of the stream, as soon as the call has returned. Calls that are
 * at work at the same time need temporary memory of their own.
 *
 * All pointers are to memory of the device that is current in the calling thread, unless it says host; the
 * stream belongs to that device. Any number of threads may call at the same time.
 *
 * A status other than LADDER_OK says that nothing was launched and nothing written, but for
 * LADDER_CUDA_ERROR, which says that a call of CUDA failed on the way: cudaGetLastError() has its number.
 *
 * The functions that end in _now own their memory: they take arrays of the host or of the device, and return
 * when the result is there. */
#ifndef LADDER_H
#define LADDER_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#define LADDER_VERSION 10000 /* 1.0.0 */

#define LADDER_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ladder_status {
    LADDER_OK = 0,
    LADDER_NULL,            /* a pointer that is needed is NULL */
    LADDER_MISALIGNED,      /* an address is no multiple of what it has to be */
    LADDER_OVERLAP,         /* memory that is written overlaps other memory of the call */
    LADDER_TEMPORARY_SHORT, /* *temporary_bytes is less than the call needs */
    LADDER_UNKNOWN,         /* an operation, a type or a number of bits that there is not */
    LADDER_TOO_LARGE,       /* so many bytes no memory has, or a number is above its limit */
    LADDER_BAD_TABLE,       /* an entry of a table is neither -1 nor a bin */
    LADDER_NO_DEVICE,       /* there is no device, or it is older than compute capability 8.0 */
    LADDER_CUDA_ERROR,      /* a call of CUDA failed */
} ladder_status;

/* A sentence in English about a status, which is never freed. Of a number that is no status it says so. */
LADDER_API const char *ladder_status_text(ladder_status status);

/* The version of the library that the program runs with: LADDER_VERSION when it was built. */
LADDER_API int ladder_version(void);

/* ---- Histograms ---- */

typedef enum ladder_type {
    LADDER_U8 = 1, /* a text: bytes, of which a table says the bin */
    LADDER_U32,    /* keys: each is the number of its bin */
} ladder_type;

/* Adds to counts[b] how many samples have bin b. What the counts hold before is added to; zero them first.
 *
 * samples     `length` bytes at any address, or keys of 4 bytes at a multiple of 4
 * table       host: of LADDER_U8 the bin of each value of a byte, 0 to num_bins - 1, or -1 for a byte that is
 *             not counted; it is read before the call returns. NULL: each byte is its own bin. Of
 *             LADDER_U32 it must be NULL; a key that is not below num_bins is not counted.
 * counts      num_bins counters of count_bits bits, 32 or 64, at a multiple of their size. A counter of 32
 *             bits wraps.
 * num_bins    1 to 256, or 1 to 2^31 - 1 */
LADDER_API ladder_status ladder_histogram(void *temporary, size_t *temporary_bytes,
                                          ladder_type type, const void *samples, size_t length,
                                          const int16_t *table, void *counts, int count_bits,
                                          size_t num_bins, cudaStream_t stream);

/* ---- Reductions by key ---- */

/* What is done with the values that share a key. The values have 4 bytes each; count and saturate have none.
 *
 *                      value          bin                   combine
 *   LADDER_COUNT       none           uint32_t              adds 1, modulo 2^32
 *   LADDER_COUNT_64    none           uint64_t              adds 1
 *   LADDER_SATURATE    none           uint32_t              adds 1, but stops at 2^24 - 1
 *   LADDER_SUM_U32     uint32_t       uint64_t              adds, modulo 2^64
 *   LADDER_SUM_F32     float          float                 adds
 *   LADDER_POWERS_F32  float v        ladder_powers         adds 1, v, v^2, ... v^7
 *   LADDER_MINMAX_F32  float          ladder_minmax         the smallest and the largest; NaN is neither, and
 *                                                           -0 counts as 0
 *   LADDER_ARGMAX_U32  uint32_t       ladder_argmax         the largest value, and of equal ones the first
 *                                                           index */
typedef enum ladder_operation {
    LADDER_COUNT = 1,
    LADDER_COUNT_64,
    LADDER_SATURATE,
    LADDER_SUM_U32,
    LADDER_SUM_F32,
    LADDER_POWERS_F32,
    LADDER_MINMAX_F32,
    LADDER_ARGMAX_U32,
} ladder_operation;

typedef struct ladder_powers {
    float sum[8]; /* a multiple of 32 in memory */
} ladder_powers;

typedef struct ladder_minmax {
    double smallest, largest; /* empty: infinity and -infinity */
} ladder_minmax;

/* In this order it is one number of 64 bits that only grows, which an atomic can raise: the index is inverted, so that
 * of equal values the first one wins. Empty: 0 and 0. */
typedef struct __attribute__((aligned(8))) ladder_argmax {
    uint32_t inverted_index, value;
} ladder_argmax;

/* The index of the largest value; UINT32_MAX of an empty bin. */
static inline uint32_t ladder_argmax_index(ladder_argmax bin)
{
    return ~bin.inverted_index;
}

/* Combines each value into the bin of its key: for each i below length, in any order,
 * bins[keys[i]] = combine(bins[keys[i]], values[i]) if keys[i] is below num_bins.
 *
 * keys        `length` keys, at a multiple of 4
 * values      as many values, at a multiple of 4; NULL where the operation has none
 * bins        num_bins bins, at a multiple of 16, or of their size if that is less; they hold what there is to
 *             combine with, or what ladder_clear() wrote
 * length      any; of LADDER_ARGMAX_U32 at most 2^32 - 1
 * num_bins    1 to 2^31 - 1
 *
 * Sums of floats are added in an order that changes from call to call. */
LADDER_API ladder_status ladder_reduce_by_index(void *temporary, size_t *temporary_bytes,
                                                ladder_operation operation, const uint32_t *keys,
                                                const void *values, size_t length, void *bins,
                                                size_t num_bins, cudaStream_t stream);

/* Fills num_bins bins with what changes nothing: zeros, or what an empty bin holds. Needs no temporary memory. */
LADDER_API ladder_status ladder_clear(ladder_operation operation, void *bins, size_t num_bins,
                                      cudaStream_t stream);

/* Bytes of a bin of the operation; 0 for an operation that there is not. */
LADDER_API size_t ladder_bin_bytes(ladder_operation operation);

/* ---- Reductions to one value ---- */

/*                           values              result       of no values
 *   LADDER_SUM              uint32_t            uint64_t     0
 *   LADDER_MAX              uint32_t            uint32_t     0
 *   LADDER_DOT              two arrays of float float        0
 *   LADDER_FLOAT_SUM        float               float        0
 *   LADDER_REPRODUCIBLE     float               float        0: a sum whose bits depend on the values and their
 *                                                            number alone, and not on addresses, device or run */
typedef enum ladder_reduction {
    LADDER_SUM = 1,
    LADDER_MAX,
    LADDER_DOT,
    LADDER_FLOAT_SUM,
    LADDER_REPRODUCIBLE,
} ladder_reduction;

/* Writes to *result what the values are together.
 *
 * values      `length` values, at a multiple of 4
 * others      of LADDER_DOT the second array; else NULL
 * result      one value, at a multiple of its size; what it holds before does not matter */
LADDER_API ladder_status ladder_reduce(void *temporary, size_t *temporary_bytes,
                                       ladder_reduction reduction, const void *values,
                                       const void *others, size_t length, void *result,
                                       cudaStream_t stream);

/* ---- Calls that own their memory ----
 *
 * Arguments and results are those above. Each array may lie in memory of the host or of the device; what lies on
 * the host is copied there and back. The call returns when the result is there. On failure the arrays are as
 * they were, but for LADDER_CUDA_ERROR. */

LADDER_API ladder_status ladder_histogram_now(ladder_type type, const void *samples, size_t length,
                                              const int16_t *table, void *counts, int count_bits,
                                              size_t num_bins);
LADDER_API ladder_status ladder_reduce_by_index_now(ladder_operation operation,
                                                    const uint32_t *keys, const void *values,
                                                    size_t length, void *bins, size_t num_bins);
LADDER_API ladder_status ladder_reduce_now(ladder_reduction reduction, const void *values,
                                           const void *others, size_t length, void *result);

/* ---- What the library knows of a device ---- */

typedef struct ladder_device {
    char name[64];
    int capability; /* 10 * major + minor */
    unsigned int multiprocessors;
    unsigned int threads;   /* that a multiprocessor holds */
    size_t shared_of_block; /* bytes, at most */
    size_t shared_of_multiprocessor;
    size_t cache_bytes; /* of the L2 cache */
    int is_measured; /* 1: the constants of the model were measured on such a card; 0: they are an H200's */
} ladder_device;

/* Describes the current device. It is asked once, and remembered. */
LADDER_API ladder_status ladder_current_device(ladder_device *device);

/* Where ladder_reduce_by_index() would combine so many elements on a device: a word such as "shared memory", for
 * programs that measure or explain. NULL for an operation that there is not. Asks no device. */
LADDER_API const char *ladder_explain(const ladder_device *device, ladder_operation operation,
                                      size_t length, size_t num_bins);

#ifdef __cplusplus
}
#endif

#endif
