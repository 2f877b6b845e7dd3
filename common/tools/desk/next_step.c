/* next_step.c - says which chapter a student is at, what it is about, and what to type.
 *
 *     next_step FOLDER BINS
 *
 * FOLDER   with the student's kernels. When all chapters are solved it says so, and what is left.
 *          Status 1 when there is no chapter in it. */
#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gap_search.h"
#include "judge_anew.h"
#include "lesson.h"
#include "record.h"
#include "state_words.h"
#include "wrapped.h"

enum { INDENT = 10, WIDTH = 98 };

/* "  lesson  ": what follows stands below each other. */
static void begin(const char *word)
{
    printf("  %-*s", INDENT - 2, word);
}

/* What the lesson says of itself: what its reader can do afterwards, else how it begins. */
static char *subject_of(const struct lesson *lesson)
{
    char *subject = lesson_row(lesson, "Afterwards"), *sentence = NULL;
    if (subject && asprintf(&sentence, "afterwards %s", subject) < 0)
        sentence = NULL;
    free(subject);
    return sentence;
}

static void print_head(const struct standing *chapter, const struct lesson *lesson)
{
    char words[STANDING_SAID + 128];
    const char *title = lesson_title(lesson);
    state_words(chapter, words, sizeof words);
    printf("chapter %u, %s: %s\n", chapter->number, title ? title : standing_name(chapter), words);
    char *subject = subject_of(lesson);
    if (subject)
        wrapped_print(subject, 2, WIDTH);
    free(subject);
}

/* The file, and the line of the first gap that is empty. */
static void print_file(const struct standings *all, const struct standing *chapter)
{
    begin("file");
    if (chapter->state == STANDING_MISSING) {
        printf("%s\n", chapter->file);
        return;
    }
    struct gaps gaps = gaps_in(chapter->file, all->bins);
    char *said = gaps.empty > 0 ? strstr(gaps.lines[0], ": not done yet: ") : NULL;
    if (said)
        printf("%.*s  %.*s\n", (int)(said - gaps.lines[0]), gaps.lines[0],
               (int)strcspn(said + strlen(": not done yet: "), " "),
               said + strlen(": not done yet: "));
    else
        printf("%s\n", chapter->file);
    gaps_free(&gaps);
}

/* What to type, by how far the file is. */
static void print_commands(const struct standings *all, const struct standing *chapter)
{
    char with[STANDING_PATH];
    unsigned int number = chapter->number;
    settings_words(all, chapter, with, sizeof with);
    begin("type");
    if (chapter->state == STANDING_MISSING)
        printf("make chapter%u reset%s, which makes the file anew\n", number, with);
    else if (chapter->state == STANDING_UNTOUCHED)
        printf("make chapter%u predict%s; fill in the gaps; make chapter%u test%s\n", number, with,
               number, with);
    else
        printf("make chapter%u test%s, and make chapter%u hint%s when you are stuck\n", number,
               with, number, with);
}

static void print_chapter(const struct standings *all, const struct standing *chapter)
{
    struct lesson lesson;
    bool there = lesson_read(&lesson, chapter->lesson);
    print_head(chapter, &lesson);
    begin("lesson");
    printf("%s%s\n", chapter->lesson, there ? "" : ", which cannot be read");
    print_file(all, chapter);
    print_commands(all, chapter);
    lesson_free(&lesson);
}

/* Whether the exercise of a chapter is solved. */
static bool went_further(const struct standing *chapter)
{
    char *file = NULL;
    const char *slash = strrchr(chapter->file, '/');
    uint64_t hash;
    bool solved = false;
    if (asprintf(&file, "%.*s/further%s", (int)(slash - chapter->file), chapter->file, slash) < 0)
        return false;
    if (record_hash(file, &hash)) {
        struct record record = record_read(file);
        const struct verdict *best = record_best(&record, hash);
        solved = best && best->outcome == OUTCOME_SOLVED;
        record_free(&record);
    }
    free(file);
    return solved;
}

static bool has_exercise(const struct standing *chapter)
{
    char *suite = NULL;
    bool has =
        asprintf(&suite, "tests/further/%s.c", chapter->stem) >= 0 && access(suite, F_OK) == 0;
    free(suite);
    return has;
}

/* One line: all is solved, and this is left. */
static void print_end(const struct standings *all)
{
    const struct standing *first = NULL;
    unsigned int solved = 0, exercises = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct standing *chapter = &all->chapters[i];
        solved += chapter->state == STANDING_SOLVED;
        if (!has_exercise(chapter) || went_further(chapter))
            continue;
        exercises++;
        first = first ? first : chapter;
    }
    printf("Well done: %u of %zu chapters are solved", solved, all->count);
    const char *between = "; left: ";
    for (size_t i = 0; i < all->count; i++)
        if (all->chapters[i].state != STANDING_SOLVED) {
            printf("%schapter %u, which is optional", between, all->chapters[i].number);
            between = ", ";
        }
    if (first)
        printf("%s%u exercise%s to go further with, from make chapter%u further on", between,
               exercises, exercises == 1 ? "" : "s", first->number);
    printf("\n");
}

int main(int count, char **arguments)
{
    struct standings all;
    int status = state_asked(count, arguments, &all);
    if (status != 0)
        return status;
    const struct standing *current = judge_to_current(&all);
    if (current)
        print_chapter(&all, current);
    else
        print_end(&all);
    standings_free(&all);
    return 0;
}
