/* reduce.cu - reduces an array at the speed of reading. It is compiled once for each reduction: -DREDUCTION=sum, max,
 * dot, float_sum, reproducible.
 *
 * Each thread has four loads of 16 bytes on their way at a time. Blocks leave their results in temporary memory, and
 * a second launch of one block takes them all; where one block is enough there is one launch.
 *
 * Of a sum that is reproducible the length alone fixes the order: the array is dealt to segments in turns, a block adds
 * the values of a segment in a fixed order, whatever their address is, and the last block adds the sums in another.
 * Which block takes which segment, and when, changes nothing. */
#include <cuda_runtime.h>

#include "../reduction.h"

#define CODE_sum 1
#define CODE_max 2
#define CODE_dot 3
#define CODE_float_sum 4
#define CODE_reproducible 5
#define PASTE(one, two) one##two
#define PASTED(one, two) PASTE(one, two)
#define REDUCTION_IS(name) (PASTED(CODE_, REDUCTION) == CODE_##name)

enum {
    THREADS = LADDER_REDUCE_THREADS,
    WARP = 32,
    LOADS = 4,
    PER_WORD = LADDER_VALUES_PER_WORD,
};

#if REDUCTION_IS(sum)
typedef unsigned int value_t;
typedef unsigned long long part_t;
#elif REDUCTION_IS(max)
typedef unsigned int value_t, part_t;
#else
typedef float value_t, part_t;
#endif

__device__ __forceinline__ static part_t join(part_t a, part_t b)
{
#if REDUCTION_IS(max)
    return a > b ? a : b;
#else
    return a + b;
#endif
}

/* The arrays, as a kernel reads them. */
struct arrays {
    const value_t *values, *others;
    size_t length;
    bool wide; // words of 16 bytes can be loaded, from the first value on
};

#if !REDUCTION_IS(reproducible)
__device__ __forceinline__ static part_t value_at(const struct arrays *arrays, size_t i)
{
#if REDUCTION_IS(dot)
    return arrays->values[i] * arrays->others[i];
#else
    return arrays->values[i];
#endif
}
#endif

struct word {
    value_t x[PER_WORD];
};

__device__ __forceinline__ static struct word load(const value_t *from, bool wide)
{
    struct word word;
    if (wide) {
#if REDUCTION_IS(sum) || REDUCTION_IS(max)
        const uint4 four = __ldcs((const uint4 *)from);
#else
        const float4 four = __ldcs((const float4 *)from);
#endif
        word.x[0] = four.x;
        word.x[1] = four.y;
        word.x[2] = four.z;
        word.x[3] = four.w;
    } else {
#pragma unroll
        for (int k = 0; k < PER_WORD; k++)
            word.x[k] = from[k];
    }
    return word;
}

/* What a thread has of the words `first`, first + stride, ... below `words`: a fixed order of adding. */
__device__ __forceinline__ static part_t combine_words(const struct arrays *arrays, size_t words,
                                                       size_t first, size_t stride, bool wide)
{
    part_t mine = 0;
#pragma unroll 1 // four loads in flight leave no registers for more
    for (size_t i = first; i < words; i += LOADS * stride) {
        struct word word[LOADS];
#if REDUCTION_IS(dot)
        struct word other[LOADS];
#endif
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const size_t here = i + k * stride;
            const struct word none = {{0, 0, 0, 0}}; // changes none of the results
            word[k] = here < words ? load(arrays->values + here * PER_WORD, wide) : none;
#if REDUCTION_IS(dot)
            other[k] = here < words ? load(arrays->others + here * PER_WORD, wide) : none;
#endif
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
#if REDUCTION_IS(dot)
#pragma unroll
            for (int n = 0; n < PER_WORD; n++)
                word[k].x[n] *= other[k].x[n];
#endif
            mine = join(mine, join(join((part_t)word[k].x[0], (part_t)word[k].x[1]),
                                   join((part_t)word[k].x[2], (part_t)word[k].x[3])));
        }
    }
    return mine;
}

/* Of the values of a warp, in lane 0, by a fixed tree. */
__device__ __forceinline__ static part_t combine_warp(part_t value)
{
#pragma unroll
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        value = join(value, __shfl_down_sync(0xffffffffu, value, distance));
    return value;
}

