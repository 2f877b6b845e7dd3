/* arguments.c - what the library promises of its arguments: each bad one is found on the host, and nothing is written;
 * temporary memory may hold rubbish, and nothing beside it is touched; asking twice gives one answer. */
#include <criterion/criterion.h>
#include <string.h>

#include "ladder.h"
#include "sim.h"

enum { LENGTH = 5000, BINS = 300, ROOM = 1 << 20, CANARY = 0x5a };

static char *keys, *values, *bins, *temporary; /* of the device, all filled with CANARY */
static size_t needed;

static char *filled(size_t bytes)
{
    void *memory;
    cr_assert_eq(cudaMalloc(&memory, bytes), cudaSuccess);
    cr_assert_eq(cudaMemset(memory, CANARY, bytes), cudaSuccess);
    return memory;
}

static void set_up(void)
{
    keys = filled(ROOM), values = filled(ROOM), bins = filled(ROOM), temporary = filled(ROOM);
    cr_assert_eq(
        ladder_reduce_by_index(NULL, &needed, LADDER_SUM_U32, NULL, NULL, LENGTH, NULL, BINS, 0),
        LADDER_OK);
}

TestSuite(arguments, .init = set_up);

/* How many of the first bytes are no canaries. */
static size_t changed(const char *device, size_t from, size_t to)
{
    static unsigned char bytes[ROOM];
    size_t number = 0;
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_assert_eq(cudaMemcpy(bytes, device, ROOM, cudaMemcpyDeviceToHost), cudaSuccess);
    for (size_t i = from; i < to; i++)
        number += bytes[i] != CANARY;
    return number;
}

/* Expects the status, and that neither bins nor temporary memory were written. */
static void refused(ladder_status got, ladder_status wanted)
{
    cr_expect_eq(got, wanted, "%s in place of %s", ladder_status_text(got),
                 ladder_status_text(wanted));
    cr_expect_eq(changed(bins, 0, ROOM), 0);
    cr_expect_eq(changed(temporary, 0, ROOM), 0);
}

/* A call in which one thing may be bad. */
static ladder_status call(void *memory, size_t bytes, int operation, const char *k, const char *v,
                          size_t length, char *to, size_t num_bins)
{
    return ladder_reduce_by_index(memory, &bytes, (ladder_operation)operation,
                                  (const uint32_t *)(const void *)k, v, length, to, num_bins, 0);
}

Test(arguments, null_pointers)
{
    refused(call(temporary, ROOM, LADDER_SUM_U32, NULL, values, LENGTH, bins, BINS), LADDER_NULL);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, NULL, LENGTH, bins, BINS), LADDER_NULL);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values, LENGTH, NULL, BINS), LADDER_NULL);
    refused(ladder_reduce_by_index(temporary, NULL, LADDER_SUM_U32, (uint32_t *)(void *)keys,
                                   values, LENGTH, bins, BINS, 0),
            LADDER_NULL);
    size_t bytes = ROOM;
    refused(ladder_reduce(temporary, &bytes, LADDER_SUM, NULL, NULL, LENGTH, bins, 0), LADDER_NULL);
    refused(ladder_reduce(temporary, &bytes, LADDER_DOT, values, NULL, LENGTH, bins, 0),
            LADDER_NULL);
    refused(ladder_reduce(temporary, &bytes, LADDER_SUM, values, NULL, LENGTH, NULL, 0),
            LADDER_NULL);
    refused(ladder_histogram(temporary, &bytes, LADDER_U8, NULL, LENGTH, NULL, bins, 32, 256, 0),
            LADDER_NULL);
    refused(ladder_clear(LADDER_COUNT, NULL, 1, 0), LADDER_NULL);
    refused(ladder_current_device(NULL), LADDER_NULL);
}

Test(arguments, misaligned_addresses)
{
    refused(call(temporary + 128, ROOM / 2, LADDER_SUM_U32, keys, values, LENGTH, bins, BINS),
            LADDER_MISALIGNED);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys + 2, values, LENGTH, bins, BINS),
            LADDER_MISALIGNED);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values + 1, LENGTH, bins, BINS),
            LADDER_MISALIGNED);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values, LENGTH, bins + 4, BINS),
            LADDER_MISALIGNED);
    refused(call(temporary, ROOM, LADDER_POWERS_F32, keys, values, LENGTH, bins + 8, BINS),
            LADDER_MISALIGNED);
}

Test(arguments, memory_that_overlaps)
{
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, bins + 4096, LENGTH, bins, 1024),
            LADDER_OVERLAP);
    refused(call(temporary, ROOM, LADDER_SUM_U32, bins + 8 * BINS - 4, values, LENGTH, bins, BINS),
            LADDER_OVERLAP);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values, LENGTH, temporary, BINS),
            LADDER_OVERLAP);
    size_t bytes = ROOM;
    refused(ladder_reduce(temporary, &bytes, LADDER_SUM, values, NULL, LENGTH, values + 8, 0),
            LADDER_OVERLAP);
    refused(
        ladder_histogram(temporary, &bytes, LADDER_U8, bins, LENGTH, NULL, bins + 1024, 32, 256, 0),
        LADDER_OVERLAP);
    /* Keys and values that are one array are only read. */
    cr_expect_eq(call(temporary, ROOM, LADDER_SUM_U32, keys, keys, LENGTH, bins, BINS), LADDER_OK);
}

