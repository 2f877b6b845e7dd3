/* 46_at_the_roofline.c - right, and nothing is paid for but reading: each value once, 16 sectors a
 * request, one launch, few atomics, and no block for which there is nothing to read.
 *
 * Operations: sum max float_sum dot
 *
 * The edge cases of tests/reduce.c catch here a head that is longer than the array, a tail that is lost or
 * taken twice, words that reach over either end; and sets_the_result_whatever_it_held catches what a call
 * leaves for the next one: a ticket, a sum. */
#include "reduce/harness.h"

enum { LENGTH = 1 << 16, SHORT = 1 << 14, REQUEST = 512, WORD = 16, MANY = 132, FEW = 8 };
/* Bytes that a thread may have in flight, and that a multiprocessor needs: chapter 10. */
enum { IN_FLIGHT = 4 * WORD, LEAST_IN_FLIGHT = 12000 };

/* Every byte of the values that is read in full requests of 32 lanes x 16 bytes; the rest are a head, a
 * tail, and warps that are not full at the end of the array, or of a block's part. */
static void expect_full_requests(const struct measurement *cost, const char *where)
{
    const uint64_t bytes = cost->length * operation_bin_bytes(operation_chosen());
    expect_at_least(cost->full_requests * REQUEST, "bytes read in requests of 16 sectors",
                    bytes - bytes / 8,
                    "%s: values that begin %s are read 32 lanes x 16 bytes at a time, but for the "
                    "ends, an eighth at most: %s - %s / 8",
                    operation_name(operation_chosen()), where, grouped(bytes), grouped(bytes));
}

/* Catches reading value by value, and wide loads of threads that have a section each: full requests are
 * those whose lanes lie side by side. Some threads have more than one turn. */
Test(chapter46, reads_16_sectors_a_request)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(2);
        struct input input = input_of_values(VALUES_SMALL, 1, LENGTH);
        struct measurement cost = measure_input(&input);
        expect_full_requests(&cost, "at a multiple of 16");
        expect_at_most(cost.values.load.sectors, "sectors loaded",
                       cost.length * operation_bin_bytes(operation_chosen()) / 32 +
                           cost.values.load.requests,
                       "%s: a request of 512 bytes has 16 sectors, or 17 where it begins in the "
                       "middle of one",
                       operation_name(operation_chosen()));
        if (i == 0)
            technique_is("%s load requests for %s values, %.2f sectors each, in %s launch",
                         grouped(cost.values.load.requests), grouped(cost.length),
                         (double)cost.values.load.sectors / (double)cost.values.load.requests,
                         grouped(cost.launches));
        input_free(&input);
    }
}

/* Catches a kernel that loads wide only where the array happens to be aligned. */
Test(chapter46, reads_16_sectors_a_request_wherever_the_values_begin)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(2);
        struct input input = input_of_values(VALUES_SMALL, 2, LENGTH);
        input.misalignment = 1;
        struct measurement cost = measure_input(&input);
        expect_full_requests(&cost, "one value after a multiple of 16");
        input_free(&input);
    }
}

