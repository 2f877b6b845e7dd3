/* next_break.c - the exercises in which a wrong kernel is to be exposed: `make chapterN break`.
 *
 *     next_break next STEM FOLDER BINS
 *         says which one to work at; build/breaks/STEM/next is its number, or is not there when
 *         all are done
 *     next_break exposed STEM FOLDER BINS N
 *         it was exposed: says why the kernel is wrong, and what is next
 *
 * STEM    of the chapter, 05_name
 * FOLDER  the student's chapter, chapters/05_name: its break/N.txt is what the student writes
 *
 * The wrong kernel is made in build/breaks/STEM/N/, and `exposed` there is the text that exposed
 * it, by which it is known to be done; when build/ is lost, that is found out again. Status 1 when
 * there is nothing to do, or a file is wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment.h"
#include "folders.h"
#include "gap_search.h"
#include "grouped.h"
#include "planted_breaks.h"

struct chapter {
    const char *stem, *folder;
    unsigned int number, bins;
    char solution[BREAKS_PATH];
    struct planted_break breaks[MOST_BREAKS];
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
static void path_of(const struct chapter *chapter, unsigned int number, const char *name,
                    char path[BREAKS_PATH])
{
    snprintf(path, BREAKS_PATH, "build/breaks/%s/%u/%s", chapter->stem, number, name);
}

/* "chapters/05_name/break/1.txt" */
static void experiment_of(const struct chapter *chapter, unsigned int number,
                          char path[BREAKS_PATH])
{
    snprintf(path, BREAKS_PATH, "%s/break/%u.txt", chapter->folder, number);
}

static void kernel_of(const struct chapter *chapter, unsigned int number, char path[BREAKS_PATH])
{
    path_of(chapter, number, strrchr(chapter->solution, '/') + 1, path);
}

static bool is_plain_file(const char *file)
{
    struct stat seen;
    return stat(file, &seen) == 0 && S_ISREG(seen.st_mode);
}

static bool same_content(const char *one, const char *other)
{
    if (!is_plain_file(one) || !is_plain_file(other))
        return false;
    FILE *first = fopen(one, "r"), *second = fopen(other, "r");
    bool same = first && second;
    for (int a = 0, b = 0; same && a != EOF;) {
        a = getc(first);
        b = getc(second);
        same = a == b;
    }
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return same;
}

/* Whether what the student has written now is known to expose the kernel. */
static bool is_exposed(const struct chapter *chapter, unsigned int number)
{
    char exposed[BREAKS_PATH], experiment[BREAKS_PATH];
    path_of(chapter, number, "exposed", exposed);
    experiment_of(chapter, number, experiment);
    return same_content(exposed, experiment);
}

/* The first that is not, or NULL. */
static const struct planted_break *first_hidden(const struct chapter *chapter)
{
    for (size_t i = 0; i < chapter->count; i++)
        if (!is_exposed(chapter, chapter->breaks[i].number))
            return &chapter->breaks[i];
    return NULL;
}

static int complain(const char *file, const char *what)
{
    printf("%s: %s\n", file, what);
    return 1;
}

/* The student's file, with everything explained in it. Returns false after a line of why not. */
static bool begin_experiment(const struct chapter *chapter, const struct planted_break *planted,
                             const char *experiment)
{
    char kernel[BREAKS_PATH];
    kernel_of(chapter, planted->number, kernel);
    folders_make(experiment);
    FILE *file = fopen(experiment, "wx");
    if (file) {
        fprintf(file,
                "# The kernel in %s is wrong.\n"
                "# Write here what shows it, and type: make chapter%u break\n%s"
                "%s\noffset = 0\nbins = 0\nmultiprocessors = 132\n# seed = 17\n",
                kernel, chapter->number, explanation, planted->hides);
        if (fclose(file) == 0)
            return true;
    }
    complain(experiment, strerror(errno));
    return false;
}

/* What the student's own file lacks, the wrong kernel shows. */
static void warn_of_gaps(const struct chapter *chapter)
{
    const char *name = strrchr(chapter->solution, '/') + 1;
    char source[BREAKS_PATH];
    snprintf(source, sizeof source, "%s/%s", chapter->folder, name);
    struct gaps gaps = gaps_in(source, chapter->bins);
    if (gaps.empty > 0)
        printf("%s: not solved yet; the wrong kernel gives most of it away, so rather begin with "
               "make chapter%u test\n",
               source, chapter->number);
    gaps_free(&gaps);
}

/* For the one who has called this program. */
static int tell_number(const struct chapter *chapter, unsigned int number)
{
    char path[BREAKS_PATH];
    snprintf(path, sizeof path, "build/breaks/%s/next", chapter->stem);
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "%u\n", number) < 0 || fclose(file) != 0)
        return complain(path, strerror(errno));
    return 0;
}

