/* copies_and_passes.c - the model of "Compiling Generalized Histograms for GPU" (Henriksen, Hellfritzsch,
 * Sadayappan, Oancea, SC20) for the degree of its subhistograms and its passes, and the table that follows
 * from it: docs/results/sim/copies-and-passes.csv, which the lesson of chapter 29 quotes.
 *
 * The formulas are those of the paper's prototype (github.com/diku-dk/futhark-sc20, prototype), for its
 * RTX 2080 Ti and 50,000,000 elements. Its Eq. 4, as printed, divides by min(1, line / element) where the
 * prototype and Table I divide by line / element. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 1024,
    BLOCKS = 68,              /* one for each multiprocessor */
    THREADS = BLOCKS * BLOCK, /* that the card holds */
    ELEMENTS = 50000000,
    SHARED_BYTES = 48 * 1024,  /* of a block: 12 words for each thread */
    CACHE_BYTES = 5632 * 1024, /* L2 */
    LINE = 64,                 /* bytes of a line of it that are fetched together */
    LEAST_WORK = 2             /* elements of a thread that a word of a copy must be worth */
};

static const double OF_THE_CACHE = 0.4,
                    OF_THE_RACE = 0.75; /* found by experiment, says the paper */

/* How a bin is updated: what it and its lock take, and what of that is counted as an element. */
struct update {
    const char *name;
    size_t bin_bytes, element_bytes;
    double room; /* words that a thread may share with others: hardware needs half as many copies */
};

static const struct update updates[] = {
    {"hardware", 4, 4, 2}, {"cas", 4, 4, 1}, {"lock", 12, 6, 1}};

struct degree {
    size_t copies, passes;
};

static size_t at_least_one(size_t n)
{
    return n > 1 ? n : 1;
}

static struct degree in_shared(const struct update *update, size_t bins)
{
    const size_t fit = SHARED_BYTES / update->bin_bytes / bins;
    const size_t pays = ELEMENTS / (LEAST_WORK * BLOCKS * bins);
    struct degree degree;
    degree.copies = at_least_one(fit < pays ? fit : pays);
    if (degree.copies > BLOCK)
        degree.copies = BLOCK;
    const size_t of_a_pass = SHARED_BYTES / (update->bin_bytes * degree.copies);
    degree.passes = (bins + of_a_pass - 1) / of_a_pass;
    return degree;
}

/* By how much the cache seems larger when only some lines of the bins are used: Eq. 4. */
static double race_expansion(const struct update *update, double race_factor, bool as_printed)
{
    const double in_a_line = (double)LINE / (double)update->element_bytes;
    return fmax(1, OF_THE_RACE * race_factor / (as_printed ? fmin(1, in_a_line) : in_a_line));
}

static struct degree in_cache(const struct update *update, size_t bins, double race_factor,
                              bool as_printed)
{
    const double larger = race_expansion(update, race_factor, as_printed);
    const double held = OF_THE_CACHE * CACHE_BYTES * larger;
    const double least = THREADS / fmin(THREADS, (double)bins / 2);
    struct degree degree;
    degree.passes = (size_t)ceil((double)at_least_one((size_t)least) * (double)bins *
                                 (double)update->element_bytes / floor(held));
    const double of_a_pass = ceil((double)bins / (double)degree.passes);
    const double of_a_thread =
        fmin(OF_THE_CACHE * CACHE_BYTES / (double)update->bin_bytes * larger, ELEMENTS) / THREADS;
    const double together = fmin(THREADS, update->room * of_a_pass / of_a_thread);
    degree.copies = at_least_one((size_t)(THREADS / together));
    return degree;
}

/* Catches a formula that is not the one of the table, and a table that was typed. */
Test(copies_and_passes, follow_from_the_formulas)
{
    FILE *table = fopen("docs/results/sim/copies-and-passes.csv", "r");
    cr_assert_not_null(table, "docs/results/sim/copies-and-passes.csv cannot be read");
    char memory[16], name[16], factor[16], line[128];
    size_t bins, rows = 0;
    struct degree expected, degree;
    while (fgets(line, sizeof line, table)) {
        if (sscanf(line, "%15[^,],%15[^,],%15[^,],%zu,%zu,%zu", memory, name, factor, &bins,
                   &expected.copies, &expected.passes) != 6)
            continue; // the head
        const struct update *update = updates;
        while (strcmp(update->name, name) != 0)
            update++;
        double race_factor = 1;
        sscanf(factor, "%lf", &race_factor);
        degree = strcmp(memory, "shared") == 0 ? in_shared(update, bins)
                                               : in_cache(update, bins, race_factor, false);
        cr_expect(degree.copies == expected.copies && degree.passes == expected.passes,
                  "%s, %s, race factor %s, %zu bins: %zu copies and %zu passes, and the table has "
                  "%zu and %zu",
                  memory, name, factor, bins, degree.copies, degree.passes, expected.copies,
                  expected.passes);
        rows++;
    }
    fclose(table);
    cr_expect(rows == 66, "%zu rows", rows);
}

/* What the paper's own library did, as chapter 23 quotes: 396 copies of 31 bins in shared memory. And
 * three passes for 1,572,863 bins in the cache. Catches formulas of another model. */
Test(copies_and_passes, are_those_of_the_library)
{
    cr_expect(in_shared(&updates[0], 31).copies == 396);
    cr_expect(in_cache(&updates[0], 1572863, 1, false).passes == 3);
}

/* Eq. 4 as printed makes the cache of this card sixteen times as large for keys that are 63 apart, and
 * gives 17 copies of a table that does not fit once. */
Test(copies_and_passes, would_be_others_by_the_equation_as_printed)
{
    cr_expect(in_cache(&updates[1], 1572863, 63, true).copies == 17);
    cr_expect(in_cache(&updates[1], 1572863, 63, false).copies == 1);
}
