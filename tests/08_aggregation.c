/* 08_aggregation.c - right, and a thread needs one atomic for a run of equal bins.
 *
 * The edge cases of tests/histogram.c catch here a last run that is lost, a run that ends with a
 * character that is not counted, a run that begins with one. */
#include "histogram/harness.h"

#include <string.h>

enum { LENGTH = 1 << 16 };

/* Long enough for four characters a thread on the largest useful grid: a GPU of 132
 * multiprocessors holds 132 x 2,048 = 270,336 threads, and 2^20 / 270,336 > 3. */
enum { LONG = 1 << 20 };

/* What the threads add in the main loop and after it, wherever the block's bins lie; the
 * commit to the final bins is not in it. */
static uint64_t atomics(const struct measurement *cost)
{
    return cost->shared.atomic.lanes + cost->elsewhere.atomic.lanes;
}

static void expect_right_on_words(const char *words)
{
    expect_right_on(words, (const unsigned char *)words, strlen(words));
}

/* Catches an addition to bin -1 when the text begins with a character that is not counted, a
 * run that goes on over such characters or is dropped by them, a run that ends the text. */
Test(chapter08, is_right_where_runs_begin_and_end)
{
    expect_right_on_words(",aaa");
    expect_right_on_words("aaa,");
    expect_right_on_words(",,,,");
    expect_right_on_words("aaa,aaa");
    expect_right_on_words("aaa,bbb,zzz,,,z");
    expect_right_on_words("a");
    expect_right_on_words("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz,");
}

/* Runs whose ends fall before, on and after the ends of what a thread reads. */
Test(chapter08, is_right_on_runs_of_every_length)
{
    for (size_t run_length = 1; run_length <= 40; run_length += run_length < 18 ? 1 : 7) {
        struct text text = text_of_runs(run_length, run_length, 9001);
        expect_right_on(text.name, text.bytes, text.length);
        text_free(&text);
    }
}

/* Longer than the solution's largest grid reads with one chunk a thread, so that threads go on to a
 * second chunk, and the text ends within one. Catches a loop over chunks that ends after the first,
 * and runs that are lost between two chunks of a thread. */
Test(chapter08, is_right_when_threads_go_on_to_another_chunk)
{
    struct text text = text_of(TEXT_ENGLISH, 8, 4 * LONG + 12345);
    expect_right_untold_at(text.name, text.bytes, text.length, 0);
    text_free(&text);
}

/* One atomic for one run: at most as many atomics as there are runs in what the threads read,
 * each in its own order. Uniform text has hardly any run to gain from, and must still be
 * right, at the price of one atomic for nearly each character. Catches counting without
 * aggregation, and an atomic for each character that only adds nothing. */
Test(chapter08, makes_at_most_one_atomic_for_a_run)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_ENGLISH, TEXT_RUNS, TEXT_SINGLE};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_at_most(atomics(&cost), "atomics before the commit", cost.reading.runs,
                       "in %s text the threads read %s characters in so many runs, and a run needs "
                       "one atomic",
                       text_kind_name(contents[i]), grouped(cost.counted));
        text_free(&text);
    }
}

/* A run is of use only to a thread that reads neighbors. In runs of 32 characters a thread that
 * reads at least 4 in a row meets at most counted / 4 runs, so there are at most as many
 * atomics. Catches aggregation over characters that lie a whole grid apart, whose neighbors in
 * the text never meet, and votes, which aggregate over the lanes instead. */
Test(chapter08, needs_fewer_atomics_on_runs)
{
    struct text uniform = text_of(TEXT_UNIFORM, 1, LONG), runs = text_of_runs(32, 1, LONG);
    struct measurement before = measure(&uniform), cost = measure(&runs);
    const bool strides = cost.reading.jump + 1 == cost.threads;
    expect_that(cost.reading.runs <= cost.counted / 4 ||
                    cost.reading.jumps < cost.text.load.lanes / 2,
                "your thread's next character lies %s%s characters on, in another run: it never "
                "sees a run of the text, and the threads made %s atomics for %s characters in runs "
                "of 32; let each thread read neighbors",
                strides ? "a grid away, " : "", grouped(cost.reading.jump + 1),
                grouped(atomics(&cost)), grouped(cost.counted));
    expect_at_most(cost.reading.runs, "runs in what the threads read", cost.counted / 4,
                   "the text has runs of 32, and a thread that reads 4 neighbors or more has at "
                   "most %s / 4",
                   grouped(cost.counted));
    expect_at_most(atomics(&cost), "atomics before the commit", cost.counted / 4,
                   "with one for each run of at least 4 characters there are at most %s / 4",
                   grouped(cost.counted));
    expect_at_least(atomics(&before), "atomics before the commit", before.reading.runs / 2,
                    "in uniform text the threads read %s runs, and each is added when it ends; for "
                    "threads with few neighbors this may be half of them",
                    grouped(before.reading.runs));
    technique_is("%s atomics on runs of 32 characters, %s on uniform text", grouped(atomics(&cost)),
                 grouped(atomics(&before)));
    text_free(&uniform);
    text_free(&runs);
}

/* The longer the runs, the fewer atomics. A thread that reads only 4 neighbors needs two for
 * runs of 2, or a few less where two runs have the same bin, and one for runs of 16: about a
 * half, so at most two thirds. Catches aggregation that ends a run for another reason than its
 * end. */
Test(chapter08, needs_the_fewer_atomics_the_longer_the_runs)
{
    struct text shorter = text_of_runs(2, 1, LONG), longer = text_of_runs(16, 1, LONG);
    struct measurement with_2 = measure(&shorter), with_16 = measure(&longer);
    expect_at_most(atomics(&with_16), "atomics before the commit on runs of 16",
                   atomics(&with_2) * 2 / 3,
                   "they fall with the length of the runs, and runs of 2 need %s; at most two "
                   "thirds",
                   grouped(atomics(&with_2)));
    text_free(&shorter);
    text_free(&longer);
}

/* The block's bins are committed as in chapter 6: at most blocks x bins global atomics, and
 * none in the main loop. Catches aggregation straight into the final bins, and into a
 * row of shared memory for each thread. */
Test(chapter08, touches_the_final_bins_only_to_commit)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_commits_once(&cost, "bins", num_bins());
    expect_exactly(
        cost.reading.counter_loads, "wavefronts of loads of shared counters in the main loop", 0,
        "a run is counted in a register, and added to the block's bins by an atomic; nobody "
        "loads these before all have counted, so there are");
    text_free(&text);
}
