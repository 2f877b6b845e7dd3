/* histogram.c - ladder_histogram(): of texts here, of keys by ladder_reduce_by_index(). */
#include "arguments.h"
#include "device.h"
#include "text.h"

enum { BYTES = 256 };

/* The bins of all values of a byte: those of the table, or each its own. */
static ladder_status bins_of_bytes(const int16_t *table, size_t num_bins,
                                   struct ladder_byte_bins *bin_of)
{
    for (int byte = 0; byte < BYTES; byte++) {
        const int bin = table ? table[byte] : byte < (int)num_bins ? byte : -1;
        if (bin < -1 || bin >= (int)num_bins)
            return LADDER_BAD_TABLE;
        bin_of->bin[byte] = (int16_t)bin;
    }
    return LADDER_OK;
}

static ladder_status count_bytes(void *temporary, size_t *temporary_bytes, const void *samples,
                                 size_t length, const int16_t *table, void *counts, int count_bits,
                                 size_t num_bins, cudaStream_t stream)
{
    struct ladder_byte_bins bin_of;
    const ladder_device *device;
    bool is_answered;
    if (num_bins < 1 || num_bins > BYTES)
        return LADDER_TOO_LARGE;
    ladder_status status = bins_of_bytes(table, num_bins, &bin_of);
    if (status == LADDER_OK)
        status = ladder_check_temporary(temporary, temporary_bytes, 0, &is_answered);
    if (status != LADDER_OK || is_answered)
        return status;
    const size_t bytes = (size_t)count_bits / 8;
    const struct ladder_memory_of parts[] = {
        {counts, num_bins, bytes, bytes, true},
        {samples, length, 1, 1, false},
    };
    status = ladder_check_memory(parts, sizeof parts / sizeof *parts);
    if (status == LADDER_OK)
        status = ladder_device_now((ladder_operation)0, &device);
    if (status != LADDER_OK || length == 0)
        return status;
    const struct ladder_counts to = {counts, (unsigned int)num_bins, (unsigned int)count_bits};
    return ladder_count_text((const unsigned char *)samples, length, &bin_of, &to,
                             device->multiprocessors, stream) == cudaSuccess
               ? LADDER_OK
               : LADDER_CUDA_ERROR;
}

ladder_status ladder_histogram(void *temporary, size_t *temporary_bytes, ladder_type type,
                               const void *samples, size_t length, const int16_t *table,
                               void *counts, int count_bits, size_t num_bins, cudaStream_t stream)
{
    if (count_bits != 32 && count_bits != 64)
        return LADDER_UNKNOWN;
    if (type == LADDER_U8)
        return count_bytes(temporary, temporary_bytes, samples, length, table, counts, count_bits,
                           num_bins, stream);
    if (type != LADDER_U32)
        return LADDER_UNKNOWN;
    if (table)
        return LADDER_BAD_TABLE;
    return ladder_reduce_by_index(
        temporary, temporary_bytes, count_bits == 64 ? LADDER_COUNT_64 : LADDER_COUNT,
        (const uint32_t *)samples, NULL, length, counts, num_bins, stream);
}
