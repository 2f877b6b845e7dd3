/* break.c - planted mistakes, the patches of a chapter's solution in tests/mutants/NN_name: one that a student
 * is to expose, `make chapterN break`, and one whose race `make chapterN replay` shows.
 *
 * A wrong kernel to expose is made in build/breaks/STEM/N/, and `exposed` there is the text that exposed
 * it, by which it is known to be done; when build/ is lost, that is found out again. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "experiment.h"
#include "grouped.h"
#include "process.h"
#include "util.h"

/* What the head of a patch says; "" or 0 where it says nothing. */
struct mutant {
    const char *patch, *name; /* its path; "lost_update" of lost_update.patch */
    unsigned int bins;        /* BINS=256: with which alone it is wrong */
    const char *operations;   /* Operations: count max, with which alone */
    bool races;               /* Caught by: racecheck */
    bool needs;               /* Needs: values whose sum wraps; so not every input shows it */
    const char *reason;       /* Reason: of several lines */
    /* Of those that a student is asked to expose: */
    unsigned int number; /* Break: 1, among those of the chapter */
    const char *hides; /* Hides: text = "xyz", a line of a student's file that does not expose it */
    const char *exposed_by; /* Exposed by: text = "a", lines that do, with " ; " between them */
};

/* What stands behind a name at the begin of a line, or NULL. */
static char *field(const char *line, const char *name)
{
    return begins_with(line, name) ? format("%s", line + strlen(name)) : NULL;
}

/* "Caught by: bins" and "BINS=256", but no second line of a reason. */
static bool is_field(const char *line)
{
    size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ");
    return *line >= 'A' && *line <= 'Z' && (line[name] == ':' || line[name] == '=');
}

/* Notes a line of a head. A reason may have several; `in_reason` tells. */
static void note_line(struct mutant *mutant, const char *line, bool *in_reason)
{
    const char *words;
    bool continues = *in_reason && !is_field(line);
    *in_reason = continues;
    if (continues)
        mutant->reason = format("%s%s%s", mutant->reason, *mutant->reason ? " " : "", line);
    else if ((words = field(line, "Break: ")))
        mutant->number = number_of(words);
    else if ((words = field(line, "BINS=")))
        mutant->bins = number_of(words);
    else if ((words = field(line, "Hides: ")))
        mutant->hides = words;
    else if ((words = field(line, "Exposed by: ")))
        mutant->exposed_by = words;
    else if ((words = field(line, "Operations:")))
        mutant->operations = words;
    else if ((words = field(line, "Reason: "))) {
        mutant->reason = words;
        *in_reason = true;
    }
    mutant->races |= begins_with(line, "Caught by: racecheck");
    mutant->needs |= begins_with(line, "Needs:");
}

static struct mutant read_head(const char *patch)
{
    const char *file = base_name(patch);
    struct mutant mutant = {.patch = patch,
                            .name = format("%.*s", (int)strcspn(file, "."), file),
                            .operations = "",
                            .reason = "",
                            .hides = "text = \"abc\"",
                            .exposed_by = ""};
    bool in_reason = false;
    struct lines in = lines_of(patch);
    while (next_line(&in) && !begins_with(in.line, "--- "))
        note_line(&mutant, in.line, &in_reason);
    end_lines(&in);
    return mutant;
}

static int by_number(const void *one, const void *other)
{
    const struct mutant *first = one, *second = other;
    return first->number == second->number  ? strcmp(first->patch, second->patch)
           : first->number > second->number ? 1
                                            : -1;
}

/* Reads those of a chapter, by their numbers and names. Returns how many there are. */
static size_t mutants_of(const char *stem, struct mutant **mutants)
{
    size_t count = 0;
    *mutants = NULL;
    for (char **patch = matches(format("tests/mutants/%s/*.patch", stem)); *patch; patch++) {
        *mutants = grow(*mutants, count, 1, sizeof **mutants);
        (*mutants)[count++] = read_head(*patch);
    }
    if (count > 0)
        qsort(*mutants, count, sizeof **mutants, by_number);
    return count;
}

/* Makes `file`, and its folder, by the patch from the chapter's solution. Returns false, after what
 * patch said in FILE.log, when that fails. */
static bool mutant_make(const struct mutant *mutant, const char *solution, const char *file)
{
    make_folders(file);
    unlink(file); /* or patch asks about one that cannot be written */
    char *arguments[] = {"/usr/bin/env",
                         "patch",
                         "--silent",
                         "--fuzz=0",
                         format("--output=%s", file),
                         (char *)solution,
                         (char *)mutant->patch,
                         NULL};
    return process_run(arguments, format("%s.log", file)) == 0;
}

/* Whether racecheck catches it, with so many bins and this operation, on any input. */
static bool is_racy(const struct mutant *mutant, unsigned int bins, const char *operation)
{
    const bool of_operation = !*mutant->operations ||
                              strstr(format("%s ", mutant->operations), format(" %s ", operation));
    return mutant->races && !mutant->needs && of_operation &&
           (mutant->bins == 0 || mutant->bins == bins);
}

