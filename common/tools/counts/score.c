/* score.c - the counters of your kernels beside the reference's and your earlier best.
 *
 *     score BUILD FOLDER BINS [STEM...]
 *
 * BUILD    the folder of the build, build/sim-gcc
 * FOLDER   with the student's kernels
 * STEM     a chapter, 05_name, of which all counters are shown; without one, all chapters that are
 *          solved, in one table
 *
 * All are counted on the same text, with the same schedule, so that a score can be compared; no
 * clock decides. The reference is the one in solutions/, or where there is none its row in
 * docs/results/sim. A best is kept of a kernel that is solved. Status 1 when a chapter that is
 * named has no counters, or a best cannot be kept. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grouped.h"
#include "judge_anew.h"
#include "state_words.h"
#include "tally.h"

enum { NAME = 18 };

struct league {
    const char *build;
    struct standings chapters;
};

/* The three that are compared, of one chapter. */
struct entry {
    struct tally yours, reference, best;
    struct counted_on on;
    char from[STANDING_PATH]; /* where the reference was counted */
};

static bool is_of_host(const struct standing *chapter)
{
    size_t length = strlen(chapter->file);
    return length > 2 && strcmp(chapter->file + length - 2, ".c") == 0;
}

static const char *shown(double value)
{
    static char fraction[24];
    if (isnan(value) || value == floor(value))
        return isnan(value) ? "-" : grouped((unsigned long long)value);
    snprintf(fraction, sizeof fraction, "%.2f", value);
    return fraction;
}

static struct kernel kernel_of(const struct league *league, const struct standing *chapter)
{
    return (struct kernel){.build = league->build,
                           .folder = league->chapters.folder,
                           .file = chapter->file,
                           .stem = chapter->stem};
}

/* That of solutions/, else that of docs/results. */
static void find_reference(const struct league *league, const struct standing *chapter,
                           struct entry *entry)
{
    const char *why;
    struct kernel reference = kernel_of(league, chapter);
    snprintf(entry->from, sizeof entry->from, "solutions/%s%s", chapter->stem,
             strrchr(chapter->file, '/'));
    reference.file = entry->from;
    reference.solution = true;
    if (access(entry->from, R_OK) == 0 &&
        tally_count(&reference, &entry->on, &entry->reference, &why))
        return;
    snprintf(entry->from, sizeof entry->from, "docs/results/sim/english-%u.csv",
             league->chapters.bins);
    if (!entry->on.operation[0] && tally_read(entry->from, chapter->number, &entry->reference))
        return;
    entry->reference = tally_of_nothing();
    snprintf(entry->from, sizeof entry->from, "there is none");
}

/* Counts a chapter, and keeps what is best. Returns NULL, or why there is no score. */
static const char *count(const struct league *league, const struct standing *chapter,
                         struct entry *entry)
{
    const char *why = NULL;
    struct kernel yours = kernel_of(league, chapter);
    entry->on = counted_usually(&yours);
    if (!entry->on.operation[0])
        entry->on.bins = league->chapters.bins;
    if (is_of_host(chapter))
        return "it runs on the CPU, where nothing is counted";
    if (chapter->state == STANDING_MISSING)
        return chapter->said;
    if (chapter->state == STANDING_UNTOUCHED || chapter->empty > 0)
        return "its gaps are not all filled in";
    entry->best = tally_best(chapter->file, entry->on.bins);
    if (!tally_count(&yours, &entry->on, &entry->yours, &why))
        return why;
    find_reference(league, chapter, entry);
    if (chapter->state == STANDING_SOLVED &&
        !tally_keep(chapter->file, entry->on.bins, &entry->yours))
        fprintf(stderr, "%s: your best cannot be kept beside it: %s\n", chapter->file,
                strerror(errno));
    return NULL;
}

static void print_text(const struct counted_on *on)
{
    printf("on %s%s%s\n", counted_words(on), on->operation[0] ? ", operation " : "", on->operation);
}

static void print_entry(const struct standing *chapter, const struct entry *entry)
{
    printf("%-20s%14s%14s%14s\n", "", "yours", "reference", "earlier best");
    for (size_t i = 0; i < TALLY_LINES; i++) {
        double yours = entry->yours.value[i], best = entry->best.value[i];
        if (isnan(yours))
            continue; /* not of this contract */
        printf("%-20s%14s%14s%14s%s\n", tally_labels[i], shown(yours),
               shown(entry->reference.value[i]), shown(best),
               yours < best && chapter->state == STANDING_SOLVED ? "  new best" : "");
    }
}

