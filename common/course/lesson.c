/* lesson.c - reads a lesson line by line: its head and its hints: see lesson.h. */
#define _GNU_SOURCE
#include "lesson.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

const char *const hint_steps[HINT_STEPS] = {"the idea", "the shape", "the line"};

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
        if (begins_with(line + end, hint_steps[hint->step]) &&
            strcmp(line + end + length, "</summary>") == 0)
            return true;
    }
    return false;
}

static void find_hints(struct lesson *lesson)
{
    for (size_t i = 0; i < lesson->count; i++) {
        struct hint hint = {.first = i + 1, .last = i + 1};
        if (!is_summary(lesson->lines[i], &hint))
            continue;
        while (hint.last < lesson->count &&
               !begins_with(skip_blanks(lesson->lines[hint.last]), "</details>"))
            hint.last++;
        bool ends = hint.last < lesson->count;
        while (hint.first < hint.last && !*lesson->lines[hint.first])
            hint.first++;
        while (hint.first < hint.last && !*lesson->lines[hint.last - 1])
            hint.last--;
        if (!ends || hint.first == hint.last)
            continue;
        lesson->hints = grow(lesson->hints, lesson->hint_count, 1, sizeof hint);
        lesson->hints[lesson->hint_count++] = hint;
    }
}

/* Writes a line without the addresses of its links: [chapter 4](04_name.md) is chapter 4. */
static void write_words(const char *line, FILE *to)
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

/* What the first table of the page says in the row `| heading | ... |`, without links; or NULL. */
static char *row_of(const struct lesson *lesson, const char *heading)
{
    const char *begin = format("| %s |", heading);
    for (size_t i = 0; i < lesson->count; i++) {
        if (!begins_with(lesson->lines[i], begin))
            continue;
        FILE *to = open_text();
        write_words(lesson->lines[i] + strlen(begin), to);
        char *text = close_text(to);
        if (ends_with(text, "|"))
            text[strlen(text) - 1] = '\0';
        return text;
    }
    return NULL;
}

static void read_head(struct lesson *lesson)
{
    const char *title = lesson->count > 0 ? lesson->lines[0] : "", *time = row_of(lesson, "Time");
    lesson->optional = strstr(title, "(optional)");
    lesson->afterwards = row_of(lesson, "Afterwards");
    lesson->minutes = time ? number_of(time) : 0;
    if (!begins_with(title, "# "))
        return;
    title = skip_blanks(title + 2);
    size_t digits = strspn(title, "0123456789");
    lesson->title = digits > 0 && title[digits] == '.' ? skip_blanks(title + digits + 1) : title;
}

bool lesson_read(struct lesson *lesson, const char *file)
{
    size_t length;
    *lesson = (struct lesson){.file = file};
    char *page = read_file(file, &length);
    if (!page)
        return false;
    for (char *line, *end; (line = strsep(&page, "\n"));) {
        for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
            *--end = '\0';
        lesson->lines = grow(lesson->lines, lesson->count, 1, sizeof line);
        lesson->lines[lesson->count++] = line;
    }
    read_head(lesson);
    find_hints(lesson);
    return true;
}

/* The line after `## heading` or `### heading`; the number of lines when there is none. */
static size_t line_behind(const struct lesson *lesson, const char *heading)
{
    bool code = false;
    for (size_t i = 0; i < lesson->count; i++) {
        const char *line = lesson->lines[i];
        if (begins_with(skip_blanks(line), "```"))
            code = !code;
        if (!code && (begins_with(line, "## ") || begins_with(line, "### ")) &&
            strcmp(skip_blanks(line + strspn(line, "#")), heading) == 0)
            return i + 1;
    }
    return lesson->count;
}

static char *without_links(const char *line)
{
    FILE *to = open_text();
    write_words(line, to);
    return close_text(to);
}

/* Adds a line to a paragraph that grows. */
static void add(char **text, const char *line)
{
    *text = format("%s%s%s", *text ? *text : "", *text ? " " : "", skip_blanks(line));
}