/* How soon a mistake is understood: a lost update before a missing barrier before the rest. */
static int rank(const struct mutant *mutant)
{
    return begins_with(mutant->name, "non_atomic")   ? 0
           : begins_with(mutant->name, "no_barrier") ? 1
                                                     : 2;
}

/* The one with the race that is shown; NULL when the chapter has none. */
static const struct mutant *choose(const char *stem, unsigned int bins, const char *operation)
{
    struct mutant *mutants;
    const struct mutant *chosen = NULL;
    const size_t count = mutants_of(stem, &mutants);
    for (const struct mutant *one = mutants; one < mutants + count; one++)
        if (is_racy(one, bins, operation) &&
            (!chosen || rank(one) < rank(chosen) ||
             (rank(one) == rank(chosen) && strcmp(one->patch, chosen->patch) < 0)))
            chosen = one;
    return chosen;
}

/* SOURCE STEM FOLDER BINS [OPERATION]: a race to show where a student has written no kernel yet.
 * With a gap of SOURCE filled in, prints nothing: the student's own kernel is shown. With all gaps
 * empty, makes FOLDER/STEM/NAME/histogram.cu, or as SOURCE is called, by a planted mistake of the
 * chapter, prints STEM/NAME, and on standard error what is shown and why; status 1 when there is
 * nothing. */
int mutant_command(int count, char **arguments)
{
    const char *source = arguments[1], *stem = arguments[2];
    const unsigned int bins = number_of(arguments[4]);
    const struct gaps gaps = gaps_in(source, bins);
    if (!gaps_untouched(&gaps))
        return 0;
    const struct mutant *mutant = choose(stem, bins, count > 5 ? arguments[5] : "");
    if (!mutant)
        fail(1,
             exists("tests/mutants")
                 ? "%s: its gaps are empty, and this chapter has no race to show"
                 : "%s: its gaps are empty, and there are no planted mistakes in this copy of "
                   "the course: fill one in, without an atomic for instance",
             source);
    const char *kernel = base_name(source);
    if (!mutant_make(mutant, format("solutions/%s/%s", stem, kernel),
                     format("%s/%s/%s/%s", arguments[3], stem, mutant->name, kernel)))
        fail(1, "%s: its gaps are empty, and %s does not apply to the solution", source,
             mutant->patch);
    fprintf(stderr, "%s: its gaps are empty, so this is a race that was planted: %s\n", source,
            mutant->patch);
    printf("%s/%s\n", stem, mutant->name);
    return 0;
}

struct exercises {
    const char *stem, *folder, *solution;
    unsigned int number, bins;
    struct mutant *numbered; /* by their numbers */
    size_t count;
};

static const char explanation[] =
    "#\n"
    "# text     what is counted: strings in \", with * for how often, and + between them:\n"
    "#              text = \"a\" * 100 + \"xyz\\n\"\n"
    "#          \\n, \\t, \\\\ and \\\" are one character each, and so is \\xff, the byte 255\n"
    "# offset   how many bytes after a multiple of 256 the text begins: 0 to 255\n"
    "# bins     what each bin holds before: the counts are added to it\n"
    "# multiprocessors  of the GPU, 1 to 132\n"
    "# seed     of the one schedule that is tried; without it four are\n"
    "#\n"
    "# How many blocks there are, and threads, is what the kernel's launch makes of the length,\n"
    "# and in later chapters of the multiprocessors.\n\n";

/* Where an exercise has its files: "build/breaks/05_name/1/exposed". */
static char *path_of(const struct exercises *all, unsigned int number, const char *name)
{
    return format("build/breaks/%s/%u/%s", all->stem, number, name);
}

/* "chapters/05_name/break/1.txt" */
static char *experiment_of(const struct exercises *all, unsigned int number)
{
    return format("%s/break/%u.txt", all->folder, number);
}

/* The first that what the student has written now is not known to expose, or NULL. */
static const struct mutant *first_hidden(const struct exercises *all)
{
    for (const struct mutant *one = all->numbered; one < all->numbered + all->count; one++)
        if (!same_content(path_of(all, one->number, "exposed"), experiment_of(all, one->number)))
            return one;
    return NULL;
}

/* Ends the program with one line on standard output, as all that it says. */
__attribute__((noreturn)) static void complain(const char *file, const char *what)
{
    printf("%s: %s\n", file, what);
    exit(1);
}

/* The student's file, with everything explained in it. */
static void begin_experiment(const struct exercises *all, const struct mutant *mutant,
                             const char *kernel, const char *experiment)
{
    make_folders(experiment);
    FILE *file = fopen(experiment, "wx");
    if (file)
        fprintf(file,
                "# The kernel in %s is wrong.\n"
                "# Write here what shows it, and type: make chapter%u break\n%s"
                "%s\noffset = 0\nbins = 0\nmultiprocessors = 132\n# seed = 17\n",
                kernel, all->number, explanation, mutant->hides);
    if (!file || fclose(file) != 0)
        complain(experiment, strerror(errno));
}

