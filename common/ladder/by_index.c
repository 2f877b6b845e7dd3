/* by_index.c - ladder_reduce_by_index() and what belongs to it: checks, plans, and launches round by round. */
#include "arguments.h"
#include "device.h"
#include "model.h"

static const size_t MOST_BINS = ((size_t)1 << 31) - 1;

/* Words of a few elements begin at a multiple of so many bytes. */
static struct ladder_elements elements_of(const struct ladder_facts *facts, const uint32_t *keys,
                                          const uint32_t *values, size_t length, size_t base)
{
    const uintptr_t word = facts->is_counted ? 16 : 8;
    const uintptr_t of_keys = (uintptr_t)keys % word, of_values = (uintptr_t)values % word;
    return (struct ladder_elements){keys,
                                    values,
                                    (unsigned int)length,
                                    (unsigned int)(of_keys / sizeof *keys),
                                    (unsigned int)base,
                                    facts->has_values && of_keys == of_values};
}

static ladder_status check(const struct ladder_facts *facts, ladder_operation operation,
                           const uint32_t *keys, const void *values, size_t length, void *bins,
                           size_t num_bins)
{
    if (num_bins < 1 || num_bins > MOST_BINS)
        return LADDER_TOO_LARGE;
    if (operation == LADDER_ARGMAX_U32 && length > UINT32_MAX)
        return LADDER_TOO_LARGE;
    const struct ladder_memory_of parts[] = {
        {bins, num_bins, facts->bin_bytes, facts->alignment, true},
        {keys, length, sizeof *keys, sizeof *keys, false},
        {values, facts->has_values ? length : 0, 4, facts->has_values ? 4 : 1, false},
    };
    return ladder_check_memory(parts, sizeof parts / sizeof *parts);
}

/* Puts all rounds into the stream. */
static ladder_status run(const struct ladder_facts *facts, const struct ladder_plan *plan,
                         void *temporary, const uint32_t *keys, const uint32_t *values,
                         size_t length, void *bins, size_t num_bins, cudaStream_t stream)
{
    for (size_t done = 0; done < length; done += plan->round) {
        const size_t now = length - done < plan->round ? length - done : plan->round;
        const struct ladder_elements elements =
            elements_of(facts, keys + done, facts->has_values ? values + done : NULL, now, done);
        if (facts->kernels->run(plan, &elements, bins, num_bins, temporary, stream) != cudaSuccess)
            return LADDER_CUDA_ERROR;
    }
    return LADDER_OK;
}

ladder_status ladder_reduce_by_index(void *temporary, size_t *temporary_bytes,
                                     ladder_operation operation, const uint32_t *keys,
                                     const void *values, size_t length, void *bins, size_t num_bins,
                                     cudaStream_t stream)
{
    const struct ladder_facts *const facts = ladder_facts_of(operation);
    const ladder_device *device;
    struct ladder_plan plan = {.temporary_bytes = 0};
    bool is_answered;
    if (!facts)
        return LADDER_UNKNOWN;
    ladder_status status = LADDER_OK;
    if (temporary) /* who asks for the size need not have the arrays yet */
        status = check(facts, operation, keys, values, length, bins, num_bins);
    else if (num_bins < 1 || num_bins > MOST_BINS || length > SIZE_MAX / 64)
        status = LADDER_TOO_LARGE;
    if (status == LADDER_OK)
        status = ladder_device_now(operation, &device);
    if (status != LADDER_OK)
        return status;
    if (length > 0)
        ladder_choose(device, operation, length, num_bins, &plan);
    status = ladder_check_temporary(temporary, temporary_bytes, plan.temporary_bytes, &is_answered);
    if (status != LADDER_OK || is_answered)
        return status;
    const struct ladder_memory_of parts[] = {
        {temporary, plan.temporary_bytes, 1, 1, true},
        {bins, num_bins, facts->bin_bytes, 1, true},
        {keys, length, sizeof *keys, 1, false},
        {values, facts->has_values ? length : 0, 4, 1, false},
    };
    status = ladder_check_memory(parts, sizeof parts / sizeof *parts);
    if (status != LADDER_OK)
        return status;
    return run(facts, &plan, temporary, keys, (const uint32_t *)values, length, bins, num_bins,
               stream);
}

ladder_status ladder_clear(ladder_operation operation, void *bins, size_t num_bins,
                           cudaStream_t stream)
{
    const struct ladder_facts *const facts = ladder_facts_of(operation);
    const ladder_device *device;
    if (!facts)
        return LADDER_UNKNOWN;
    if (num_bins < 1 || num_bins > MOST_BINS)
        return LADDER_TOO_LARGE;
    const struct ladder_memory_of part = {bins, num_bins, facts->bin_bytes, facts->alignment, true};
    ladder_status status = ladder_check_memory(&part, 1);
    if (status == LADDER_OK)
        status = ladder_device_now(operation, &device);
    if (status != LADDER_OK)
        return status;
    return facts->kernels->clear(bins, num_bins, device->multiprocessors, stream) == cudaSuccess
               ? LADDER_OK
               : LADDER_CUDA_ERROR;
}

size_t ladder_bin_bytes(ladder_operation operation)
{
    const struct ladder_facts *const facts = ladder_facts_of(operation);
    return facts ? facts->bin_bytes : 0;
}
