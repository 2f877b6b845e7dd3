/* now.c - the calls that own their memory: arrays of the host are copied to the device and back, temporary memory is
 * allocated, and the result is waited for. */
#include <stdbool.h>
#include <stdlib.h>

#include "ladder.h"

/* An array of a call, on the device: the caller's own, or a copy of it. */
struct array {
    const void *given;
    void *on_device, *copy;
    size_t bytes;
};

/* Notes what has failed. */
static ladder_status of(cudaError_t result)
{
    return result == cudaSuccess ? LADDER_OK : LADDER_CUDA_ERROR;
}

static bool is_on_device(const void *pointer)
{
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        cudaGetLastError(); /* that it is unknown to CUDA is no error */
        return false;
    }
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

/* Brings an array to the device; `given` may be NULL if there are no bytes. */
static ladder_status bring(struct array *array, const void *given, size_t number, size_t bytes)
{
    *array = (struct array){given, NULL, NULL, number * bytes};
    if (number > SIZE_MAX / bytes)
        return LADDER_TOO_LARGE;
    if (number == 0)
        return LADDER_OK;
    if (!given)
        return LADDER_NULL;
    if (is_on_device(given)) {
        array->on_device = (void *)(uintptr_t)given;
        return LADDER_OK;
    }
    ladder_status status = of(cudaMalloc(&array->copy, array->bytes));
    if (status != LADDER_OK)
        return status;
    array->on_device = array->copy;
    return of(cudaMemcpy(array->copy, given, array->bytes, cudaMemcpyHostToDevice));
}

/* Waits for the result, and copies it back if it is not where the caller wants it. */
static ladder_status hand_back(const struct array *array, void *wanted)
{
    ladder_status status = of(cudaStreamSynchronize(0));
    if (status == LADDER_OK && array->copy)
        status = of(cudaMemcpy(wanted, array->copy, array->bytes, cudaMemcpyDeviceToHost));
    return status;
}

static void forget(struct array *array)
{
    if (array->copy)
        cudaFree(array->copy);
}

ladder_status ladder_histogram_now(ladder_type type, const void *samples, size_t length,
                                   const int16_t *table, void *counts, int count_bits,
                                   size_t num_bins)
{
    if ((type != LADDER_U8 && type != LADDER_U32) || (count_bits != 32 && count_bits != 64))
        return LADDER_UNKNOWN;
    struct array from = {0}, to = {0};
    void *temporary = NULL;
    size_t bytes = 0;
    ladder_status status = ladder_histogram(NULL, &bytes, type, samples, length, table, counts,
                                            count_bits, num_bins, 0);
    if (status == LADDER_OK)
        status = bring(&from, samples, length, type == LADDER_U8 ? 1 : 4);
    if (status == LADDER_OK)
        status = bring(&to, counts, num_bins, (size_t)count_bits / 8);
    if (status == LADDER_OK)
        status = of(cudaMalloc(&temporary, bytes));
    if (status == LADDER_OK)
        status = ladder_histogram(temporary, &bytes, type, from.on_device, length, table,
                                  to.on_device, count_bits, num_bins, 0);
    if (status == LADDER_OK)
        status = hand_back(&to, counts);
    if (temporary)
        cudaFree(temporary);
    forget(&from);
    forget(&to);
    return status;
}

ladder_status ladder_reduce_by_index_now(ladder_operation operation, const uint32_t *keys,
                                         const void *values, size_t length, void *bins,
                                         size_t num_bins)
{
    const bool has_values =
        operation != LADDER_COUNT && operation != LADDER_COUNT_64 && operation != LADDER_SATURATE;
    struct array of_keys = {0}, of_values = {0}, to = {0};
    void *temporary = NULL;
    size_t bytes = 0;
    ladder_status status =
        ladder_reduce_by_index(NULL, &bytes, operation, keys, values, length, bins, num_bins, 0);
    if (status == LADDER_OK)
        status = bring(&of_keys, keys, length, sizeof *keys);
    if (status == LADDER_OK)
        status = bring(&of_values, values, has_values ? length : 0, 4);
    if (status == LADDER_OK)
        status = bring(&to, bins, num_bins, ladder_bin_bytes(operation));
    if (status == LADDER_OK)
        status = of(cudaMalloc(&temporary, bytes));
    if (status == LADDER_OK)
        status = ladder_reduce_by_index(temporary, &bytes, operation, (uint32_t *)of_keys.on_device,
                                        of_values.on_device, length, to.on_device, num_bins, 0);
    if (status == LADDER_OK)
        status = hand_back(&to, bins);
    if (temporary)
        cudaFree(temporary);
    forget(&of_keys);
    forget(&of_values);
    forget(&to);
    return status;
}

ladder_status ladder_reduce_now(ladder_reduction reduction, const void *values, const void *others,
                                size_t length, void *result)
{
    struct array one = {0}, other = {0}, to = {0};
    void *temporary = NULL;
    size_t bytes = 0;
    ladder_status status =
        ladder_reduce(NULL, &bytes, reduction, values, others, length, result, 0);
    if (status == LADDER_OK)
        status = bring(&one, values, length, 4);
    if (status == LADDER_OK)
        status = bring(&other, others, reduction == LADDER_DOT ? length : 0, 4);
    if (status == LADDER_OK)
        status = bring(&to, result, 1, reduction == LADDER_SUM ? 8 : 4);
    if (status == LADDER_OK)
        status = of(cudaMalloc(&temporary, bytes));
    if (status == LADDER_OK)
        status = ladder_reduce(temporary, &bytes, reduction, one.on_device, other.on_device, length,
                               to.on_device, 0);
    if (status == LADDER_OK)
        status = hand_back(&to, result);
    if (temporary)
        cudaFree(temporary);
    forget(&one);
    forget(&other);
    forget(&to);
    return status;
}
