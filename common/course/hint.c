/* hint.c - what a lesson helps with: its hints, one step at a time, and the exercise of its "Go further". */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "lesson.h"
#include "util.h"

enum { WIDTH = 98 }; /* columns */

/* How many hints of a gap have been shown. */
struct shown {
    unsigned int chapter, gap;
    size_t steps;
};

struct request {
    const char *source, *memory;
    unsigned int number, bins;
    struct lesson lesson;
    struct shown gaps[MOST_GAPS];
    size_t count;
};

/* What is known of a gap; a new one begins with nothing. */
static struct shown *shown_of(struct request *request, unsigned int chapter, unsigned int gap)
{
    size_t i = 0;
    while (i < request->count &&
           (request->gaps[i].chapter != chapter || request->gaps[i].gap != gap))
        i++;
    if (i == MOST_GAPS)
        return &request->gaps[MOST_GAPS - 1];
    if (i == request->count)
        request->gaps[request->count++] = (struct shown){.chapter = chapter, .gap = gap};
    return &request->gaps[i];
}

/* Lines that are none of ours are left out: the file is in build/, where anything may happen. */
static void read_memory(struct request *request)
{
    struct shown read;
    for (struct lines in = lines_of(request->memory); next_line(&in);)
        if (sscanf(in.line, "TODO(%u.%u) %zu", &read.chapter, &read.gap, &read.steps) == 3 &&
            read.steps <= HINT_STEPS)
            *shown_of(request, read.chapter, read.gap) = read;
}

static void write_memory(const struct request *request)
{
    make_folders(request->memory);
    FILE *file = fopen(request->memory, "w");
    for (size_t i = 0; file && i < request->count; i++)
        fprintf(file, "TODO(%u.%u) %zu\n", request->gaps[i].chapter, request->gaps[i].gap,
                request->gaps[i].steps);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "%s: %s: the next hint will be this one again\n", request->memory,
                strerror(errno));
}

