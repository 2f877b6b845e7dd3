/* questions.c - reads the section Predict of a lesson: see questions.h. */
#define _GNU_SOURCE
#include "questions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip(const char *text)
{
    return text + strspn(text, " \t");
}

/* Adds a line to a text that grows. */
static void add(char **text, const char *line)
{
    char *words = NULL, *both = NULL;
    size_t size;
    FILE *to = open_memstream(&words, &size);
    if (!to)
        return;
    lesson_write_words(line, to);
    if (fclose(to) == 0 &&
        asprintf(&both, "%s%s%s", *text ? *text : "", *text ? " " : "", words) >= 0) {
        free(*text);
        *text = both;
    }
    free(words);
}

/* Copies what lies between two places, without blanks at its ends. Returns false when that is
 * nothing, or too much. */
static bool copy(char *to, size_t size, const char *from, const char *end)
{
    while (from < end && isspace((unsigned char)*from))
        from++;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    if (from == end || (size_t)(end - from) >= size)
        return false;
    memcpy(to, from, (size_t)(end - from));
    to[end - from] = '\0';
    return true;
}

/* " in uniform-256" or " in zipf-505-argmax" at the end of a sum; cuts it off. */
static bool read_place(struct question_count *count)
{
    int end = 0, longer = 0;
    char *place = NULL;
    count->text[0] = count->operation[0] = '\0';
    count->bins = 0;
    for (char *at = count->sum; (at = strstr(at, " in ")); at += strlen(" in "))
        place = at;
    if (!place)
        return true;
    const int read = sscanf(place, " in %15[a-z0-9]-%u%n-%15[a-z_]%n", count->text, &count->bins,
                            &end, count->operation, &longer);
    if (read < 2 || place[read == 3 ? longer : end] || count->bins == 0)
        return false;
    *place = '\0';
    return true;
}

/* What stands behind `<!-- count:`. */
static bool read_count(const char *words, struct question_count *count)
{
    const char *equals = strchr(words, '='), *end = strstr(words, "-->");
    return equals && end && equals < end && !*skip(end + 3) &&
           copy(count->label, sizeof count->label, words, equals) && !strpbrk(count->label, ":;") &&
           copy(count->sum, sizeof count->sum, equals + 1, end) && read_place(count);
}

/* The number of an item, "1. How many", and where its words begin; 0 for another line. */
static unsigned int item_of(const char *line, const char **words)
{
    char *end;
    unsigned long number = isdigit((unsigned char)*line) ? strtoul(line, &end, 10) : 0;
    if (number == 0 || number > 99 || *end != '.' || end[1] != ' ')
        return 0;
    *words = skip(end + 1);
    return (unsigned int)number;
}

/* Adds what a comment says to its question, which is NULL above the first one. */
static void take_comment(struct questions *questions, struct question *of, const char *line,
                         size_t place)
{
    static const char begin[] = "<!-- count:";
    line = skip(line);
    if (strncmp(line, begin, sizeof begin - 1) != 0)
        return;
    if (of && of->count_count < MOST_COUNTS &&
        read_count(line + sizeof begin - 1, &of->counts[of->count_count]))
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
    if (*skip(words))
        add(last ? &last->words : &questions->begin, words);
    return last;
}

struct questions questions_of(const struct lesson *lesson)
{
    struct questions questions = {.count = 0};
    struct question *of = NULL;
    bool folded = false;
    for (size_t i = lesson_behind(lesson, "Predict"); i < lesson->count; i++) {
        const char *line = lesson->lines[i], *words;
        if (strncmp(line, "## ", 3) == 0)
            break;
        folded |= strncmp(skip(line), "<details", 8) == 0;
        if (strncmp(skip(line), "<!--", 4) == 0)
            take_comment(&questions, of, line, i);
        else if (folded && item_of(line, &words) > 0)
            of = numbered(&questions, item_of(line, &words));
        else if (!folded)
            of = take_line(&questions, of, line);
    }
    questions.answered = folded;
    return questions;
}

void questions_free(struct questions *questions)
{
    for (size_t i = 0; i < questions->count; i++)
        free(questions->all[i].words);
    free(questions->begin);
    *questions = (struct questions){.count = 0};
}
