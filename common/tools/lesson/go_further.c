/* go_further.c - begins the exercise of a lesson's "Go further": a copy of the student's kernel.
 *
 *     go_further SOURCE STEM NUMBER BINS
 *
 * SOURCE   the chapter's file, chapters/05_name/histogram.cu
 * STEM     of the chapter, 05_name: docs/STEM.md has the exercise, tests/further/STEM.c its suite
 *
 * Where there is no file SOURCE's folder/further/histogram.cu yet, it is made as a copy of SOURCE,
 * if that has no gap with so many BINS that is empty, and what to do there is said. Nothing is
 * said when it is there already. Status 1 when there is no such exercise, or no copy. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gap_search.h"
#include "lesson.h"
#include "wrapped.h"

enum { PATH = 2048, WIDTH = 98 };

struct exercise {
    const char *source, *stem;
    unsigned int number, bins;
    char folder[PATH], file[2 * PATH];
};

/* Whether the solution of the chapter is meant, of which no copy is made. */
static bool is_reference(const struct exercise *exercise)
{
    return strncmp(exercise->source, "solutions/", 10) == 0;
}

static bool has_suite(const struct exercise *exercise)
{
    char suite[PATH];
    snprintf(suite, sizeof suite, "tests/further/%s.c", exercise->stem);
    if (access(suite, R_OK) == 0)
        return true;
    printf("chapter %u has no exercise to go further with: there is no %s\n", exercise->number,
           suite);
    return false;
}

/* Whether the chapter's own file is complete; says so when it is not. */
static bool is_solved(const struct exercise *exercise)
{
    struct gaps gaps = gaps_in(exercise->source, exercise->bins);
    bool solved = gaps.empty == 0 && !gaps.error;
    if (gaps.error)
        printf("%s\n", gaps.error);
    else if (!solved)
        printf("%s: %u of its gaps %s empty: solve the chapter first, for the exercise begins "
               "with a copy of it\n",
               exercise->source, gaps.empty, gaps.empty == 1 ? "is" : "are");
    gaps_free(&gaps);
    return solved;
}

static bool copy_file(const char *from_name, const char *to_name)
{
    char piece[4096];
    FILE *from = fopen(from_name, "r"), *to = from ? fopen(to_name, "w") : NULL;
    bool fine = from && to;
    for (size_t bytes; fine && (bytes = fread(piece, 1, sizeof piece, from)) > 0;)
        fine = fwrite(piece, 1, bytes, to) == bytes;
    fine = fine && !ferror(from);
    if (from)
        fclose(from);
    return (!to || fclose(to) == 0) && fine;
}

/* Makes the copy. It has its name only when it is whole. */
static bool make_copy(const struct exercise *exercise)
{
    char new[2 * PATH + 8];
    snprintf(new, sizeof new, "%s.new", exercise->file);
    if ((mkdir(exercise->folder, 0777) == 0 || errno == EEXIST) &&
        copy_file(exercise->source, new) && rename(new, exercise->file) == 0)
        return true;
    printf("%s: cannot be made: %s\n", exercise->file, strerror(errno));
    unlink(new);
    return false;
}

static void print_task(const struct exercise *exercise)
{
    char page[PATH], *task = NULL;
    struct lesson lesson;
    snprintf(page, sizeof page, "docs/%s.md", exercise->stem);
    if (lesson_read(&lesson, page)) {
        task = lesson_paragraph(&lesson, "Go further");
        lesson_free(&lesson);
    }
    printf("%s: made, a copy of %s, which stays as it is\n", exercise->file, exercise->source);
    printf("what to change in it: %s, under Go further%s\n", page, task ? ":" : "");
    if (task)
        wrapped_print(task, 2, WIDTH);
    free(task);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fprintf(stderr, "usage: go_further SOURCE STEM NUMBER BINS\n");
        return 2;
    }
    struct exercise exercise = {.source = arguments[1],
                                .stem = arguments[2],
                                .number = (unsigned int)strtoul(arguments[3], NULL, 10),
                                .bins = (unsigned int)strtoul(arguments[4], NULL, 10)};
    const char *slash = strrchr(exercise.source, '/');
    int length = slash ? (int)(slash - exercise.source) : 1;
    snprintf(exercise.folder, sizeof exercise.folder, "%.*s/further", length,
             slash ? exercise.source : ".");
    snprintf(exercise.file, sizeof exercise.file, "%s/%s", exercise.folder,
             slash ? slash + 1 : exercise.source);
    if (!has_suite(&exercise))
        return 1;
    if (access(exercise.file, F_OK) == 0)
        return 0;
    if (is_reference(&exercise)) {
        printf("there is no %s\n", exercise.file);
        return 1;
    }
    if (!is_solved(&exercise) || !make_copy(&exercise))
        return 1;
    print_task(&exercise);
    return 0;
}