/* All counters of one chapter. Returns the status. */
static int score_one(const struct league *league, const struct standing *chapter)
{
    struct entry entry;
    char with[STANDING_PATH];
    fprintf(stderr, "counting %s\n", chapter->file);
    const char *why = count(league, chapter, &entry);
    if (why) {
        printf("%s: no score: %s\n", chapter->file, why);
        return 1;
    }
    printf("chapter %u, %s, ", chapter->number, standing_name(chapter));
    print_text(&entry.on);
    print_entry(chapter, &entry);
    printf("reference: %s\n", entry.from);
    settings_words(&league->chapters, chapter, with, sizeof with);
    if (chapter->state != STANDING_SOLVED)
        printf("not kept as your best: make chapter%u test%s has to call it solved first\n",
               chapter->number, with);
    return 0;
}

static double sectors(const struct tally *tally)
{
    return tally->value[TALLY_LOAD_SECTORS] + tally->value[TALLY_OTHER_SECTORS];
}

static double atomics(const struct tally *tally)
{
    return tally->value[TALLY_GLOBAL_ATOMICS] + tally->value[TALLY_SHARED_ATOMICS];
}

static bool differs(double one, double other)
{
    return !isnan(one) && !isnan(other) && one != other;
}

/* Whether two kernels cost something else, as far as both are known. */
static bool is_another(const struct tally *one, const struct tally *other)
{
    return differs(sectors(one), sectors(other)) || differs(atomics(one), atomics(other)) ||
           differs(one->value[TALLY_WAVEFRONTS], other->value[TALLY_WAVEFRONTS]);
}

static void print_tally(const struct tally *tally, const char *word)
{
    printf("%13s%13s%13s%s%s\n", shown(sectors(tally)), shown(tally->value[TALLY_WAVEFRONTS]),
           shown(atomics(tally)), *word ? "  " : "", word);
}

/* One line of the table, and another for each that is not the same. */
static void print_row(const struct standing *chapter, const struct entry *entry)
{
    bool another = is_another(&entry->yours, &entry->reference);
    bool unknown = isnan(entry->reference.value[TALLY_WAVEFRONTS]);
    printf("%2u %-*.*s ", chapter->number, NAME, NAME, standing_name(chapter));
    print_tally(&entry->yours, another ? "" : unknown ? "no reference" : "as the reference");
    if (another) {
        printf("   %-*s ", NAME, "  reference");
        print_tally(&entry->reference, "");
    }
    if (is_another(&entry->yours, &entry->best)) {
        printf("   %-*s ", NAME, "  earlier best");
        print_tally(&entry->best, "");
    }
}

static void print_heading(const struct counted_on *on)
{
    printf("on %s%s\n", counted_words(on),
           on->operation[0] ? ", each with its first operation" : "");
    printf("%*s%13s%13s%13s\n", NAME + 4, "", "sectors", "wavefronts", "atomics");
}

/* All chapters that are solved. Returns the status. */
static int score_all(struct league *league)
{
    size_t solved = 0;
    bool from_page = false;
    const char *text = ""; /* what the heading speaks of */
    judge_all_anew(&league->chapters);
    for (size_t i = 0; i < league->chapters.count; i++) {
        const struct standing *chapter = &league->chapters.chapters[i];
        struct entry entry;
        if (chapter->state != STANDING_SOLVED || is_of_host(chapter))
            continue;
        fflush(stdout);
        fprintf(stderr, "counting %s\n", chapter->file);
        const char *why = count(league, chapter, &entry);
        solved++;
        if (strcmp(text, entry.on.text) != 0)
            print_heading(&entry.on);
        text = entry.on.text;
        if (why)
            printf("%2u %-*.*s %s\n", chapter->number, NAME, NAME, standing_name(chapter), why);
        else
            print_row(chapter, &entry);
        from_page |= !why && strncmp(entry.from, "docs/", strlen("docs/")) == 0;
    }
    if (solved == 0)
        printf("no kernel is solved yet, so there is no score: make next says where you are\n");
    if (from_page)
        printf("reference: docs/results/sim/english-%u.csv, which has no atomics of threads\n",
               league->chapters.bins);
    return 0;
}

static struct standing *chapter_named(const struct league *league, const char *stem)
{
    for (size_t i = 0; i < league->chapters.count; i++)
        if (strcmp(league->chapters.chapters[i].stem, stem) == 0)
            return &league->chapters.chapters[i];
    return NULL;
}

int main(int count_of, char **arguments)
{
    if (count_of < 4) {
        fprintf(stderr, "usage: score BUILD FOLDER BINS [STEM...]\n");
        return 2;
    }
    struct league league = {
        .build = arguments[1],
        .chapters = standings_read(arguments[2], (unsigned int)strtoul(arguments[3], NULL, 10))};
    if (league.chapters.count == 0)
        return state_no_chapter(arguments[2]);
    int status = count_of == 4 ? score_all(&league) : 0;
    for (int i = 4; i < count_of; i++) {
        const struct standing *chapter = chapter_named(&league, arguments[i]);
        if (chapter)
            status |= score_one(&league, chapter);
        else
            fprintf(stderr, "%s/%s: there is no such chapter\n", arguments[2], arguments[i]);
        status |= !chapter;
    }
    standings_free(&league.chapters);
    return status;
}
