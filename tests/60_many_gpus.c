/* 60_many_gpus.c - right, with shares for all devices, copies beside kernels, and one collective.
 *
 * The tests of tests/many.c catch here a split that loses the remainder, sums of 32 bits, a device that
 * nobody set, and a slot that is written while it is counted. */
#include "many/harness.h"

enum { SHORT = 1 << 14, GIB = 1 << 30, WORKERS = 4 };

/* Runs it once, right and without reports, on a text that it counts. */
static struct many_seen measure_on(unsigned int devices, size_t length, uint64_t seed)
{
    struct text text = text_of(TEXT_UNIFORM, seed, length);
    struct many_seen seen = many_measure(&text, devices);
    text_free(&text);
    return seen;
}

/* One collective, whatever the number of devices, which all join; its elements are counters of 64 bits.
 * Catches a collective for each bin or slice, one that adds up sums of 32 bits, bins that the host adds up
 * itself, and devices that meet in pairs. */
Test(chapter60, adds_up_with_one_collective)
{
    for (unsigned int devices = 2; devices <= MOST_UNITS; devices += 3) {
        struct many_seen seen = measure_on(devices, SHORT + 1, devices);
        expect_exactly(seen.collectives, "collectives", 1,
                       "on %u devices one ncclReduce adds up the sums of all; collectives",
                       devices);
        expect_exactly(seen.collective[0].members, "devices in the collective", devices,
                       "each device gives its sums to it; devices");
        expect_at_least(seen.collective[0].elements, "elements of a device", 1,
                        "each device gives its sums to it; elements");
        expect_exactly(seen.collective[0].bytes / seen.collective[0].elements,
                       "bytes of an element", sizeof(uint64_t),
                       "a sum has 64 bits, since 32 hold no more than 4 GiB of one letter; "
                       "bytes");
        expect_exactly(seen.collective[0].elements, "elements of a device", num_bins(),
                       "of each device it takes a sum for each bin; bins");
        unsigned int senders = 0;
        for (unsigned int i = 0; i < devices; i++)
            senders += seen.unit[i].to_host > 0;
        expect_at_most(senders, "devices whose sums were copied to the host", 1,
                       "the collective adds them up, and the host gets the total of one device; "
                       "devices");
        if (devices + 3 > MOST_UNITS)
            technique_is("1 collective of %s sums of 64 bits on each of %u devices",
                         grouped(num_bins()), devices);
        many_seen_free(&seen);
    }
}

/* Where the text of a device begins and ends; false when it comes in pieces, as slices dealt in turns do. */
static bool is_share(const struct many_seen *seen, unsigned int device, size_t *begin, size_t *end)
{
    *begin = *end = 0;
    for (size_t i = 0; i < seen->read_count; i++) {
        const struct many_read *read = &seen->reads[i];
        if (read->unit != device || read->begin == read->end)
            continue;
        if (*end > 0 && read->begin != *end)
            return false;
        *begin = *end > 0 ? *begin : read->begin;
        *end = read->end;
    }
    return true;
}

/* With a remainder of 3 on 8 devices. Catches a last share, or a first one, that has all of it. */
Test(chapter60, cuts_shares_that_differ_by_one_character)
{
    const struct many_case asked = {
        .what = "1,000,003 characters", .length = 1000003, .units = MOST_UNITS};
    struct many_seen seen = many_measure_case(&asked);
    size_t least = SIZE_MAX, most = 0, begin, end;
    for (unsigned int i = 0; i < asked.units; i++) {
        if (!is_share(&seen, i, &begin, &end))
            least = most = end = begin;
        least = end - begin < least ? end - begin : least;
        most = end - begin > most ? end - begin : most;
    }
    if (least > 0)
        expect_at_most(most - least, "characters are between the shortest and the longest share", 1,
                       "no two shares differ by more than one character: there may be");
    many_seen_free(&seen);
}

/* A device without a share joins like the others. Catches one that is left out, for which the others
 * would wait for ever; and one whose sums are what the call before has left. */
Test(chapter60, joins_with_an_empty_share)
{
    struct many_seen seen = measure_on(MOST_UNITS, 3, 3);
    expect_exactly(seen.collective[0].members, "devices in the collective", MOST_UNITS,
                   "of 3 characters most devices get none, and join with sums of 0; devices");
    many_seen_free(&seen);
}

/* The shares are alike. Catches a card that counts for all, and others that join for show. */
Test(chapter60, lets_every_device_count)
{
    const size_t length = (size_t)WORKERS << 18;
    struct many_seen seen = measure_on(WORKERS, length, 4);
    for (unsigned int i = 0; i < WORKERS; i++) {
        expect_at_least(seen.unit[i].launches, "kernels", 1,
                        "on device %u: each device counts its share; kernels", i);
        expect_at_least(seen.unit[i].copied, "bytes of the text", length / WORKERS / 2,
                        "copied to device %u: shares are alike, and this is half of one; bytes", i);
    }
    many_seen_free(&seen);
}

/* Most of a long text comes to a device while that counts what came before: from pinned memory, in a stream
 * that does not wait for the kernel. Catches one stream for both; copies from memory that is not pinned,
 * which the host waits for; one slot, which has to be counted before it is filled again; and a whole share
 * in one copy. */
static void expect_overlap(bool pinned)
{
    const struct many_case asked = {.what = pinned ? "1 GiB in pinned memory"
                                                   : "1 GiB in memory that is not pinned",
                                    .length = GIB,
                                    .units = 2,
                                    .pinned = pinned};
    struct many_seen seen = many_measure_case(&asked);
    for (unsigned int i = 0; i < asked.units; i++) {
        const struct many_unit *unit = &seen.unit[i];
        expect_exactly(unit->from_pageable, "bytes copied from memory that is not pinned", 0,
                       "of %s, to device %u: nothing runs beside such a copy; bytes", asked.what,
                       i);
        expect_at_least(unit->streams, "streams", 2,
                        "of device %u: what is in one stream comes one after the other; streams",
                        i);
        expect_at_least(unit->overlapped, "bytes that come beside a kernel", unit->copied / 2,
                        "of %s, to device %u: a slice is copied while the one before it is "
                        "counted; half of what is copied",
                        asked.what, i);
    }
    many_seen_free(&seen);
}

Test(chapter60, copies_while_it_counts)
{
    expect_overlap(true);
}

Test(chapter60, copies_while_it_counts_also_what_is_not_pinned)
{
    expect_overlap(false);
}

/* Slots that are used several times, and other schedules; and after a pinned text one that is not, for which
 * the slots of the call before lack a place to copy it to. Catches an event that nobody waits for. */
Test(chapter60, has_no_report_when_slots_are_used_again)
{
    struct text text = text_of(TEXT_ENGLISH, 5, ((size_t)9 << 16) + 1);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const struct many_case asked = {.what = "9 slices of 64 KiB and a character",
                                        .text = text.bytes,
                                        .length = text.length,
                                        .units = 2,
                                        .pinned = seed % 2 == 1,
                                        .seed = seed};
        expect_many_right(&asked);
    }
    text_free(&text);
}