/* The same of a block of THREADS threads, in thread 0. All threads call it together. */
__device__ static part_t combine_block(part_t value)
{
    __shared__ part_t of_warp[THREADS / WARP];
    value = combine_warp(value);
    __syncthreads(); // no warp may write its value while the first still reads those of the last call
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = value;
    __syncthreads(); // no lane may read the value of a warp that has yet to write it
    return threadIdx.x < WARP ? combine_warp(of_warp[threadIdx.x]) : 0;
}

#if REDUCTION_IS(reproducible)
/* Segment s has the words of threads s * THREADS to (s + 1) * THREADS - 1 of a grid of `segments` blocks. */
__global__ static void __launch_bounds__(THREADS, 1)
    combine(struct arrays arrays, unsigned int segments, part_t *parts)
{
    const size_t words = arrays.length / PER_WORD, stride = (size_t)segments * THREADS;
    const unsigned int rest = (unsigned int)(arrays.length % PER_WORD);
    for (unsigned int s = blockIdx.x; s < segments; s += gridDim.x) {
        const size_t first = (size_t)s * THREADS + threadIdx.x;
        // Said twice, so that no load waits for a branch.
        part_t sum = arrays.wide ? combine_words(&arrays, words, first, stride, true)
                                 : combine_words(&arrays, words, first, stride, false);
        if (rest > 0 && words % stride == first) // the next word would be this thread's
            for (unsigned int i = 0; i < rest; i++)
                sum += arrays.values[words * PER_WORD + i];
        sum = combine_block(sum);
        if (threadIdx.x == 0)
            parts[s] = sum;
    }
}
#else
__global__ static void __launch_bounds__(THREADS, 1)
    combine(struct arrays arrays, unsigned int head, part_t *parts)
{
    const size_t threads = (size_t)gridDim.x * THREADS;
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x;
    struct arrays body = arrays; // behind what lies before a boundary
    body.values += head;
    if (REDUCTION_IS(dot))
        body.others += head;
    const size_t words = (arrays.length - head) / PER_WORD, tail = head + words * PER_WORD;
    part_t mine = arrays.wide ? combine_words(&body, words, thread, threads, true)
                              : combine_words(&body, words, thread, threads, false);
    if (thread < head)
        mine = join(mine, value_at(&arrays, thread));
    if (thread < arrays.length - tail)
        mine = join(mine, value_at(&arrays, tail + thread));
    mine = combine_block(mine);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = mine;
}
#endif

/* One block: the results of all. */
__global__ static void __launch_bounds__(THREADS)
    combine_parts(const part_t *parts, unsigned int number, part_t *result)
{
    const part_t all = combine_block(threadIdx.x < number ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *result = all;
}

static size_t to_boundary(const value_t *values)
{
    return (16 - (size_t)values % 16) % 16 / sizeof *values;
}

extern "C" cudaError_t PASTED(ladder_reduce_, REDUCTION)(const struct ladder_reduce_call *call)
{
    struct arrays arrays = {(const value_t *)call->values, (const value_t *)call->others,
                            call->length, true};
    part_t *const parts = (part_t *)(call->parts ? call->parts : call->result);
    unsigned int number = call->blocks;
#if REDUCTION_IS(reproducible)
    const size_t steps = (call->length + THREADS * PER_WORD - 1) / (THREADS * PER_WORD);
    number = steps < 1                 ? 1
             : steps < LADDER_SEGMENTS ? (unsigned int)steps
                                       : (unsigned int)LADDER_SEGMENTS;
    arrays.wide = to_boundary(arrays.values) == 0;
    const unsigned int blocks = number > call->blocks ? call->blocks : number;
    combine<<<blocks, THREADS, 0, call->stream>>>(arrays, number, parts);
#else
    size_t head = to_boundary(arrays.values);
#if REDUCTION_IS(dot)
    arrays.wide = head == to_boundary(arrays.others);
#endif
    head = head < call->length ? head : call->length;
    combine<<<call->blocks, THREADS, 0, call->stream>>>(arrays, (unsigned int)head, parts);
#endif
    if (call->parts)
        combine_parts<<<1, THREADS, 0, call->stream>>>(parts, number, (part_t *)call->result);
    return cudaPeekAtLastError();
}
