/* 40_shared_tree.c - right, and each block reduces its values by a tree in shared memory.
 *
 * Operations: sum max float_sum dot
 *
 * The edge cases of tests/reduce.c catch here a thread without a value that brings none, a half that
 * drops an odd one, and results of blocks that are written where others are still read. */
#include "reduce/harness.h"

enum { LENGTH = 1 << 14, WARP = 32, MOST_OF_A_THREAD = 8 };

/* What a tree needs whose leaves are the values of so many threads. Each step halves what is left, and
 * one more takes it where the number is odd. */
struct tree {
    uint64_t steps; /* ceil(log2 threads) */
    uint64_t warps; /* that combine, summed over the steps: as few as hold the threads that do */
};

static struct tree tree_of(uint64_t threads)
{
    struct tree tree = {0, 0};
    for (uint64_t left = threads; left > 1; left = (left + 1) / 2) {
        tree.steps++;
        tree.warps += (left / 2 + WARP - 1) / WARP;
    }
    return tree;
}

/* The most threads that a block has in one of the launches. */
static uint64_t threads_in(const struct measurement *cost)
{
    const uint64_t last =
        (uint64_t)cost->shape.block[0] * cost->shape.block[1] * cost->shape.block[2];
    return last > cost->threads_per_block ? last : cost->threads_per_block;
}

static uint64_t words(void)
{
    return operation_bin_bytes(operation_chosen()) / 4;
}

/* A value that another thread has combined is read from shared memory. A block combines the values of
 * its threads into one, so all threads but one are read, once. Catches the shuffles of chapter 41,
 * atomics in shared memory, and a thread that reads all values itself. */
static void expect_combined_in_shared_memory(const struct measurement *cost)
{
    expect_at_most(cost->most_by_thread, "values that one thread reads", MOST_OF_A_THREAD,
                   "%s: a thread may combine a few in a register first, and no more: what is "
                   "left to the tree is the work",
                   operation_name(operation_chosen()));
    const uint64_t leaves = cost->threads < LENGTH ? cost->threads : LENGTH;
    expect_at_least(cost->shared.load.lanes, "loads from shared memory", leaves - cost->blocks,
                    "%s: the trees of %s blocks have %s leaves, and all but one of each are read "
                    "where another thread has left them: %s - %s",
                    operation_name(operation_chosen()), grouped(cost->blocks), grouped(leaves),
                    grouped(leaves), grouped(cost->blocks));
    if (operation_turn(operation_chosen()) == 0)
        technique_is("barriers in a block of %s threads: %s, at most ceil(log2 %s) + 1 = %s%s",
                     grouped(threads_in(cost)), grouped(cost->most_barriers),
                     grouped(threads_in(cost)), grouped(tree_of(threads_in(cost)).steps + 1),
                     words() > 1 ? "" : "; and no bank conflicts");
}

/* Lanes whose words are neighbors meet in no bank. Only with values of one word: a compiler may take a
 * pair in two halves, and then every other bank is left out, whatever the kernel does. Catches pairs
 * that lie next to each other, combined by the first threads: thread t at word 2 x stride x t. */
static void expect_no_bank_conflicts(const struct measurement *cost)
{
    if (words() > 1)
        return;
    expect_exactly(cost->conflicts, "bank conflicts", 0,
                   "%s: lanes that are neighbors combine values that are neighbors, and 32 "
                   "neighboring words lie in 32 banks; conflicts",
                   operation_name(operation_chosen()));
}

Test(chapter40, has_no_bank_conflicts)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 1, LENGTH);
        const struct measurement cost = measure_input(&input);
        expect_combined_in_shared_memory(&cost);
        expect_no_bank_conflicts(&cost);
        input_free(&input);
    }
}

/* So many values that the results of the blocks take several blocks again. Catches results that are
 * stored where others are still read: a single array for those of all launches. */
Test(chapter40, is_right_on_results_of_results)
{
    enum { MOST = 1 << 17 };
    operation_choose(0);
    struct input input = input_of_values(VALUES_SMALL, 6, LENGTH);
    const struct measurement cost = measure_input(&input);
    const uint64_t threads = threads_in(&cost), length = threads * threads + threads + 1;
    input_free(&input);
    input = input_of_values(VALUES_SMALL, 6, length < MOST ? length : MOST);
    expect_right_once_on(&input);
    input_free(&input);
}

/* Each thread brings its value, and may store neutral() before: two requests for each warp. A step has
 * so many warps at work as hold the threads that combine, and each of them loads twice and stores once.
 * One warp reads what is left. A value of two words may take two requests. Catches every second thread
 * of all warps at work, then every fourth: nobody meets in a bank, and all warps go through five steps
 * that one of them would do; and one thread that goes through all values. */
static void expect_whole_warps(const struct measurement *cost)
{
    const uint64_t threads = threads_in(cost), warps = (threads + WARP - 1) / WARP;
    const uint64_t a_block = 2 * warps + 3 * tree_of(threads).warps + 1;
    expect_at_most(
        cost->shared.load.requests + cost->shared.store.requests, "requests to shared memory",
        cost->counters.blocks * a_block * words(),
        "%s: in a block of %s threads %s warps store, twice at most, %s combine with two loads "
        "and a store each, one loads: blocks x %s x words of a value = %s x %s x %s",
        operation_name(operation_chosen()), grouped(threads), grouped(warps),
        grouped(tree_of(threads).warps), grouped(a_block), grouped(cost->counters.blocks),
        grouped(a_block), grouped(words()));
}

/* A value is read once, by a warp together with its neighbors, and a block leaves one result. Whoever
 * keeps to that has combined the values of its threads in the block. Catches a tree for show, beside
 * a thread that does the work. */
static void expect_one_result_a_block(const struct measurement *cost)
{
    expect_at_most(cost->most_read, "reads of one value", words(),
                   "%s: each of the values comes into one tree, read in as many parts as it "
                   "has words at most; words",
                   operation_name(operation_chosen()));
    expect_at_most(cost->elsewhere.store.lanes + cost->result.store.lanes,
                   "stores to global memory", cost->counters.blocks * words(),
                   "%s: a tree leaves one value: blocks x words of a value = %s x %s",
                   operation_name(operation_chosen()), grouped(cost->counters.blocks),
                   grouped(words()));
    expect_at_least(cost->threads, "threads that read values", LENGTH / 64,
                    "%s: a tree has a leaf for each thread, and %s values are worth many: "
                    "%s / 64",
                    operation_name(operation_chosen()), grouped(LENGTH), grouped(LENGTH));
}

/* A step reads what the one before has left, so there is a barrier between any two, one before the
 * first of them, and none is needed after the last: its thread stores the result itself, or there is
 * one, and another thread does. With ceil(log2 threads) steps that makes one more at most. Catches two
 * barriers in each step, and steps that do not halve what is left. */
static void expect_few_barriers(const struct measurement *cost)
{
    const uint64_t threads = threads_in(cost), steps = tree_of(threads).steps;
    expect_at_most(cost->most_barriers, "barriers in a block", steps + 1,
                   "%s: each step of the tree halves what is left of %s values, and takes one, "
                   "and one more may stand before or after them: ceil(log2 %s) + 1",
                   operation_name(operation_chosen()), grouped(threads), grouped(threads));
}

Test(chapter40, keeps_warps_whole)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 4, LENGTH);
        const struct measurement cost = measure_input(&input);
        expect_whole_warps(&cost);
        expect_one_result_a_block(&cost);
        expect_few_barriers(&cost);
        input_free(&input);
    }
}
