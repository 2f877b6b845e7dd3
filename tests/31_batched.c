/* 31_batched.c - right, and few blocks commit to a histogram: one for a short one, some for a long one.
 *
 * Operations: count float_sum argmax
 *
 * The batches of tests/reduce_by_index_batched.c catch here a part that begins at the wrong element, a
 * row that belongs to another histogram, bins that two teams share. */
#include "reduce_by_index/harness.h"

enum { BINS_OF_EACH = 31 };

/* A wrong kernel is told by the bins; what is left is how often elements are read. Catches blocks that
 * all walk over the whole batch, and parts that overlap. */
Test(chapter31, reads_each_element_once)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 1, 12, 5003, BINS_OF_EACH);
        struct measurement cost = measure_input(&input);
        expect_exactly(cost.most_read, "times an element is read at most", 1,
                       "%s: each belongs to one part, and a part to one team: there is",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* With `blocks` blocks for `batch` histograms each has blocks / batch of them, rounded up, and where a
 * block has several histograms each has one. A block may stand at the border of two, and belongs to
 * both: one more. Catches a grid-stride loop over the batch, whose blocks come to all histograms. */
static void expect_few_commit(const struct measurement *cost, size_t batch)
{
    const uint64_t each = (cost->blocks + batch - 1) / batch;
    expect_at_most(
        cost->most_committing, "blocks commit to the same histogram", each + 1,
        "%s blocks for %s histograms are %s for each, and one more where one stands at the "
        "border of two",
        grouped(cost->blocks), grouped(batch), grouped(each));
}

/* A block commits each of its bins once, with an atomic, or with a store for each of its words.
 * Catches updates of the bins in global memory for each element, by the right blocks though. */
static void expect_committed_once(const struct measurement *cost)
{
    const char *name = operation_name(operation_chosen());
    const uint64_t words = operation_bin_bytes(operation_chosen()) / sizeof(uint32_t);
    const uint64_t commits = cost->most_committing * cost->num_bins;
    expect_at_most(cost->bins.store.lanes + cost->bins.atomic.lanes - cost->bins.cas.lanes,
                   "atomics and stores on the bins", words * commits,
                   "%s: %s bins in all, each committed by at most %s blocks, a bin of %s words, "
                   "make",
                   name, grouped(cost->num_bins), grouped(cost->most_committing), grouped(words));
    expect_at_most(cost->bins.cas.lanes, "compare-and-swaps on the bins", 4 * commits,
                   "%s: where each commit is tried at most 4 times, there are 4 x %s", name,
                   grouped(commits));
}

/* Two long histograms: if each had one block, two of 132 multiprocessors would work. Catches one block
 * a histogram, however long. */
Test(chapter31, gives_a_long_histogram_several_blocks)
{
    enum { BATCH = 2, LENGTH = 1 << 15 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 1, BATCH, LENGTH, BINS_OF_EACH);
        struct measurement cost = measure_input(&input);
        expect_at_least(cost.reading_blocks, "blocks read elements", 2 * BATCH,
                        "%s: %s histograms of %s elements are long enough for 2 blocks each, which "
                        "makes",
                        operation_name(operation_chosen()), grouped(BATCH), grouped(LENGTH));
        expect_few_commit(&cost, BATCH);
        expect_committed_once(&cost);
        expect_threads_share(&reduce_by_index_contract, &cost);
        if (i == 0)
            technique_is("%s blocks commit to a histogram of %s elements, at most %s allowed",
                         grouped(cost.most_committing), grouped(LENGTH),
                         grouped(cost.blocks / BATCH + 1));
        input_free(&input);
    }
}

/* 1,024 short histograms: a block each would have more threads than elements. Catches one block a
 * histogram, however short, and several blocks for each. */
Test(chapter31, gives_a_block_many_short_histograms)
{
    enum { BATCH = 1024, LENGTH = 48 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 1, BATCH, LENGTH, BINS_OF_EACH);
        struct measurement cost = measure_input(&input);
        expect_at_most(cost.reading_blocks, "blocks read elements", BATCH / 2,
                       "%s: when a block has at least two of the %s histograms, there are %s / 2",
                       operation_name(operation_chosen()), grouped(BATCH), grouped(BATCH));
        expect_at_most(cost.most_committing, "blocks commit to the same histogram", 1,
                       "a histogram of %s elements is not cut, so there is", grouped(LENGTH));
        expect_committed_once(&cost);
        input_free(&input);
    }
}

