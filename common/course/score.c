/* score.c - the counters of your kernels beside the reference's and your earlier best.
 *
 * All are counted on the same text, with the same schedule, so that a score can be compared; no
 * clock decides. The reference is the one in solutions/, or where there is none its row in
 * docs/results/sim. A best is kept of a kernel that is solved, beside it, in best.csv. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <string.h>

#include "commands.h"
#include "costs.h"
#include "csv.h"
#include "grouped.h"
#include "predictions.h"
#include "student.h"
#include "util.h"

#define GLOBAL(what, op) "l1tex__t_" what "_pipe_lsu_mem_global_op_" op ".sum"
#define SHARED(what) SHARED_OF(what, "ld") " + " SHARED_OF(what, "st") " + " SHARED_OF(what, "atom")
#define SHARED_OF(what, op) "l1tex__data_" what "_mem_shared_op_" op ".sum"

/* What is compared: sums of columns of a row. */
enum { LINES = 22 };
static const struct {
    const char *label, *sum;
} lines[LINES] = {
    {"load requests", GLOBAL("requests", "ld")},
    {"load sectors", GLOBAL("sectors", "ld")},
    {"other sectors",
     GLOBAL("sectors", "st") " + " GLOBAL("sectors", "red") " + " GLOBAL("sectors", "atom")},
    {"global atomics", "global_atomics"},
    {"on the final bins", "atomics_on_bins"},
    {"shared atomics", "shared_atomics"},
    {"shared wavefronts", SHARED("pipe_lsu_wavefronts")},
    {"bank conflicts", SHARED("bank_conflicts_pipe_lsu")},
    {"attempts", "attempts"}, /* of chapters that reduce by key */
    {"locks", "locks"},
    {"passes", "passes"},
    {"copies", "copies"},
    {"on the result", "atomics_on_result"}, /* of chapters that reduce an array, as are passes */
    {"launches", "launches"},
    {"barriers a block", "barriers_a_block"},
    {"shared words", "shared_words"},
    {"shuffles", "shuffles"},
    {"waits of the grid", "grid_barriers"},
    {"bytes copied", "copied_bytes"}, /* of chapters on several devices, as are launches */
    {"to one device", "most_copied_bytes"},
    {"collectives", "collectives"},
    {"bytes of each", "collective_bytes"},
};

struct tally {
    double value[LINES]; /* NAN: not known, or not of this contract */
};

struct league {
    const char *build;
    struct course course;
};

/* The three that are compared, of one chapter. */
struct entry {
    struct tally yours, reference, best;
    struct workload on;
    const char *from; /* where the reference was counted */
};

static struct tally tally_of_nothing(void)
{
    struct tally tally;
    for (size_t i = 0; i < LINES; i++)
        tally.value[i] = NAN;
    return tally;
}

/* Of a file that has a row for each chapter, docs/results/sim/english-5.csv. Returns false when
 * there is none. */
static bool tally_read(const char *file, unsigned int chapter, struct tally *tally)
{
    static struct csv rows;
    bool found = false;
    if (!csv_open(&rows, file))
        return false;
    while (!found && csv_next(&rows)) {
        const char *number = csv_find(&rows, "chapter");
        found = number && number_of(number) == chapter;
    }
    for (size_t i = 0; found && i < LINES; i++)
        if (!expression_value(lines[i].sum, csv_value, &rows, &tally->value[i]))
            tally->value[i] = NAN;
    csv_close(&rows);
    return found;
}

/* The best of a student, for a number of bins, or of values: the lowest of each counter. best.csv
 * has rows "5,load requests,32768". Without that, nothing is known. */
static struct tally tally_best(const char *file, unsigned int bins)
{
    static struct csv kept;
    struct tally best = tally_of_nothing();
    if (!csv_open(&kept, file))
        return best;
    while (csv_next(&kept)) {
        const char *number = csv_find(&kept, "bins"), *counter = csv_find(&kept, "counter");
        double value;
        for (size_t i = 0; number && counter && i < LINES; i++)
            if (number_of(number) == bins && strcmp(counter, lines[i].label) == 0 &&
                csv_value(&kept, "best", &value))
                best.value[i] = value;
    }
    csv_close(&kept);
    return best;
}

/* Takes what is lower, and keeps it; rows for other numbers stay. Returns false, with errno, when it cannot be kept. */
static bool tally_keep(const char *file, unsigned int bins, const struct tally *tally)
{
    static struct csv kept;
    const struct tally best = tally_best(file, bins);
    const char *text = "bins,counter,best\n";
    if (csv_open(&kept, file)) {
        while (csv_next(&kept))
            if (number_of(csv_text(&kept, "bins")) != bins)
                text = format("%s%s,%s,%s\n", text, csv_text(&kept, "bins"),
                              csv_text(&kept, "counter"), csv_text(&kept, "best"));
        csv_close(&kept);
    }
    for (size_t i = 0; i < LINES; i++) {
        const double least = fmin(best.value[i], tally->value[i]); /* of NAN the other */
        if (!isnan(least))
            text = format("%s%u,%s,%.10g\n", text, bins, lines[i].label, least);
    }
    return replace_file(file, text, strlen(text));
}

