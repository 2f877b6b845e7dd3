/* hint.c - shows the next hint of a lesson, one step at a time.
 *
 *     hint SOURCE LESSON NUMBER BINS MEMORY
 *
 * SOURCE   the file in which the student works, for its gaps with so many BINS
 * LESSON   docs/05_name.md, whose hints are shown
 * MEMORY   a file: which hints have been shown; when it is lost they come again from the first on
 *
 * The hint is of the first gap that is empty; when none is, of the first gap of which not all has
 * been shown. Status 1 when the lesson cannot be read, or has no hint for that gap. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"
#include "gap_search.h"
#include "lesson.h"

/* A gap, and how many of its hints have been shown. */
struct progress {
    unsigned int chapter, gap;
    size_t shown;
};

struct memory {
    const char *file;
    struct progress gaps[MOST_GAPS];
    size_t count;
};

struct request {
    const char *source, *page;
    unsigned int number, bins;
    struct lesson lesson;
    struct memory memory;
};

/* What is known of a gap; a new one begins with nothing. */
static struct progress *progress_of(struct memory *memory, unsigned int chapter, unsigned int gap)
{
    size_t i = 0;
    while (i < memory->count && (memory->gaps[i].chapter != chapter || memory->gaps[i].gap != gap))
        i++;
    if (i == memory->count) {
        if (i == MOST_GAPS)
            return &memory->gaps[MOST_GAPS - 1];
        memory->count++;
        memory->gaps[i] = (struct progress){.chapter = chapter, .gap = gap};
    }
    return &memory->gaps[i];
}

/* Lines that are none of ours are left out: the file is in build/, where anything may happen. */
static void read_memory(struct memory *memory)
{
    char line[128];
    struct progress read;
    FILE *file = fopen(memory->file, "r");
    while (file && memory->count < MOST_GAPS && fgets(line, sizeof line, file))
        if (sscanf(line, "TODO(%u.%u) %zu", &read.chapter, &read.gap, &read.shown) == 3 &&
            read.shown <= HINT_STEPS)
            *progress_of(memory, read.chapter, read.gap) = read;
    if (file)
        fclose(file);
}

static void write_memory(const struct memory *memory)
{
    folders_make(memory->file);
    FILE *file = fopen(memory->file, "w");
    for (size_t i = 0; file && i < memory->count; i++)
        fprintf(file, "TODO(%u.%u) %zu\n", memory->gaps[i].chapter, memory->gaps[i].gap,
                memory->gaps[i].shown);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "%s: %s: the next hint will be this one again\n", memory->file,
                strerror(errno));
}

/* The lines of a hint; code is indented in place of its fence. */
static void print_hint(const struct lesson *lesson, const struct hint *hint)
{
    bool code = false;
    printf("\n");
    for (size_t i = hint->first; i < hint->last; i++) {
        const char *line = lesson->lines[i];
        if (strncmp(line + strspn(line, " "), "```", 3) == 0)
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

static void print_end(const struct request *request)
{
    printf("that was the last one; %s walks through the kernel, under The kernel\n", request->page);
}

/* Shows the next hint of a gap, which is in line `place` of the source ("FILE:LINE"), and notes
 * that. Returns the exit status. */
static int show(struct request *request, unsigned int chapter, unsigned int gap, const char *place)
{
    struct progress *progress = progress_of(&request->memory, chapter, gap);
    size_t steps = hints_of(&request->lesson, chapter, gap);
    if (steps == 0) {
        printf("%s: there is no hint for TODO(%u.%u) in it\n", request->page, chapter, gap);
        return 1;
    }
    if (progress->shown >= steps) {
        printf("%s: all %zu hints for TODO(%u.%u) have been shown; %s has them under Do it, and "
               "walks through the kernel, under The kernel\n",
               place, steps, chapter, gap, request->page);
        return 0;
    }
    const struct hint *hint = lesson_hint(&request->lesson, chapter, gap, progress->shown);
    printf("%s: hint %zu of %zu for TODO(%u.%u), %s\n", place, ++progress->shown, steps, chapter,
           gap, hint_steps[hint->step]);
    print_hint(&request->lesson, hint);
    if (progress->shown == steps)
        print_end(request);
    else
        printf("next: make chapter%u test, or make chapter%u hint once more\n", request->number,
               request->number);
    write_memory(&request->memory);
    return 0;
}

/* No gap is empty: a hint of the lesson that has not been shown yet, if there is one. */
static int show_any(struct request *request)
{
    printf("%s: no gap is empty; make chapter%u test tells more\n", request->source,
           request->number);
    for (size_t i = 0; i < request->lesson.hint_count; i++) {
        const struct hint *hint = &request->lesson.hints[i];
        if (hint->step >= progress_of(&request->memory, hint->chapter, hint->gap)->shown)
            return show(request, hint->chapter, hint->gap, request->source);
    }
    return 0;
}

/* The first gap of the source that is empty, if one is. */
static int show_next(struct request *request)
{
    unsigned int chapter, gap;
    struct gaps gaps = gaps_in(request->source, request->bins);
    char *said = gaps.empty > 0 ? strstr(gaps.lines[0], ": not done yet: TODO(") : NULL;
    int status = 1;
    if (gaps.error) {
        printf("%s\n", gaps.error);
    } else if (said && sscanf(said, ": not done yet: TODO(%u.%u)", &chapter, &gap) == 2) {
        *said = '\0';
        status = show(request, chapter, gap, gaps.lines[0]);
    } else {
        status = show_any(request);
    }
    gaps_free(&gaps);
    return status;
}

int main(int count, char **arguments)
{
    if (count != 6) {
        fprintf(stderr, "usage: hint SOURCE LESSON NUMBER BINS MEMORY\n");
        return 2;
    }
    struct request request = {.source = arguments[1],
                              .page = arguments[2],
                              .number = (unsigned int)strtoul(arguments[3], NULL, 10),
                              .bins = (unsigned int)strtoul(arguments[4], NULL, 10),
                              .memory.file = arguments[5]};
    if (!lesson_read(&request.lesson, request.page)) {
        printf("%s: %s: without the lesson there is no hint\n", request.page, strerror(errno));
        return 1;
    }
    int status = 1;
    if (request.lesson.hint_count == 0) {
        printf("%s: there are no hints in it\n", request.page);
    } else {
        read_memory(&request.memory);
        status = show_next(&request);
    }
    lesson_free(&request.lesson);
    return status;
}