/* 64 histograms of 1,000 elements: too many for one thread, and few for a block. Catches a team of whose threads
 * one does the work. */
Test(chapter31, shares_a_short_histogram_among_threads)
{
    enum { BATCH = 64, LENGTH = 1000 };
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_batched(KEYS_UNIFORM, 1, BATCH, LENGTH, BINS_OF_EACH);
        struct measurement cost = measure_input(&input);
        expect_threads_share(&reduce_by_index_contract, &cost);
        input_free(&input);
    }
}

/* 32 histograms give one multiprocessor enough to do, however long they are. Catches parts that do not
 * know of the other histograms: their bins are committed for nothing. */
Test(chapter31, cuts_none_of_many_histograms)
{
    enum { BATCH = 32, LENGTH = 3 * 4096 };
    operation_choose(0);
    struct input input = input_batched(KEYS_UNIFORM, 2, BATCH, LENGTH, BINS_OF_EACH);
    set_multiprocessors(1);
    struct measurement cost = measure_input(&input);
    expect_at_most(cost.most_committing, "blocks commit to the same histogram", 2,
                   "%s histograms are more than one multiprocessor has blocks at once, and none is "
                   "cut; where a block stands at the border of two, there are",
                   grouped(BATCH));
    input_free(&input);
}

/* The model alone, for batches that take minutes here, on devices of 1 to 264 multiprocessors with eight blocks
 * each. As many parts as give all of them work may be rounded either way, and to a power of two. Catches parts
 * that are shorter than the bins they are committed to; a rule for short histograms that cuts long ones, too;
 * numbers of 32 bits. */
Test(chapter31, cuts_histograms_of_any_size_by_its_model)
{
    const size_t lengths[] = {1, 4095, 100000, 1 << 24, UINT32_MAX};
    const size_t batches[] = {1, 3, 700, 5000};
    const size_t bins[] = {5, 505, 58113};
    const size_t blocks[] = {8, 1056, 2112};
    enum { LONG = 1 << 16, CASES = 5 * 4 * 3 * 3 };
    operation_choose(0);
    for (size_t i = 0; i < CASES; i++) {
        const size_t length = lengths[i % 5], batch = batches[i / 5 % 4], at_once = blocks[i / 60];
        const size_t num_bins = bins[i / 20 % 3];
        struct model model = {MODEL_PARTS,
                              0,
                              {(double)length, (double)batch, (double)num_bins, (double)at_once},
                              {0}};
        ask_model(&reduce_by_index_contract, &model);
        if (!model.is_there)
            return;
        const uint64_t parts = (uint64_t)model.answers[0];
        const size_t needed = at_once / batch, shortest = num_bins > LONG ? num_bins : LONG;
        expect_that(parts >= 1, "parts_for(%s, %s, %s, %s) says that a histogram has no part",
                    grouped(length), grouped(batch), grouped(num_bins), grouped(at_once));
        expect_that(parts == 1 || length / parts >= num_bins,
                    "parts_for() cuts %s elements into %s parts, each shorter than its %s bins: to "
                    "commit them takes longer than to read the part",
                    grouped(length), grouped(parts), grouped(num_bins));
        expect_that(parts == 1 || (parts - 1) * batch < 2 * at_once,
                    "parts_for() cuts each of %s histograms into %s parts, where the device has %s "
                    "blocks at once: their bins are committed for nothing",
                    grouped(batch), grouped(parts), grouped(at_once));
        expect_that(parts >= needed || length / (parts + 1) < shortest,
                    "parts_for() cuts each of %s histograms of %s elements and %s bins into %s: "
                    "the device has %s blocks at once, and some of them have no work",
                    grouped(batch), grouped(length), grouped(num_bins), grouped(parts),
                    grouped(at_once));
    }
}
