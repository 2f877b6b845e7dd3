/* operation.h - what reduce_by_index() does with elements that share a key, and reduce() with all
 * values, chosen at compile time.
 *
 *                element (bytes)             bin                       combine
 * -DOPERATION=
 *   count        key (4)                     unsigned int              a + b, each counts 1
 *   saturate     key (4)                     unsigned int              a + b, but at most SATURATE_AT,
 *                                                                      which is 2^24 - 1
 *   float_sum    key, float (8)              float                     a + b
 *   wide_sum     key, unsigned int (8)       unsigned long long        a + b
 *   argmax       key, value, index (8)       value and index           the larger value; of equal ones
 *                                                                      that with the smaller index
 *   vector_sum   key, float v (8)            8 floats                  sums of 1, v, v^2, ... v^7
 *   minmax       key, float (8)              two doubles               smallest and largest
 *
 * and for reduce() alone, without elements and keys (float_sum is there, too):
 *
 *                value (bytes)                                         combine
 *   sum          unsigned int (4)                                      a + b, modulo 2^32
 *   max          unsigned int (4)                                      the larger one
 *   dot          two floats x, y (8), which stand for their product    (a.x * a.y + b.x * b.y, 1)
 *
 * and for pair_forces() alone, which says what they are, and has nothing of what follows: half, full.
 *
 * For each there are
 *
 *   value_t                           what is combined
 *   value_t combine(a, b)             associative and commutative (of floats: but for rounding)
 *   value_t neutral()                 combine(neutral(), a) is a (of dot: stands for what a does)
 *   OPERATION_NAME                    "count", ...
 *
 * of those with a key also
 *
 *   element_t                         what goes in
 *   bin_t                             value_t, as a bin holds it
 *   size_t index_of(x, num_bins)      the bin of an element: skip it unless that is below num_bins
 *   bin_t value_of(x)                 what it brings to its bin
 *
 * and what hardware can do about it:
 *
 *   OPERATION_HAS_ATOMIC   1: atomic_combine(value_t *to, value_t value) is one atomic function of
 *                          CUDA, or one for each part of a bin (vector_sum)
 *   OPERATION_WORD_BITS    32 or 64: a value is one such word, word_t, which atomicCAS can exchange;
 *                          0: it is larger, and only a lock can keep it whole
 *
 *               HAS_ATOMIC  WORD_BITS                 HAS_ATOMIC  WORD_BITS
 *   count            1          32         argmax          0          64
 *   saturate         0          32         vector_sum      1           0
 *   float_sum        1          32         minmax          0           0
 *   wide_sum         1          64         sum, max        1          32
 *                                          dot             0          64
 *
 * Bins hold what combine could have left there: of saturate at most 2^24 - 1; of minmax neither NaN
 * nor -0. */
#ifndef OPERATION_H
#define OPERATION_H

#include <stddef.h>

#define OPERATION_CODE_count 1
#define OPERATION_CODE_saturate 2
#define OPERATION_CODE_float_sum 3
#define OPERATION_CODE_wide_sum 4
#define OPERATION_CODE_argmax 5
#define OPERATION_CODE_vector_sum 6
#define OPERATION_CODE_minmax 7
#define OPERATION_CODE_sum 8
#define OPERATION_CODE_max 9
#define OPERATION_CODE_dot 10
#define OPERATION_CODE_half 11
#define OPERATION_CODE_full 12

#define OPERATION_PASTE(one, two) one##two
#define OPERATION_CODE_OF(name) OPERATION_PASTE(OPERATION_CODE_, name)
#define OPERATION_QUOTE(name) #name
#define OPERATION_QUOTED(name) OPERATION_QUOTE(name)

#ifndef OPERATION
#define OPERATION count
#endif
/* To ask for one: #if OPERATION_IS(argmax) */
#define OPERATION_IS(name) (OPERATION_CODE_OF(OPERATION) == OPERATION_CODE_##name)
#define OPERATION_NAME OPERATION_QUOTED(OPERATION)

/* Where saturate stops; make gpu bench CAP=255 has it stop elsewhere. */
#define SATURATE_USUALLY_AT ((1u << 24) - 1)
#ifndef SATURATE_AT
#define SATURATE_AT SATURATE_USUALLY_AT
#endif

#if !(OPERATION_CODE_OF(OPERATION) > 0)
#error "OPERATION: count saturate float_sum wide_sum argmax vector_sum minmax sum max dot half full"
#endif

#if !OPERATION_IS(half) && !OPERATION_IS(full)

#ifdef __CUDACC__
#define OPERATION_FUNCTION __host__ __device__ static inline
#define OPERATION_ALIGNED(bytes) __align__(bytes)
#else
#define OPERATION_FUNCTION static inline
#define OPERATION_ALIGNED(bytes) __attribute__((aligned(bytes)))
#endif

#if OPERATION_IS(sum) || OPERATION_IS(max)

typedef unsigned int value_t;
#define OPERATION_WORD_BITS 32

#elif OPERATION_IS(dot)

typedef struct OPERATION_ALIGNED(8) {
    float x, y;
} value_t;
#define OPERATION_WORD_BITS 64

OPERATION_FUNCTION value_t neutral(void)
{
    value_t none;
    none.x = 0;
    none.y = 1;
    return none;
}

#elif OPERATION_IS(count) || OPERATION_IS(saturate)

typedef unsigned int element_t;
typedef unsigned int bin_t;
#define OPERATION_WORD_BITS 32

OPERATION_FUNCTION bin_t value_of(element_t x)
{
    (void)x;
    return 1;
}

#elif OPERATION_IS(argmax)

