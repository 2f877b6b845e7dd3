/* reduce.c - ladder_reduce(). */
#include "reduction.h"

#include "arguments.h"
#include "device.h"

/* What the host must know of a reduction. */
static const struct facts {
    cudaError_t (*run)(const struct ladder_reduce_call *call);
    size_t result_bytes;
} facts[] = {
    [LADDER_SUM] = {ladder_reduce_sum, 8},
    [LADDER_MAX] = {ladder_reduce_max, 4},
    [LADDER_DOT] = {ladder_reduce_dot, 4},
    [LADDER_FLOAT_SUM] = {ladder_reduce_float_sum, 4},
    [LADDER_REPRODUCIBLE] = {ladder_reduce_reproducible, 4},
};

/* As many blocks as the device holds at a time, or as give each thread a word. */
static unsigned int blocks_for(const ladder_device *device, size_t length)
{
    const size_t of_block = (size_t)LADDER_REDUCE_THREADS * LADDER_VALUES_PER_WORD;
    const size_t enough = (length + of_block - 1) / of_block;
    const size_t fit = device->threads / LADDER_REDUCE_THREADS;
    size_t blocks = device->multiprocessors * (fit > 0 ? fit : 1);
    blocks = blocks < enough ? blocks : enough;
    blocks = blocks < LADDER_MOST_PARTS ? blocks : LADDER_MOST_PARTS;
    return blocks > 1 ? (unsigned int)blocks : 1;
}

ladder_status ladder_reduce(void *temporary, size_t *temporary_bytes, ladder_reduction reduction,
                            const void *values, const void *others, size_t length, void *result,
                            cudaStream_t stream)
{
    const ladder_device *device;
    bool is_answered;
    if (reduction < LADDER_SUM || reduction > LADDER_REPRODUCIBLE)
        return LADDER_UNKNOWN;
    const size_t needed = LADDER_MOST_PARTS * LADDER_PART_BYTES;
    ladder_status status = ladder_check_temporary(temporary, temporary_bytes, needed, &is_answered);
    if (status != LADDER_OK || is_answered)
        return status;
    const size_t bytes = facts[reduction].result_bytes;
    const struct ladder_memory_of parts[] = {
        {result, 1, bytes, bytes, true},
        {values, length, 4, 4, false},
        {others, reduction == LADDER_DOT ? length : 0, 4, reduction == LADDER_DOT ? 4 : 1, false},
        {temporary, needed, 1, 1, true},
    };
    status = ladder_check_memory(parts, sizeof parts / sizeof *parts);
    if (status == LADDER_OK)
        status = ladder_device_now((ladder_operation)0, &device);
    if (status != LADDER_OK)
        return status;
    /* One block has four words of each thread on their way at a time; a segment is one word of each. */
    const size_t words = reduction == LADDER_REPRODUCIBLE ? 1 : 4;
    const bool is_short = length <= words * LADDER_REDUCE_THREADS * LADDER_VALUES_PER_WORD;
    const struct ladder_reduce_call call = {values,
                                            others,
                                            length,
                                            result,
                                            is_short ? NULL : temporary,
                                            is_short ? 1 : blocks_for(device, length),
                                            stream};
    return facts[reduction].run(&call) == cudaSuccess ? LADDER_OK : LADDER_CUDA_ERROR;
}
