/* 32_byte_columns.c - right, and each thread counts in bytes of its own, without atomics and without
 * a conflict of banks.
 *
 * The edge cases of tests/histogram.c catch here columns that two threads share, a merge without a
 * barrier before or behind it, and rows that are not emptied. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 16 };

/* Catches a counter that begins again at 0, since it was not emptied before it held 256: each thread
 * counts as many characters of one letter as it can. */
Test(chapter32, holds_more_than_255_of_one_letter)
{
    const size_t lengths[] = {255, 256, 32640, 32641, 700001};
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct text text = text_of(TEXT_SINGLE, 1, lengths[i]);
        expect_right_once_at(text.name, text.bytes, text.length, 0);
        text_free(&text);
    }
}

/* Catches atomics in shared memory, and in global memory while the threads still read: what is left is
 * one atomic for each block and bin. */
Test(chapter32, counts_without_atomics)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_exactly(cost.shared.atomic.lanes, "shared atomics", 0,
                   "a byte that one thread alone counts in needs none");
    expect_exactly(cost.elsewhere.atomic.lanes, "global atomics elsewhere than on the final bins",
                   0, "a thread's counters lie in shared memory, and need none");
    expect_commits_once(&cost, "bins", num_bins());
    expect_at_least(cost.shared.store.lanes, "stores in shared memory", cost.counted,
                    "a thread stores its counter for each character that has a bin");
    text_free(&text);
}

/* The wavefronts of loads and stores between the loads of the text: as many as are needed when each
 * lane has a bank of its own, whatever the bins. Catches a row of 128 bytes in the order of the
 * threads, where four lanes share a bank's word but the order of the bins does not keep them apart, a
 * column of bytes that lie side by side, and the layout that was made for 16 banks. */
Test(chapter32, meets_in_no_bank_on_any_text)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_ENGLISH, TEXT_SINGLE, TEXT_ZIPF,
                                       TEXT_RUNS};
    uint64_t requests = 0;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_exactly(cost.reading.shared_conflicts, "wavefronts too many while counting", 0,
                       "lane l of a warp has bank l, so that no two lanes conflict: on %s",
                       text.name);
        requests += cost.shared.load.requests + cost.shared.store.requests;
        text_free(&text);
    }
    technique_is("no atomic and no conflict in %s requests to shared memory, on five texts",
                 grouped(requests));
}