/* Catches an array that is read twice: to find a largest value first, or by overlapping words. */
Test(chapter46, reads_each_value_once)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 3, LENGTH + 3);
        input.misalignment = 1;
        struct measurement cost = measure_input(&input);
        expect_exactly(cost.least_read, "times that the value is read that is read least", 1,
                       "%s: each value is read once", operation_name(operation_chosen()));
        expect_exactly(cost.most_read, "times that the value is read that is read most", 1,
                       "%s: each value is read once", operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* Catches two launches, and one that only clears, as a memset does; and memory for each call. */
Test(chapter46, launches_one_kernel)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 4, LENGTH);
        struct measurement cost = measure_input(&input);
        expect_exactly(
            cost.launches, "launches", 1,
            "%s: the last block finishes, and what it needs is there from the call before",
            operation_name(operation_chosen()));
        expect_exactly(cost.cooperative_launches, "cooperative launches", 0,
                       "%s: no block has to wait for another", operation_name(operation_chosen()));
        expect_exactly(cost.copies.to_device, "memsets and copies to the device", 0,
                       "%s: the last block of a call leaves 0 for the next one; memsets",
                       operation_name(operation_chosen()));
        expect_exactly(cost.allocated, "bytes allocated for the call", 0,
                       "%s: there is memory from the start of the program on; bytes",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* A block hands in one value, with one ticket. Of partial results there is one for each block, and what
 * is left for the next call is another store or two. A compare-and-swap may have to be tried again, and is
 * not counted. Catches an atomic for each warp or thread. */
Test(chapter46, hands_in_once_a_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(FEW);
        struct input input = input_of_values(VALUES_SMALL, 5, LENGTH);
        struct measurement cost = measure_input(&input);
        const uint64_t atomics = cost.result.atomic.lanes - cost.result.cas.lanes +
                                 cost.elsewhere.atomic.lanes - cost.elsewhere.cas.lanes;
        expect_at_most(
            atomics, "atomics in global memory", cost.blocks + 1,
            "%s: each of %s blocks hands in once, and one may be needed to leave nothing "
            "for the next call",
            operation_name(operation_chosen()), grouped(cost.blocks));
        const uint64_t words = operation_bin_bytes(operation_chosen()) / 4;
        expect_at_most(
            cost.elsewhere.store.lanes, "stores beside the result", cost.blocks * words + 2,
            "%s: each of %s blocks may store its value, %s words of 4 bytes, and the last "
            "leaves a ticket and a sum for the next call",
            operation_name(operation_chosen()), grouped(cost.blocks), grouped(words));
        input_free(&input);
    }
}

/* On one multiprocessor a long array: the blocks stay for all of it. Catches a grid that grows with the array, so
 * that each block pays for its beginning and its end. A process has one number of multiprocessors, as on a card: a
 * kernel may ask for it once. */
Test(chapter46, has_no_more_blocks_than_the_device_holds)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 6, 2 * LENGTH);
        set_multiprocessors(1);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.blocks, "blocks", cost.resident,
                       "%s: on one multiprocessor so many are resident, and they stay for the "
                       "whole array",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* On eight multiprocessors each has a block. Catches a grid that does not know the device. */
Test(chapter46, has_as_many_blocks_as_the_device_holds)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 6, 2 * LENGTH);
        set_multiprocessors(FEW);
        struct measurement cost = measure_input(&input);
        expect_threads_share(&reduce_contract, &cost);
        const uint64_t at_once = cost.blocks < cost.resident ? cost.blocks : cost.resident;
        expect_at_least(at_once / FEW * cost.threads_per_block * IN_FLIGHT,
                        "bytes in flight on a multiprocessor", LEAST_IN_FLIGHT,
                        "%s: with four loads of 16 bytes each its threads keep enough of them on "
                        "their way, chapter 10 says",
                        operation_name(operation_chosen()));
        expect_at_least(cost.reading_blocks, "blocks that read", FEW,
                        "%s: each of %s multiprocessors reads, or it is idle",
                        operation_name(operation_chosen()), grouped(FEW));
        input_free(&input);
    }
}

/* A short array on a large device. Catches a grid that always fills it: a block with nothing to read
 * costs its launch, its barriers and its ticket. */
Test(chapter46, begins_no_block_with_nothing_to_read)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        set_multiprocessors(MANY);
        struct input input = input_of_values(VALUES_SMALL, 7, SHORT);
        struct measurement cost = measure_input(&input);
        const uint64_t words = SHORT * operation_bin_bytes(operation_chosen()) / WORD;
        expect_at_most(cost.threads, "threads", words + cost.threads_per_block,
                       "%s: %s values are %s words of 16 bytes, and each thread loads one, but in "
                       "one block of %s",
                       operation_name(operation_chosen()), grouped(SHORT), grouped(words),
                       grouped(cost.threads_per_block));
        input_free(&input);
    }
}
