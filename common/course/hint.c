/* hint.c - what a lesson helps with: its hints, one step at a time, and the exercise of its "Go further". */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "lesson.h"
#include "util.h"

enum { WIDTH = 78 };

struct request {
    const char *source;
    struct chapter chapter;
    struct lesson lesson;
    const char *memory; /* a file with a line for each hint that has been shown, "TODO(5.1)" */
};

static const char *name_of(unsigned int chapter, unsigned int gap)
{
    return format("TODO(%u.%u)", chapter, gap);
}

/* How many hints of a gap have been shown. */
static size_t shown_of(const struct request *request, const char *gap)
{
    size_t shown = 0;
    for (struct lines in = lines_of(request->memory); next_line(&in);)
        shown += strcmp(in.line, gap) == 0;
    return shown;
}

static void remember(const struct request *request, const char *gap)
{
    make_folders(request->memory);
    FILE *file = fopen(request->memory, "a");
    if (file)
        fprintf(file, "%s\n", gap);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "%s: %s: the next hint will be this one again\n", request->memory,
                strerror(errno));
}

/* The text of a hint: paragraphs are wrapped, and code is indented in place of its fence. */
static void print_hint(const struct lesson *lesson, const struct hint *hint)
{
    bool code = false;
    const char *paragraph = "";
    printf("\n");
    for (size_t i = hint->first; i <= hint->last; i++) {
        const char *line = i < hint->last ? lesson->lines[i] : "";
        const bool fence = begins_with(skip_blanks(line), "```");
        if (!code && !fence && *line) {
            paragraph = format("%s %s", paragraph, line);
            continue;
        }
        if (*paragraph)
            print_wrapped(paragraph, 0, WIDTH);
        paragraph = "";
        if (fence)
            code = !code;
        else
            printf("%s%s\n", code && *line ? "    " : "", line);
    }
}

/* How many hints a gap has: they are shown in their order, so a missing one ends the row. */
static size_t hints_of(const struct lesson *lesson, unsigned int chapter, unsigned int gap)
{
    size_t steps = 0;
    while (steps < HINT_STEPS && lesson_hint(lesson, chapter, gap, steps))
        steps++;
    return steps;
}

/* Shows the next hint of a gap, which is in line `place` of the source ("FILE:LINE"), and notes
 * that. Returns the exit status. */
static int show(const struct request *request, unsigned int chapter, unsigned int gap,
                const char *place)
{
    const char *page = request->chapter.lesson, *name = name_of(chapter, gap);
    const size_t shown = shown_of(request, name), steps = hints_of(&request->lesson, chapter, gap);
    if (steps == 0) {
        printf("%s: there is no hint for %s in it\n", page, name);
        return 1;
    }
    if (shown >= steps) {
        printf("%s: all %zu hints for %s have been shown; %s has them at its end, under Hints\n",
               place, steps, name, page);
        return 0;
    }
    const struct hint *hint = lesson_hint(&request->lesson, chapter, gap, shown);
    printf("%s: hint %zu of %zu for %s, %s\n", place, shown + 1, steps, name,
           hint_steps[hint->step]);
    print_hint(&request->lesson, hint);
    if (shown + 1 == steps)
        printf("that was the last hint for %s; next: make chapter%u test\n", name,
               request->chapter.number);
    else
        printf("next: make chapter%u test, or make chapter%u hint once more\n",
               request->chapter.number, request->chapter.number);
    remember(request, name);
    return 0;
}

/* No gap is empty: a hint of the lesson that has not been shown yet, if there is one. */
static int show_any(const struct request *request)
{
    printf("%s: no gap is empty; make chapter%u test tells more\n", request->source,
           request->chapter.number);
    for (size_t i = 0; i < request->lesson.hint_count; i++) {
        const struct hint *hint = &request->lesson.hints[i];
        if (hint->step >= shown_of(request, name_of(hint->chapter, hint->gap)))
            return show(request, hint->chapter, hint->gap, request->source);
    }
    return 0;
}

/* SOURCE BINS: the next hint of the first gap of SOURCE, compiled with so many BINS, that is empty; when none
 * is, of the first gap of which not all has been shown. When build/hints is lost they come again from the first
 * on. */
int hint_command(int count, char **arguments)
{
    static struct request request;
    (void)count;
    request.source = arguments[1];
    request.chapter = chapter_at(request.source);
    request.memory = format("build/hints/%s", request.chapter.stem);
    const char *page = request.chapter.lesson;
    if (!lesson_read(&request.lesson, page))
        fail(1, "%s: %s: without the lesson there is no hint", page, strerror(errno));
    if (request.lesson.hint_count == 0)
        fail(1, "%s: there are no hints in it", page);
    const struct gaps gaps = gaps_in(request.source, number_of(arguments[2]));
    const struct gap *first = gaps_first(&gaps);
    if (gaps.error)
        fail(1, "%s", gaps.error);
    return first ? show(&request, first->chapter, first->number,
                        format("%s:%u", request.source, first->line))
                 : show_any(&request);
}

/* Makes the exercise as a copy of the chapter's own file, if that is complete. */
static void make_exercise(const struct chapter *chapter, unsigned int bins, const char *file)
{
    size_t length;
    const struct gaps gaps = gaps_in(chapter->file, bins);
    const char *text = read_file(chapter->file, &length);
    if (gaps.error)
        fail(1, "%s", gaps.error);
    if (gaps.empty > 0)
        fail(1,
             "%s: %u of its gaps %s empty: solve the chapter first, for the exercise begins with "
             "a copy of it",
             chapter->file, gaps.empty, gaps.empty == 1 ? "is" : "are");
    make_folders(file);
    if (!text || !replace_file(file, text, length))
        fail(1, "%s: cannot be made: %s", file, strerror(errno));
}

/* PLACE BINS: makes PLACE/further/histogram.cu, unless it is there, as a copy of the kernel in PLACE, if that has
 * no gap with so many BINS that is empty, and says what to do there. The lesson has the exercise, tests/further
 * its suite. */
int further_command(int count, char **arguments)
{
    (void)count;
    const struct chapter chapter = chapter_at(arguments[1]);
    const char *file = beside(chapter.file, format("further/%s", base_name(chapter.file)));
    struct lesson lesson;
    if (!exists(chapter.exercise))
        fail(1, "chapter %u has no exercise to go further with: there is no %s", chapter.number,
             chapter.exercise);
    if (exists(file))
        return 0;
    if (begins_with(file, "solutions/")) /* of which no copy is made */
        fail(1, "there is no %s", file);
    make_exercise(&chapter, number_of(arguments[2]), file);
    const char *task =
        lesson_read(&lesson, chapter.lesson) ? lesson_paragraph(&lesson, "Go further") : NULL;
    printf("%s: made, a copy of %s, which stays as it is\n", file, chapter.file);
    printf("what to change in it: %s, under Go further%s\n", chapter.lesson, task ? ":" : "");
    if (task)
        print_wrapped(task, 2, WIDTH);
    return 0;
}
