/* further/01_sequential.c - counts aside, and adds to the bins when all of the text has been read.
 *
 * A chapter without a kernel has no accesses that are counted. But when the bins lie in the text,
 * whoever writes one too early changes what is still to be read. */
#include "histogram/harness.h"

#include <string.h>

/* Letters, the bins, letters. All bytes of the bins are letters, too, so that an addition to any
 * of them makes another character of one at least. Catches the loop of the chapter, from either
 * end, and a table that is added to the bins now and then. */
Test(further01, reads_the_whole_text_before_it_writes_a_bin)
{
    enum { BEFORE = 400, MOST = 2 * BEFORE + MOST_BINS * sizeof(unsigned int) };
    const size_t bytes = num_bins() * sizeof(unsigned int), length = 2 * BEFORE + bytes;
    unsigned char letters[MOST];
    unsigned int bins[MOST_BINS] = {0}, expected[MOST_BINS], held;
    memset(letters, 'a', length);
    memset(&held, 'a', sizeof held);
    verify_count(letters, length, expected);
    struct job job = job_on_text(length);
    job.input_bytes = length;
    job.output_inside = 1 + BEFORE;
    job_run(&job, "a text in which the bins lie", letters, bins);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        expect_that(bins[bin] - held == expected[bin],
                    "the bins lay in the middle of the text, and %s was added to bin %u, expected "
                    "%s: a bin was written before the whole text had been read",
                    grouped(bins[bin] - held), bin, grouped(expected[bin]));
    technique_is("all %s characters are read before a bin is written", grouped(length));
}
