/* next.c - says how far a student is: the chapter to work at, and a row for each. */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "commands.h"
#include "grouped.h"
#include "lesson.h"
#include "predictions.h"
#include "student.h"
#include "util.h"

enum { WIDTH = 78, BAR = 40, NAME = 17, STATE = 41 };

/* The title, how far it is, and what its reader can do afterwards. */
static void print_head(const struct progress *progress, const struct lesson *lesson)
{
    const struct chapter *chapter = &progress->chapter;
    printf("chapter %u, %s: %s\n", chapter->number, lesson->title ? lesson->title : chapter->name,
           progress_words(progress));
    if (lesson->afterwards)
        print_wrapped(format("afterwards %s", lesson->afterwards), 2, WIDTH);
}

/* What to type, by how far the file is. */
static void print_commands(const struct course *course, const struct progress *progress)
{
    const char *with = settings_words(course, progress);
    unsigned int number = progress->chapter.number;
    printf("  type    ");
    if (progress->state == STATE_MISSING)
        printf("make chapter%u reset%s, which makes the file anew\n", number, with);
    else if (progress->state == STATE_UNTOUCHED)
        printf("make chapter%u predict%s; fill in the gaps; make chapter%u test%s\n", number, with,
               number, with);
    else
        printf("make chapter%u test%s, and make chapter%u hint%s when you are stuck\n", number,
               with, number, with);
}

static void print_chapter(const struct course *course, const struct progress *progress)
{
    struct lesson lesson;
    const struct chapter *chapter = &progress->chapter;
    const bool there = lesson_read(&lesson, chapter->lesson);
    const struct gaps gaps = gaps_in(chapter->file, course->bins);
    const struct gap *first = gaps_first(&gaps);
    print_head(progress, &lesson);
    printf("  lesson  %s%s\n", chapter->lesson, there ? "" : ", which cannot be read");
    printf("  file    %s", chapter->file);
    if (first)
        printf(":%u  TODO(%u.%u)", first->line, first->chapter, first->number);
    printf("\n");
    print_commands(course, progress);
}

/* Whether the exercise of a chapter is there, and not solved. */
static bool may_go_further(const struct chapter *chapter)
{
    uint64_t hash;
    const char *file = beside(chapter->file, format("further/%s", base_name(chapter->file)));
    if (!exists(chapter->exercise) || !hash_file(file, &hash))
        return exists(chapter->exercise);
    const struct record record = record_read(file);
    const struct verdict *best = record_best(&record, hash);
    return !best || best->outcome != OUTCOME_SOLVED;
}

/* All is solved, and this is left. */
static void print_end(const struct course *course)
{
    const struct chapter *first = NULL;
    for (size_t i = course->count; i-- > 0;)
        if (may_go_further(&course->chapters[i].chapter))
            first = &course->chapters[i].chapter;
    printf("Well done: %u of %zu chapters are solved\n", course_totals(course).solved,
           course->count);
    for (size_t i = 0; i < course->count; i++)
        if (course->chapters[i].state != STATE_SOLVED)
            printf("  left    chapter %u, which is optional\n", course->chapters[i].chapter.number);
    if (first)
        printf("  type    make chapter%u further, which begins with the first exercise\n",
               first->number);
    printf("  type    make score, which shows your counters beside the reference's\n");
    if (exists("docs/libraries.md"))
        printf("  read    docs/libraries.md, which says when a library does it for you\n");
}

/* FOLDER BINS: the chapter that the student is at, what it is about, and what to type; as `where` its
 * number alone, and nothing when all are solved. */
int next_command(int count, char **arguments)
{
    (void)count;
    const bool number_alone = strcmp(arguments[0], "where") == 0;
    struct course course = course_read(arguments[1], number_of(arguments[2]));
    const struct progress *current = course_current(&course);
    if (current && number_alone)
        printf("%u\n", current->chapter.number);
    else if (current)
        print_chapter(&course, current);
    else if (!number_alone)
        print_end(&course);
    return 0;
}

static void print_bar(const struct course *course)
{
    const size_t solved = course_totals(course).solved;
    printf("[");
    for (size_t i = 0; i < BAR; i++)
        putchar(i * course->count < solved * BAR ? '#' : '.');
    printf("] %zu of %zu chapters solved\n", solved, course->count);
}

/* The last column is when the file was begun; before that, the minutes of the lesson. */
static void print_row(const struct progress *progress)
{
    static const char *const colors[STATES] = {RED, FAINT, "", YELLOW, GREEN};
    char when[32] = "";
    struct tm broken;
    bool dated = progress->state != STATE_MISSING && progress->state != STATE_UNTOUCHED;
    if (dated && localtime_r(&progress->when, &broken))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &broken);
    else if (progress->minutes > 0)
        snprintf(when, sizeof when, "%u min", progress->minutes);
    printf("%2u %-*.*s ", progress->chapter.number, NAME, NAME, progress->chapter.name);
    print_in_color(colors[progress->state],
                   format("%-*.*s", when[0] ? STATE : 0, STATE, progress_words(progress)));
    printf("%s%s\n", when[0] ? " " : "", when);
}

/* Points, and minutes of lessons: of the chapters that are solved, and of all. */
static void print_sums(const struct course *course)
{
    const struct totals totals = course_totals(course);
    if (totals.most_points > 0)
        printf(
            "points: %g of %g; a chapter gives %g, or %g when it is right by another technique\n",
            totals.points, totals.most_points, points_of(STATE_SOLVED), points_of(STATE_ANOTHER));
    if (totals.minutes > 0)
        printf("time: lessons of %s minutes are done, of %s in all\n", grouped(totals.minutes_done),
               grouped(totals.minutes));
}

static const char *times(double median)
{
    return isinf(median) ? "far" : format("%.1f", median);
}

/* How far off the predictions were, over the chapters, in the median; nothing without any. */
static void print_calibration(const struct course *course)
{
    double *factors = grow(NULL, 0, course->count * MOST_PREDICTIONS + 1, sizeof *factors);
    static struct predictions predictions;
    const char *text = "predictions, times off in the median:";
    size_t count = 0;
    for (size_t i = 0; i < course->count; i++) {
        const struct chapter *chapter = &course->chapters[i].chapter;
        predictions_read(&predictions, chapter->file);
        size_t more = predictions_factors(&predictions, factors + count);
        if (more > 0)
            text = format("%s chapter %u: %s;", text, chapter->number,
                          times(calibration_of(factors + count, more).median));
        count += more;
    }
    struct calibration is = calibration_of(factors, count);
    if (count > 0)
        print_wrapped(format("%s all: %s, and %zu of %zu within a factor of 2", text,
                             times(is.median), is.within_two, count),
                      0, WIDTH);
}

/* FOLDER BINS: a bar, and a row for each chapter, with its points and the minutes of its lesson. */
int progress_command(int count, char **arguments)
{
    (void)count;
    struct course course = course_read(arguments[1], number_of(arguments[2]));
    print_bar(&course);
    for (size_t i = 0; i < course.count; i++)
        print_row(&course.chapters[i]);
    print_sums(&course);
    print_calibration(&course);
    const struct progress *current = course_current(&course);
    if (current)
        printf("you are at chapter %u: make next says what to do there\n", current->chapter.number);
    return 0;
}
