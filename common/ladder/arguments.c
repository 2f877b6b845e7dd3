/* arguments.c - finds bad arguments on the host. */
#include "arguments.h"

static const size_t MOST_BYTES = (size_t)1
                                 << 47; /* no device has so much; and no sum of such sizes wraps */

static ladder_status check_one(const struct ladder_memory_of *part)
{
    if (part->number > MOST_BYTES / part->bytes)
        return LADDER_TOO_LARGE;
    if (part->number > 0 && !part->begin)
        return LADDER_NULL;
    if ((uintptr_t)part->begin % part->alignment != 0)
        return LADDER_MISALIGNED;
    return LADDER_OK;
}

static bool overlap(const struct ladder_memory_of *one, const struct ladder_memory_of *other)
{
    const uintptr_t a = (uintptr_t)one->begin, b = (uintptr_t)other->begin;
    return one->number > 0 && other->number > 0 && a < b + other->number * other->bytes &&
           b < a + one->number * one->bytes;
}

ladder_status ladder_check_memory(const struct ladder_memory_of *parts, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        const ladder_status status = check_one(&parts[i]);
        if (status != LADDER_OK)
            return status;
    }
    for (size_t i = 0; i < number; i++)
        for (size_t j = 0; j < i; j++)
            if ((parts[i].is_written || parts[j].is_written) && overlap(&parts[i], &parts[j]))
                return LADDER_OVERLAP;
    return LADDER_OK;
}

ladder_status ladder_check_temporary(void *temporary, size_t *temporary_bytes, size_t needed,
                                     bool *is_answered)
{
    *is_answered = false;
    if (!temporary_bytes)
        return LADDER_NULL;
    if (!temporary) {
        *temporary_bytes = needed > 0 ? needed : 1; /* so that malloc of it is not NULL */
        *is_answered = true;
        return LADDER_OK;
    }
    if ((uintptr_t)temporary % LADDER_TEMPORARY_ALIGNMENT != 0)
        return LADDER_MISALIGNED;
    return *temporary_bytes < needed ? LADDER_TEMPORARY_SHORT : LADDER_OK;
}