Test(arguments, too_few_bytes)
{
    refused(call(temporary, needed - 1, LADDER_SUM_U32, keys, values, LENGTH, bins, BINS),
            LADDER_TEMPORARY_SHORT);
    refused(call(temporary, 0, LADDER_SUM_U32, keys, values, LENGTH, bins, BINS),
            LADDER_TEMPORARY_SHORT);
}

Test(arguments, enumerators_that_there_are_not)
{
    const int unknown[] = {0, -1, LADDER_ARGMAX_U32 + 1, 1000};
    size_t bytes = ROOM;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        refused(call(temporary, ROOM, unknown[i], keys, values, LENGTH, bins, BINS),
                LADDER_UNKNOWN);
        refused(ladder_reduce(temporary, &bytes, (ladder_reduction)unknown[i], values, NULL, LENGTH,
                              bins, 0),
                LADDER_UNKNOWN);
        refused(ladder_clear((ladder_operation)unknown[i], bins, BINS, 0), LADDER_UNKNOWN);
        refused(ladder_histogram(temporary, &bytes, (ladder_type)unknown[i], keys, LENGTH, NULL,
                                 bins, 16, 256, 0),
                LADDER_UNKNOWN);
        cr_expect_eq(ladder_bin_bytes((ladder_operation)unknown[i]), 0);
    }
    cr_expect_str_eq(ladder_status_text((ladder_status)77), "There is no such status.");
}

Test(arguments, sizes_beyond_their_limits)
{
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values, SIZE_MAX / 4 + 2, bins, BINS),
            LADDER_TOO_LARGE);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values, LENGTH, bins, 0), LADDER_TOO_LARGE);
    refused(call(temporary, ROOM, LADDER_SUM_U32, keys, values, LENGTH, bins, (size_t)1 << 31),
            LADDER_TOO_LARGE);
    refused(call(temporary, ROOM, LADDER_ARGMAX_U32, keys, values, (size_t)1 << 32, bins, BINS),
            LADDER_TOO_LARGE);
    refused(call(NULL, ROOM, LADDER_COUNT, keys, NULL, SIZE_MAX, bins, BINS), LADDER_TOO_LARGE);
    size_t bytes = ROOM;
    refused(ladder_reduce(temporary, &bytes, LADDER_SUM, values, NULL, SIZE_MAX, bins, 0),
            LADDER_TOO_LARGE);
    refused(ladder_histogram(temporary, &bytes, LADDER_U8, keys, LENGTH, NULL, bins, 32, 257, 0),
            LADDER_TOO_LARGE);
}

Test(arguments, tables_with_other_bins)
{
    int16_t table[256] = {0};
    size_t bytes = ROOM;
    const int16_t bad[] = {-2, 5, 255, INT16_MIN, INT16_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        table[255] = bad[i];
        refused(ladder_histogram(temporary, &bytes, LADDER_U8, keys, LENGTH, table, bins, 32, 5, 0),
                LADDER_BAD_TABLE);
    }
    refused(ladder_histogram(temporary, &bytes, LADDER_U32, keys, LENGTH, table, bins, 32, 5, 0),
            LADDER_BAD_TABLE);
}

Test(arguments, nothing_beside_the_memory_of_a_call_is_written)
{
    enum { BEFORE = 256, AT = 4096 };
    for (ladder_operation operation = LADDER_COUNT; operation <= LADDER_ARGMAX_U32; operation++) {
        const size_t bytes = BINS * ladder_bin_bytes(operation);
        size_t size = 0;
        set_up();
        cr_assert_eq(call(NULL, 0, (int)operation, keys, values, LENGTH, bins, BINS), LADDER_OK);
        cr_assert_eq(
            ladder_reduce_by_index(NULL, &size, operation, NULL, NULL, LENGTH, NULL, BINS, 0),
            LADDER_OK);
        cr_assert_eq(ladder_clear(operation, bins + AT, BINS, 0), LADDER_OK);
        cr_assert_eq(
            call(temporary + BEFORE, size, (int)operation, keys, values, LENGTH, bins + AT, BINS),
            LADDER_OK);
        cr_expect_eq(changed(bins, 0, AT), 0);
        cr_expect_eq(changed(bins, AT + bytes, ROOM), 0);
        cr_expect_eq(changed(temporary, 0, BEFORE), 0);
        cr_expect_eq(changed(temporary, BEFORE + size, ROOM), 0);
        cr_expect_eq(changed(keys, 0, ROOM) + changed(values, 0, ROOM), 0);
        cr_expect_eq(sim_error_count(), 0, "the checks have reported something");
    }
}