/* Key, value and index in one word: bits 0 to 21, 22 to 37 and 38 to 63. */
typedef unsigned long long element_t;
enum { ELEMENT_KEY_BITS = 22, ELEMENT_VALUE_BITS = 16, ELEMENT_INDEX_BITS = 26 };
typedef struct OPERATION_ALIGNED(8) {
    unsigned int value, index;
} bin_t;
#define OPERATION_WORD_BITS 64

OPERATION_FUNCTION bin_t value_of(element_t x)
{
    bin_t value;
    value.value = (unsigned int)(x >> ELEMENT_KEY_BITS) & ((1u << ELEMENT_VALUE_BITS) - 1);
    value.index = (unsigned int)(x >> (ELEMENT_KEY_BITS + ELEMENT_VALUE_BITS));
    return value;
}

/* Loses to every element, whose index is smaller. */
OPERATION_FUNCTION bin_t neutral(void)
{
    bin_t none;
    none.value = 0;
    none.index = 0xffffffffu;
    return none;
}

#else /* what has a key, and a value of 4 bytes */

typedef struct OPERATION_ALIGNED(8) {
    unsigned int key;
#if OPERATION_IS(wide_sum)
    unsigned int value;
#else
    float value;
#endif
} element_t;

#if OPERATION_IS(float_sum)

typedef float bin_t;
#define OPERATION_WORD_BITS 32

OPERATION_FUNCTION bin_t value_of(element_t x)
{
    return x.value;
}

#elif OPERATION_IS(wide_sum)

typedef unsigned long long bin_t;
#define OPERATION_WORD_BITS 64

OPERATION_FUNCTION bin_t value_of(element_t x)
{
    return x.value;
}

#elif OPERATION_IS(vector_sum)

enum { BIN_FLOATS = 8 };
typedef struct OPERATION_ALIGNED(16) {
    float sum[BIN_FLOATS];
} bin_t;
#define OPERATION_WORD_BITS 0

OPERATION_FUNCTION bin_t value_of(element_t x)
{
    bin_t powers;
    powers.sum[0] = 1;
    for (int i = 1; i < BIN_FLOATS; i++)
        powers.sum[i] = powers.sum[i - 1] * x.value;
    return powers;
}

OPERATION_FUNCTION bin_t neutral(void)
{
    bin_t none;
    for (int i = 0; i < BIN_FLOATS; i++)
        none.sum[i] = 0;
    return none;
}

#else /* minmax */

typedef struct OPERATION_ALIGNED(16) {
    double smallest, largest;
} bin_t;
#define OPERATION_WORD_BITS 0

OPERATION_FUNCTION bin_t neutral(void)
{
    bin_t none;
    none.smallest = __builtin_huge_val();
    none.largest = -__builtin_huge_val();
    return none;
}

/* NaN is neither small nor large; -0 is 0. */
OPERATION_FUNCTION bin_t value_of(element_t x)
{
    bin_t value = neutral();
    if (x.value == x.value)
        value.smallest = value.largest = (double)x.value + 0.0;
    return value;
}

#endif
#endif

#if !OPERATION_IS(sum) && !OPERATION_IS(max) && !OPERATION_IS(dot)
typedef bin_t value_t;

OPERATION_FUNCTION size_t index_of(element_t x, size_t num_bins)
{
    (void)num_bins;
#if OPERATION_IS(argmax)
    return (size_t)(x & ((1u << ELEMENT_KEY_BITS) - 1));
#elif OPERATION_IS(count) || OPERATION_IS(saturate)
    return x;
#else
    return x.key;
#endif
}
#endif

#if !OPERATION_IS(dot) && !OPERATION_IS(argmax) && !OPERATION_IS(vector_sum) &&                    \
    !OPERATION_IS(minmax)
OPERATION_FUNCTION value_t neutral(void)
{
    return 0;
}
#endif

OPERATION_FUNCTION value_t combine(value_t a, value_t b)
{
#if OPERATION_IS(saturate)
    return a + b < SATURATE_AT ? a + b : SATURATE_AT;
#elif OPERATION_IS(argmax)
    return a.value > b.value || (a.value == b.value && a.index <= b.index) ? a : b;
#elif OPERATION_IS(vector_sum)
    for (int i = 0; i < BIN_FLOATS; i++)
        a.sum[i] += b.sum[i];
    return a;
#elif OPERATION_IS(minmax)
    if (b.smallest < a.smallest)
        a.smallest = b.smallest;
    if (b.largest > a.largest)
        a.largest = b.largest;
    return a;
#elif OPERATION_IS(max)
    return a > b ? a : b;
#elif OPERATION_IS(dot)
    a.x = a.x * a.y + b.x * b.y;
    a.y = 1;
    return a;
#else
    return a + b;
#endif
}

#if OPERATION_WORD_BITS == 32
typedef unsigned int word_t;
#elif OPERATION_WORD_BITS == 64
typedef unsigned long long word_t;
#endif

#if OPERATION_IS(count) || OPERATION_IS(float_sum) || OPERATION_IS(wide_sum) ||                    \
    OPERATION_IS(vector_sum) || OPERATION_IS(sum) || OPERATION_IS(max)
#define OPERATION_HAS_ATOMIC 1
#ifdef __CUDACC__
__device__ static inline void atomic_combine(value_t *to, value_t value)
{
#if OPERATION_IS(vector_sum)
    for (int i = 0; i < BIN_FLOATS; i++)
        atomicAdd(&to->sum[i], value.sum[i]);
#elif OPERATION_IS(max)
    atomicMax(to, value);
#else
    atomicAdd(to, value);
#endif
}
#endif
#else
#define OPERATION_HAS_ATOMIC 0
#endif

#undef OPERATION_FUNCTION
#undef OPERATION_ALIGNED

#endif

#endif