static bool tally_count(const struct kernel *kernel, const struct workload *on, struct tally *tally,
                        const char **why)
{
    const char *row = count_row(kernel, on, why);
    return row && tally_read(row, kernel->chapter.number, tally);
}

static const char *shown(double value)
{
    return isnan(value)            ? "-"
           : value == floor(value) ? grouped((unsigned long long)value)
                                   : format("%.2f", value);
}

/* That of solutions/, else that of docs/results. */
static void find_reference(const struct league *league, const struct chapter *chapter,
                           struct entry *entry)
{
    const char *why;
    const struct kernel kernel = {league->build, chapter_at(chapter->solution)};
    entry->from = chapter->solution;
    if (exists(entry->from) && tally_count(&kernel, &entry->on, &entry->reference, &why))
        return;
    entry->from = format("docs/results/sim/english-%u.csv", league->course.bins);
    if (!entry->on.operation[0] && tally_read(entry->from, chapter->number, &entry->reference))
        return;
    entry->reference = tally_of_nothing();
    entry->from = "there is none";
}

/* Counts a chapter, and keeps what is best. Returns NULL, or why there is no score. */
static const char *count(const struct league *league, const struct progress *progress,
                         struct entry *entry)
{
    const char *why = NULL, *file = progress->chapter.file, *kept = beside(file, "best.csv");
    const struct kernel yours = {league->build, progress->chapter};
    entry->on = workload_of(&yours.chapter);
    if (!entry->on.operation[0])
        entry->on.bins = league->course.bins;
    if (progress->chapter.contract.in_c)
        return "it runs on the CPU, where nothing is counted";
    if (progress->state == STATE_MISSING)
        return progress->error;
    if (progress->state == STATE_UNTOUCHED || progress->empty > 0)
        return "its gaps are not all filled in";
    entry->best = tally_best(kept, entry->on.bins);
    if (!tally_count(&yours, &entry->on, &entry->yours, &why))
        return why;
    find_reference(league, &yours.chapter, entry);
    if (progress->state == STATE_SOLVED && !tally_keep(kept, entry->on.bins, &entry->yours))
        fprintf(stderr, "%s: your best cannot be kept beside it: %s\n", file, strerror(errno));
    return NULL;
}

static void print_entry(const struct progress *progress, const struct entry *entry)
{
    printf("%-20s%14s%14s%14s\n", "", "yours", "reference", "earlier best");
    for (size_t i = 0; i < LINES; i++) {
        double yours = entry->yours.value[i], best = entry->best.value[i];
        if (isnan(yours))
            continue; /* not of this contract */
        printf("%-20s%14s%14s%14s%s\n", lines[i].label, shown(yours),
               shown(entry->reference.value[i]), shown(best),
               yours < best && progress->state == STATE_SOLVED ? "  new best" : "");
    }
}

/* All counters of one chapter. Returns the status. */
static int score_one(const struct league *league, const struct progress *progress)
{
    struct entry entry;
    const struct chapter *chapter = &progress->chapter;
    fprintf(stderr, "counting %s\n", chapter->file);
    const char *why = count(league, progress, &entry);
    if (why) {
        printf("%s: no score: %s\n", chapter->file, why);
        return 1;
    }
    printf("chapter %u, %s, on %s%s%s\n", chapter->number, chapter->name,
           workload_words(chapter, &entry.on), entry.on.operation[0] ? ", operation " : "",
           entry.on.operation);
    print_entry(progress, &entry);
    printf("reference: %s\n", entry.from);
    if (progress->state != STATE_SOLVED)
        printf("not kept as your best: make chapter%u test%s has to call it solved first\n",
               chapter->number, settings_words(&league->course, progress));
    return 0;
}

/* BUILD BINS PLACE...: all counters of the chapters in these places; where one is the folder of all chapters, of
 * all that are solved. Status 1 when a chapter has no counters. */
int score_command(int count, char **arguments)
{
    int status = 0;
    unsigned int shown_in_all = 0;
    for (int i = 3; i < count; i++) {
        const struct chapter chapter = chapter_at(arguments[i]);
        const bool all = chapter.number == 0;
        const struct league league = {
            .build = arguments[1],
            .course = course_read(all ? arguments[i] : chapter.above, number_of(arguments[2]))};
        for (size_t j = 0; j < league.course.count; j++) {
            const struct progress *progress = &league.course.chapters[j];
            const bool meant =
                all ? progress->state == STATE_SOLVED && !progress->chapter.contract.in_c
                    : strcmp(progress->chapter.stem, chapter.stem) == 0;
            status |= meant ? score_one(&league, progress) : 0;
            shown_in_all += meant;
        }
    }
    if (shown_in_all == 0)
        printf("no kernel is solved yet, so there is no score: make next says where you are\n");
    return status;
}
