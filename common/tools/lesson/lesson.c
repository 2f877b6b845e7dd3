/* lesson.c - reads a lesson line by line: see lesson.h. */
#define _GNU_SOURCE
#include "lesson.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const hint_steps[HINT_STEPS] = {"the idea", "the shape", "the line"};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(skip_blanks(text), begin, strlen(begin)) == 0;
}

/* Whether the line is `<summary>Hint 5.1, the idea</summary>`, with or without <details>. */
static bool is_summary(const char *line, struct hint *hint)
{
    int end = 0;
    line = skip_blanks(line);
    if (begins_with(line, "<details>"))
        line = skip_blanks(line + strlen("<details>"));
    if (sscanf(line, "<summary>Hint %u.%u, %n", &hint->chapter, &hint->gap, &end) != 2 || end == 0)
        return false;
    for (hint->step = 0; hint->step < HINT_STEPS; hint->step++) {
        size_t length = strlen(hint_steps[hint->step]);
        if (strncmp(line + end, hint_steps[hint->step], length) == 0 &&
            strcmp(line + end + length, "</summary>") == 0)
            return true;
    }
    return false;
}

/* Takes empty lines away from both ends of a hint. */
static void trim(const struct lesson *lesson, struct hint *hint)
{
    while (hint->first < hint->last && !*lesson->lines[hint->first])
        hint->first++;
    while (hint->first < hint->last && !*lesson->lines[hint->last - 1])
        hint->last--;
}

static void find_hints(struct lesson *lesson)
{
    lesson->hints = calloc(lesson->count + 1, sizeof *lesson->hints);
    for (size_t i = 0; lesson->hints && i < lesson->count; i++) {
        struct hint hint = {.first = i + 1, .last = i + 1};
        if (!is_summary(lesson->lines[i], &hint))
            continue;
        while (hint.last < lesson->count && !begins_with(lesson->lines[hint.last], "</details>"))
            hint.last++;
        bool ends = hint.last < lesson->count;
        trim(lesson, &hint);
        if (ends && hint.first < hint.last)
            lesson->hints[lesson->hint_count++] = hint;
    }
}

/* Adds a line, which the lesson owns then. Returns false without memory. */
static bool add_line(struct lesson *lesson, char *line)
{
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    char **lines = reallocarray(lesson->lines, lesson->count + 1, sizeof *lines);
    if (!lines)
        return false;
    lesson->lines = lines;
    lesson->lines[lesson->count++] = line;
    return true;
}

bool lesson_read(struct lesson *lesson, const char *file)
{
    char *line = NULL;
    size_t room = 0;
    *lesson = (struct lesson){.count = 0};
    FILE *page = fopen(file, "r");
    if (!page)
        return false;
    while (getline(&line, &room, page) >= 0 && add_line(lesson, line)) {
        line = NULL;
        room = 0;
    }
    int error = ferror(page) ? errno : 0; /* a folder can be opened, and not read */
    free(line);
    fclose(page);
    if (error) {
        lesson_free(lesson);
        errno = error;
        return false;
    }
    find_hints(lesson);
    return true;
}

void lesson_free(struct lesson *lesson)
{
    for (size_t i = 0; i < lesson->count; i++)
        free(lesson->lines[i]);
    free(lesson->lines);
    free(lesson->hints);
    *lesson = (struct lesson){.count = 0};
}

size_t lesson_behind(const struct lesson *lesson, const char *heading)
{
    bool code = false;
    for (size_t i = 0; i < lesson->count; i++) {
        const char *line = lesson->lines[i];
        if (begins_with(line, "```"))
            code = !code;
        if (!code && strncmp(line, "## ", 3) == 0 && strcmp(skip_blanks(line + 3), heading) == 0)
            return i + 1;
    }
    return lesson->count;
}

void lesson_write_words(const char *line, FILE *to)
{
    const char *middle, *end;
    for (line = skip_blanks(line); *line; line++) {
        if (*line == '[' && (middle = strstr(line, "](")) && (end = strchr(middle, ')'))) {
            fwrite(line + 1, 1, (size_t)(middle - line - 1), to);
            line = end;
        } else {
            fputc(*line, to);
        }
    }
}

char *lesson_paragraph(const struct lesson *lesson, const char *heading)
{
    char *text = NULL;
    size_t size, i = lesson_behind(lesson, heading);
    while (i < lesson->count && (!*lesson->lines[i] || begins_with(lesson->lines[i], "<!--")))
        i++;
    if (i == lesson->count || begins_with(lesson->lines[i], "#"))
        return NULL;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    for (const char *between = ""; i < lesson->count && *lesson->lines[i]; i++, between = " ") {
        fputs(between, to);
        lesson_write_words(lesson->lines[i], to);
    }
    return fclose(to) == 0 ? text : NULL;
}

const char *lesson_title(const struct lesson *lesson)
{
    if (lesson->count == 0 || strncmp(lesson->lines[0], "# ", 2) != 0)
        return NULL;
    const char *title = skip_blanks(lesson->lines[0] + 2);
    size_t digits = strspn(title, "0123456789");
    return digits > 0 && title[digits] == '.' ? skip_blanks(title + digits + 1) : title;
}

char *lesson_row(const struct lesson *lesson, const char *heading)
{
    char *text = NULL;
    size_t size, length = strlen(heading);
    for (size_t i = 0; i < lesson->count; i++) {
        const char *line = lesson->lines[i];
        if (strncmp(line, "| ", 2) != 0 || strncmp(line + 2, heading, length) != 0 ||
            strncmp(line + 2 + length, " |", 2) != 0)
            continue;
        FILE *to = open_memstream(&text, &size);
        if (!to)
            return NULL;
        lesson_write_words(line + 2 + length + 2, to);
        if (fclose(to) != 0)
            return NULL;
        text[strlen(text) - (strlen(text) > 0 && text[strlen(text) - 1] == '|')] = '\0';
        return text;
    }
    return NULL;
}

const struct hint *lesson_hint(const struct lesson *lesson, unsigned int chapter, unsigned int gap,
                               size_t step)
{
    for (size_t i = 0; i < lesson->hint_count; i++) {
        const struct hint *hint = &lesson->hints[i];
        if (hint->chapter == chapter && hint->gap == gap && hint->step == step)
            return hint;
    }
    return NULL;
}