/* The lines of a hint; code is indented in place of its fence. */
static void print_hint(const struct lesson *lesson, const struct hint *hint)
{
    bool code = false;
    printf("\n");
    for (size_t i = hint->first; i < hint->last; i++) {
        const char *line = lesson->lines[i];
        if (begins_with(skip_blanks(line), "```"))
            code = !code;
        else
            printf("%s%s\n", code && *line ? "    " : "", line);
    }
    printf("\n");
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
static int show(struct request *request, unsigned int chapter, unsigned int gap, const char *place)
{
    const char *page = request->lesson.file;
    struct shown *shown = shown_of(request, chapter, gap);
    size_t steps = hints_of(&request->lesson, chapter, gap);
    if (steps == 0) {
        printf("%s: there is no hint for TODO(%u.%u) in it\n", page, chapter, gap);
        return 1;
    }
    if (shown->steps >= steps) {
        printf("%s: all %zu hints for TODO(%u.%u) have been shown; %s has them under Do it, and "
               "walks through the kernel, under The kernel\n",
               place, steps, chapter, gap, page);
        return 0;
    }
    const struct hint *hint = lesson_hint(&request->lesson, chapter, gap, shown->steps);
    printf("%s: hint %zu of %zu for TODO(%u.%u), %s\n", place, ++shown->steps, steps, chapter, gap,
           hint_steps[hint->step]);
    print_hint(&request->lesson, hint);
    if (shown->steps == steps)
        printf("that was the last one; %s walks through the kernel, under The kernel\n", page);
    else
        printf("next: make chapter%u test, or make chapter%u hint once more\n", request->number,
               request->number);
    write_memory(request);
    return 0;
}

/* No gap is empty: a hint of the lesson that has not been shown yet, if there is one. */
static int show_any(struct request *request)
{
    printf("%s: no gap is empty; make chapter%u test tells more\n", request->source,
           request->number);
    for (size_t i = 0; i < request->lesson.hint_count; i++) {
        const struct hint *hint = &request->lesson.hints[i];
        if (hint->step >= shown_of(request, hint->chapter, hint->gap)->steps)
            return show(request, hint->chapter, hint->gap, request->source);
    }
    return 0;
}

/* SOURCE LESSON NUMBER BINS MEMORY: the next hint of the first gap of SOURCE, compiled with so
 * many BINS, that is empty; when none is, of the first gap of which not all has been shown. MEMORY
 * is a file: which hints have been shown; when it is lost they come again from the first on. */
int hint_command(int count, char **arguments)
{
    (void)count;
    static struct request request;
    request.source = arguments[1];
    request.number = number_of(arguments[3]);
    request.bins = number_of(arguments[4]);
    request.memory = arguments[5];
    if (!lesson_read(&request.lesson, arguments[2])) {
        printf("%s: %s: without the lesson there is no hint\n", arguments[2], strerror(errno));
        return 1;
    }
    if (request.lesson.hint_count == 0) {
        printf("%s: there are no hints in it\n", arguments[2]);
        return 1;
    }
    read_memory(&request);
    const struct gaps gaps = gaps_in(request.source, request.bins);
    const struct gap *first = gaps_first(&gaps);
    if (!gaps.error)
        return first ? show(&request, first->chapter, first->number,
                            format("%s:%u", request.source, first->line))
                     : show_any(&request);
    printf("%s\n", gaps.error);
    return 1;
}

/* Whether the chapter's own file is complete; says so when it is not. */
static bool is_solved(const char *source, unsigned int bins)
{
    const struct gaps gaps = gaps_in(source, bins);
    if (gaps.error)
        printf("%s\n", gaps.error);
    else if (gaps.empty > 0)
        printf("%s: %u of its gaps %s empty: solve the chapter first, for the exercise begins "
               "with a copy of it\n",
               source, gaps.empty, gaps.empty == 1 ? "is" : "are");
    return gaps.empty == 0 && !gaps.error;
}

static bool make_copy(const char *source, const char *file)
{
    size_t length;
    const char *text = read_file(source, &length);
    make_folders(file);
    if (text && replace_file(file, text, length))
        return true;
    printf("%s: cannot be made: %s\n", file, strerror(errno));
    return false;
}

/* SOURCE STEM NUMBER BINS: makes SOURCE's folder/further/histogram.cu, unless it is there, as a
 * copy of SOURCE, if that has no gap with so many BINS that is empty, and says what to do there.
 * docs/STEM.md has the exercise, tests/further/STEM.c its suite. */
int further_command(int count, char **arguments)
{
    (void)count;
    const char *source = arguments[1], *stem = arguments[2],
               *suite = format("tests/further/%s.c", stem), *page = format("docs/%s.md", stem),
               *file = beside(source, format("further/%s", base_name(source)));
    struct lesson lesson;
    if (!exists(suite)) {
        printf("chapter %u has no exercise to go further with: there is no %s\n",
               number_of(arguments[3]), suite);
        return 1;
    }
    if (exists(file))
        return 0;
    if (begins_with(source, "solutions/")) { /* of which no copy is made */
        printf("there is no %s\n", file);
        return 1;
    }
    if (!is_solved(source, number_of(arguments[4])) || !make_copy(source, file))
        return 1;
    const char *task = lesson_read(&lesson, page) ? lesson_paragraph(&lesson, "Go further") : NULL;
    printf("%s: made, a copy of %s, which stays as it is\n", file, source);
    printf("what to change in it: %s, under Go further%s\n", page, task ? ":" : "");
    if (task)
        print_wrapped(task, 2, WIDTH);
    return 0;
}

/* LESSON: prints it, as Markdown. */
int lesson_command(int count, char **arguments)
{
    struct lesson lesson;
    (void)count;
    if (!lesson_read(&lesson, arguments[1]))
        fail(1, "%s: %s", arguments[1], strerror(errno));
    for (size_t i = 0; i < lesson.count; i++)
        printf("%s\n", lesson.lines[i]);
    return 0;
}
