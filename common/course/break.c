/* break.c - the exercise the other way round: a wrong kernel is given, and a student writes the text that exposes
 * it: `make chapterN break`.
 *
 * The kernel is made in build/breaks/N/STEM. The student's file, chapters/STEM/break/N.txt, is what the program
 * expose reads (common/contracts/histogram). A copy of it, `exposed` beside the kernel, tells that this one is done;
 * when build/ is lost, that is found out again. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "built_program.h"
#include "planted.h"
#include "process.h"
#include "util.h"

/* Those of a chapter. */
struct exercises {
    struct chapter chapter;
    struct planted *planted; /* by their numbers */
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

/* Where the kernel of an exercise lies: "build/breaks/1". */
static const char *above_of(const struct planted *planted)
{
    return format("build/breaks/%u", planted->number);
}

/* The text that exposed it, when it did. */
static const char *exposed_of(const struct exercises *all, const struct planted *planted)
{
    return format("%s/%s/exposed", above_of(planted), all->chapter.stem);
}

/* "chapters/05_name/break/1.txt" */
static const char *experiment_of(const struct exercises *all, const struct planted *planted)
{
    return format("%s/break/%u.txt", all->chapter.folder, planted->number);
}

/* The first that what the student has written now is not known to expose, or NULL. */
static const struct planted *first_hidden(const struct exercises *all)
{
    for (const struct planted *one = all->planted; one < all->planted + all->count; one++)
        if (!same_content(exposed_of(all, one), experiment_of(all, one)))
            return one;
    return NULL;
}

/* The student's file, with everything explained in it. */
static void begin_experiment(const struct exercises *all, const struct planted *planted,
                             const char *kernel)
{
    const char *experiment = experiment_of(all, planted);
    make_folders(experiment);
    FILE *file = fopen(experiment, "w");
    if (file)
        fprintf(file,
                "# The kernel in %s is wrong.\n"
                "# Write here what shows it, and type: make chapter%u break\n%s"
                "%s\noffset = 0\nbins = 0\nmultiprocessors = 132\n# seed = 17\n",
                kernel, all->chapter.number, explanation, planted->hides);
    if (!file || fclose(file) != 0)
        fail(1, "%s: %s", experiment, strerror(errno));
}

/* What the student's own file lacks, the wrong kernel shows. */
static void warn_of_gaps(const struct exercises *all, unsigned int bins)
{
    const struct gaps gaps = gaps_in(all->chapter.file, bins);
    if (gaps.empty > 0)
        printf("%s: not solved yet; the wrong kernel gives most of it away, so rather begin with "
               "make chapter%u test\n",
               all->chapter.file, all->chapter.number);
}

static void praise(const struct exercises *all, const struct planted *planted)
{
    size_t length;
    const unsigned int number = all->chapter.number;
    const char *exposed = exposed_of(all, planted),
               *text = read_file(experiment_of(all, planted), &length);
    printf("why: %s\n", planted->reason);
    if (text && !replace_file(exposed, text, length))
        printf("%s: %s: the next time this one comes again\n", exposed, strerror(errno));
    if (first_hidden(all))
        printf("next: make chapter%u break, for another wrong kernel\n", number);
    else
        printf("all %zu wrong kernels of chapter %u are exposed; next: make next\n", all->count,
               number);
}

/* Judges what the student has written. Returns the status. */
static int judge(const struct exercises *all, const struct planted *planted,
                 const struct chapter *wrong, const char *build, const char *bins)
{
    const char *program = built_program(build, wrong, bins, "expose");
    if (!program) {
        process_repeat(lines_of("build/built.log"), stderr);
        return 1;
    }
    setenv("NUM_BINS", bins, 1);
    const int status =
        process_run((char *[]){(char *)program, (char *)wrong->file,
                               (char *)experiment_of(all, planted), "build/exposed.log", NULL},
                    NULL);
    if (status == 0)
        praise(all, planted);
    return status;
}

static struct exercises exercises_in(const char *place)
{
    struct exercises all = {.chapter = chapter_at(place)};
    const unsigned int number = all.chapter.number;
    all.count = planted_in(all.chapter.stem, &all.planted);
    for (; all.count > 0 && all.planted->number == 0; all.count--)
        all.planted++;
    if (!exists(all.chapter.solution) || !exists("tests/mutants"))
        fail(1, "chapter %u: no wrong kernels to expose in this copy: they come with its solution",
             number);
    if (all.count == 0)
        fail(1,
             "chapter %u has no wrong kernels to expose: a few words that are typed expose "
             "those of Part I; its bugs are in the lesson, under Find the bug",
             number);
    return all;
}

/* BUILD PLACE BINS: judges what the student of the chapter in PLACE has written against the first wrong kernel that
 * it has not exposed yet. Status 0 when it exposes it, or when the student's file was just made. */
int break_command(int count, char **arguments)
{
    (void)count;
    const struct exercises all = exercises_in(arguments[2]);
    const struct planted *planted = first_hidden(&all);
    if (!planted) {
        printf("chapter %u: all %zu wrong kernels are exposed; next: make next\n",
               all.chapter.number, all.count);
        return 0;
    }
    const struct chapter wrong = planted_make(planted, &all.chapter, above_of(planted));
    const bool is_new = !exists(experiment_of(&all, planted));
    printf("chapter %u, wrong kernel %u of %zu: %s\n", all.chapter.number, planted->number,
           all.count, wrong.file);
    if (is_new) {
        begin_experiment(&all, planted, wrong.file);
        warn_of_gaps(&all, number_of(arguments[3]));
    }
    printf("what shall expose it: %s%s\n", experiment_of(&all, planted),
           is_new ? ", made now; it says what can be written there" : "");
    fflush(stdout);
    return is_new ? 0 : judge(&all, planted, &wrong, arguments[1], arguments[3]);
}