/* Everything that is needed to judge one. Returns the exit status. */
static int prepare(const struct chapter *chapter, const struct planted_break *planted)
{
    char kernel[BREAKS_PATH], file[BREAKS_PATH], error[512];
    struct experiment experiment;
    kernel_of(chapter, planted->number, kernel);
    experiment_of(chapter, planted->number, file);
    folders_make(kernel);
    if (!planted_break_make(planted, chapter->solution, kernel))
        return complain(kernel, "cannot be made: the planted mistake does not fit to the solution");
    bool is_new = access(file, F_OK) != 0;
    if (is_new && !begin_experiment(chapter, planted, file))
        return 1;
    printf("chapter %u, wrong kernel %u of %zu: %s\n", chapter->number, planted->number,
           chapter->count, kernel);
    if (is_new)
        warn_of_gaps(chapter);
    printf("what shall expose it: %s%s\n", file,
           is_new ? ", made now; it says what can be written there" : "");
    bool read = experiment_read(&experiment, file, error, sizeof error);
    experiment_free(&experiment);
    if (!read) {
        printf("%s\n", error);
        return 1;
    }
    return tell_number(chapter, planted->number);
}

static int next(const struct chapter *chapter)
{
    const struct planted_break *hidden = first_hidden(chapter);
    if (hidden)
        return prepare(chapter, hidden);
    printf("chapter %u: all %zu wrong kernels are exposed\n", chapter->number, chapter->count);
    printf("next: write something shorter into %s/break/1.txt, or make next\n", chapter->folder);
    return 0;
}

/* Characters of an experiment, for those who like theirs short. */
static size_t length_of(const char *lines_or_file, bool is_file)
{
    char error[512];
    struct experiment experiment;
    bool read = is_file ? experiment_read(&experiment, lines_or_file, error, sizeof error)
                        : experiment_parse(&experiment, lines_or_file, "key", error, sizeof error);
    size_t length = read ? experiment.length : 0;
    experiment_free(&experiment);
    return length;
}

/* Of the key, in which " ; " ends a line. */
static size_t length_of_key(const struct planted_break *planted)
{
    char lines[BREAKS_WORDS];
    snprintf(lines, sizeof lines, "%s", planted->exposed_by);
    for (char *end; (end = strstr(lines, " ; "));)
        end[1] = '\n';
    return length_of(lines, false);
}

static void remember(const struct chapter *chapter, unsigned int number, const char *file)
{
    char exposed[BREAKS_PATH];
    path_of(chapter, number, "exposed", exposed);
    FILE *from = fopen(file, "r"), *to = fopen(exposed, "w");
    for (int byte; from && to && (byte = getc(from)) != EOF;)
        putc(byte, to);
    if (from)
        fclose(from);
    if (!to || fclose(to) != 0)
        printf("%s: %s: the next time this one comes again\n", exposed, strerror(errno));
}

static int praise(const struct chapter *chapter, unsigned int number)
{
    const struct planted_break *planted = NULL;
    char file[BREAKS_PATH];
    for (size_t i = 0; i < chapter->count; i++)
        if (chapter->breaks[i].number == number)
            planted = &chapter->breaks[i];
    if (!planted)
        return complain(chapter->stem, "has no such exercise");
    experiment_of(chapter, number, file);
    size_t length = length_of(file, true), known = length_of_key(planted);
    printf("why: %s\n", planted->reason);
    printf("with %s character%s; ", grouped(length), length == 1 ? "" : "s");
    if (length > known)
        printf("it can be done with %s\n", grouped(known));
    else
        printf("no shorter text is known\n");
    remember(chapter, number, file);
    if (first_hidden(chapter))
        printf("next: make chapter%u break, for another wrong kernel\n", chapter->number);
    else
        printf("all %zu wrong kernels of chapter %u are exposed; next: make next\n", chapter->count,
               chapter->number);
    return 0;
}

/* The solution, which a wrong kernel is made from. */
static bool find_solution(struct chapter *chapter)
{
    char pattern[BREAKS_PATH];
    glob_t found;
    snprintf(pattern, sizeof pattern, "solutions/%s/*.c*", chapter->stem);
    if (glob(pattern, 0, NULL, &found) != 0)
        return false;
    snprintf(chapter->solution, sizeof chapter->solution, "%s", found.gl_pathv[0]);
    globfree(&found);
    return true;
}

int main(int count, char **arguments)
{
    bool asks = count == 5 && strcmp(arguments[1], "next") == 0;
    if (!asks && (count != 6 || strcmp(arguments[1], "exposed") != 0)) {
        fprintf(stderr, "usage: next_break next|exposed STEM FOLDER BINS [N]\n");
        return 2;
    }
    static struct chapter chapter;
    chapter.stem = arguments[2];
    chapter.folder = arguments[3];
    chapter.number = (unsigned int)strtoul(chapter.stem, NULL, 10);
    chapter.bins = (unsigned int)strtoul(arguments[4], NULL, 10);
    chapter.count = planted_breaks(chapter.stem, chapter.breaks);
    if (!find_solution(&chapter) || chapter.count == 0) {
        if (find_solution(&chapter) && access("tests/mutants", F_OK) == 0) {
            printf("chapter %u has no wrong kernels to expose: a few words that are typed expose "
                   "those of Part I; its bugs are in the lesson, under Find the bug\n",
                   chapter.number);
            return 1;
        }
        printf("chapter %u: no wrong kernels to expose in this copy: they come with its solution, "
               "from solutions/%s and tests/mutants/%s\n",
               chapter.number, chapter.stem, chapter.stem);
        return 1;
    }
    return asks ? next(&chapter) : praise(&chapter, (unsigned int)strtoul(arguments[5], NULL, 10));
}