char *lesson_paragraph(const struct lesson *lesson, const char *heading)
{
    size_t i = line_behind(lesson, heading);
    while (i < lesson->count &&
           (!*lesson->lines[i] || begins_with(skip_blanks(lesson->lines[i]), "<!--")))
        i++;
    if (i == lesson->count || begins_with(skip_blanks(lesson->lines[i]), "#"))
        return NULL;
    char *paragraph = NULL;
    for (; i < lesson->count && *lesson->lines[i]; i++)
        add(&paragraph, lesson->lines[i]);
    return without_links(paragraph);
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

/* " in uniform-256" or " in zipf-505-argmax" at the end of a sum; cuts it off. */
static bool read_place(char *sum, struct question_count *count)
{
    char *place = NULL, text[16], operation[16] = "";
    int end = 0, longer = 0;
    for (char *at = sum; (at = strstr(at, " in ")); at += strlen(" in "))
        place = at;
    if (!place)
        return true;
    const int read = sscanf(place, " in %15[a-z0-9]-%u%n-%15[a-z_]%n", text, &count->bins, &end,
                            operation, &longer);
    if (read < 2 || place[read == 3 ? longer : end] || count->bins == 0)
        return false;
    *place = '\0';
    count->text = format("%s", text);
    count->operation = format("%s", operation);
    return true;
}

/* What stands behind `<!-- count:`. */
static bool read_count(const char *words, struct question_count *count)
{
    const char *equals = strchr(words, '='), *end = strstr(words, "-->");
    if (!equals || !end || equals > end || *skip_blanks(end + 3))
        return false;
    char *sum = trimmed(equals + 1, end);
    *count = (struct question_count){
        .label = trimmed(words, equals), .sum = sum, .text = "", .operation = ""};
    return *count->label && !strpbrk(count->label, ":;") && *sum && read_place(sum, count);
}

/* The number of an item, "1. How many", and where its words begin; 0 for another line. */
static unsigned int item_of(const char *line, const char **words)
{
    char *end;
    unsigned long number = isdigit((unsigned char)*line) ? strtoul(line, &end, 10) : 0;
    if (number == 0 || number > 99 || *end != '.' || end[1] != ' ')
        return 0;
    *words = skip_blanks(end + 1);
    return (unsigned int)number;
}

/* Adds what a comment says to its question, which is NULL above the first one. */
static void take_comment(struct questions *questions, struct question *of, const char *line,
                         size_t place)
{
    static const char begin[] = "<!-- count:";
    line = skip_blanks(line);
    if (!begins_with(line, begin))
        return;
    if (of && of->count_count < MOST_COUNTS &&
        read_count(line + strlen(begin), &of->counts[of->count_count]))
        of->count_count++;
    else if (questions->wrong_line == 0)
        questions->wrong_line = place + 1;
}

static struct question *numbered(struct questions *questions, unsigned int number)
{
    for (size_t i = 0; i < questions->count; i++)
        if (questions->all[i].number == number)
            return &questions->all[i];
    return NULL;
}

/* A line of a question, or above the first one. Returns the question. */
static struct question *take_line(struct questions *questions, struct question *last,
                                  const char *line)
{
    const char *words = line;
    unsigned int number = item_of(line, &words);
    if (number > 0 && questions->count < MOST_QUESTIONS) {
        last = &questions->all[questions->count++];
        last->number = number;
    }
    if (*skip_blanks(words))
        add(last ? &last->words : &questions->begin, words);
    return last;
}

struct questions questions_of(const struct lesson *lesson)
{
    struct questions questions = {.count = 0};
    struct question *of = NULL;
    bool folded = false;
    for (size_t i = line_behind(lesson, "Predict"); i < lesson->count; i++) {
        const char *line = lesson->lines[i], *words;
        if (begins_with(line, "## "))
            break;
        folded |= begins_with(skip_blanks(line), "<details");
        if (begins_with(skip_blanks(line), "<!--"))
            take_comment(&questions, of, line, i);
        else if (folded && item_of(line, &words) > 0)
            of = numbered(&questions, item_of(line, &words));
        else if (!folded)
            of = take_line(&questions, of, line);
    }
    for (size_t i = 0; i < questions.count; i++)
        questions.all[i].words = without_links(questions.all[i].words);
    questions.begin = questions.begin ? without_links(questions.begin) : NULL;
    questions.answered = folded;
    return questions;
}