/* What the student's own file lacks, the wrong kernel shows. */
static void warn_of_gaps(const struct exercises *all)
{
    const char *source = format("%s/%s", all->folder, base_name(all->solution));
    const struct gaps gaps = gaps_in(source, all->bins);
    if (gaps.empty > 0)
        printf("%s: not solved yet; the wrong kernel gives most of it away, so rather begin with "
               "make chapter%u test\n",
               source, all->number);
}

/* Everything that is needed to judge one; for the one who has called, its number. */
static void prepare(const struct exercises *all, const struct mutant *mutant)
{
    struct experiment experiment;
    const char *kernel = path_of(all, mutant->number, base_name(all->solution)),
               *file = experiment_of(all, mutant->number),
               *next = format("build/breaks/%s/next", all->stem),
               *number = format("%u\n", mutant->number);
    if (!mutant_make(mutant, all->solution, kernel))
        complain(kernel, "cannot be made: the planted mistake does not fit to the solution");
    bool is_new = !exists(file);
    if (is_new)
        begin_experiment(all, mutant, kernel, file);
    printf("chapter %u, wrong kernel %u of %zu: %s\n", all->number, mutant->number, all->count,
           kernel);
    if (is_new)
        warn_of_gaps(all);
    printf("what shall expose it: %s%s\n", file,
           is_new ? ", made now; it says what can be written there" : "");
    const char *wrong = experiment_read(&experiment, file);
    if (wrong) {
        printf("%s\n", wrong);
        exit(1);
    }
    if (!replace_file(next, number, strlen(number)))
        complain(next, strerror(errno));
}

static void next(const struct exercises *all)
{
    const struct mutant *hidden = first_hidden(all);
    if (hidden) {
        prepare(all, hidden);
        return;
    }
    printf("chapter %u: all %zu wrong kernels are exposed\n", all->number, all->count);
    printf("next: write something shorter into %s/break/1.txt, or make next\n", all->folder);
}

/* Characters of the key, in which " ; " ends a line, for those who like theirs short. */
static size_t length_of_key(const struct mutant *mutant)
{
    char *lines = format("%s", mutant->exposed_by);
    struct experiment key;
    for (char *end; (end = strstr(lines, " ; "));)
        end[1] = '\n';
    return experiment_parse(&key, lines, "key") ? 0 : key.length;
}

static void remember(const struct exercises *all, unsigned int number)
{
    size_t length;
    const char *exposed = path_of(all, number, "exposed"),
               *text = read_file(experiment_of(all, number), &length);
    if (text && !replace_file(exposed, text, length))
        printf("%s: %s: the next time this one comes again\n", exposed, strerror(errno));
}

static void praise(const struct exercises *all, unsigned int number)
{
    const struct mutant *mutant = all->numbered;
    struct experiment experiment;
    while (mutant < all->numbered + all->count && mutant->number != number)
        mutant++;
    if (mutant == all->numbered + all->count)
        complain(all->stem, "has no such exercise");
    const char *wrong = experiment_read(&experiment, experiment_of(all, number));
    size_t length = wrong ? 0 : experiment.length, known = length_of_key(mutant);
    printf("why: %s\n", mutant->reason);
    printf("with %s character%s; ", grouped(length), length == 1 ? "" : "s");
    if (length > known)
        printf("it can be done with %s\n", grouped(known));
    else
        printf("no shorter text is known\n");
    remember(all, number);
    if (first_hidden(all))
        printf("next: make chapter%u break, for another wrong kernel\n", all->number);
    else
        printf("all %zu wrong kernels of chapter %u are exposed; next: make next\n", all->count,
               all->number);
}

/* The mutants that have a number, which are the last in their order. */
static struct exercises exercises_of(const char *stem, const char *folder, unsigned int bins)
{
    struct exercises all = {.stem = stem,
                            .folder = folder,
                            .solution = first_match(format("solutions/%s/*.c*", stem)),
                            .number = number_of(stem),
                            .bins = bins};
    all.count = mutants_of(stem, &all.numbered);
    for (; all.count > 0 && all.numbered->number == 0; all.count--)
        all.numbered++;
    return all;
}

/* next STEM FOLDER BINS says which one to work at; build/breaks/STEM/next is its number, or is not
 * there when all are done. exposed STEM FOLDER BINS N: it was exposed: says why the kernel is
 * wrong, and what is next. FOLDER is the student's chapter, chapters/05_name: its break/N.txt is
 * what the student writes. */
int break_command(int count, char **arguments)
{
    const bool asks = strcmp(arguments[1], "next") == 0;
    const struct exercises all = exercises_of(arguments[2], arguments[3], number_of(arguments[4]));
    if (!all.solution || all.count == 0) {
        if (all.solution && exists("tests/mutants"))
            printf("chapter %u has no wrong kernels to expose: a few words that are typed expose "
                   "those of Part I; its bugs are in the lesson, under Find the bug\n",
                   all.number);
        else
            printf("chapter %u: no wrong kernels to expose in this copy: they come with its "
                   "solution, from solutions/%s and tests/mutants/%s\n",
                   all.number, all.stem, all.stem);
        return 1;
    }
    if (asks)
        next(&all);
    else if (count == 6)
        praise(&all, number_of(arguments[5]));
    return 0;
}
