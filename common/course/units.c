/* units.c - finds the units of a page and writes them: see language.h. */
#define _GNU_SOURCE
#include "language.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "json.h"
#include "util.h"

struct page {
    char *const *lines;
    size_t count;
    const char *name; /* of the catalog; NULL when only the units are wanted */
    FILE *to;
};

/* A unit, or NULL in its place when the catalog has none; when units are listed it is noted instead. */
static const char *translated(const struct page *page, const char *unit)
{
    if (page->name)
        return translation_of(page->name, unit);
    put_json(unit, page->to);
    fputc('\n', page->to);
    return NULL;
}

static void copy(const struct page *page, size_t first, size_t last)
{
    for (; page->name && first < last; first++)
        fprintf(page->to, "%s\n", page->lines[first]);
}

static const char *at(const struct page *page, size_t line)
{
    return skip_blanks(page->lines[line]);
}

/* The marks before the words of a line: "- ", "3. ", "## ". */
static size_t marks_of(const char *line)
{
    const size_t indent = strspn(line, " "), digits = strspn(line + indent, "0123456789");
    const char *mark = line + indent;
    size_t length = *mark == '#'                                       ? strspn(mark, "#")
                    : digits > 0 && mark[digits] == '.'                ? digits + 1
                    : (*mark == '-' || *mark == '>') && mark[1] == ' ' ? 1
                                                                       : 0;
    if (length > 0 && mark[length] == ' ')
        length += strspn(mark + length, " ");
    else
        length = 0;
    return indent + length;
}

/* Whether a line goes on with the paragraph above it. */
static bool goes_on(const char *line)
{
    const char *words = skip_blanks(line);
    return *words && !strchr("<|", *words) && !begins_with(words, "```") &&
           marks_of(line) == strspn(line, " ");
}

/* A paragraph, an item or a heading, which begins in this line. Returns the line behind it. */
static size_t paragraph(const struct page *page, size_t first)
{
    const char *line = page->lines[first];
    const size_t marks = marks_of(line);
    size_t last = first + 1;
    FILE *joined = open_text();
    fputs(line + marks, joined);
    for (; *at(page, first) != '#' && last < page->count && goes_on(page->lines[last]); last++)
        fprintf(joined, " %s", at(page, last));
    const char *words = translated(page, close_text(joined));
    if (words)
        fprintf(page->to, "%.*s%s\n", (int)marks, line, words);
    else
        copy(page, first, last);
    return last;
}

/* The line behind the one that has these words; the end of the page where none has. */
static size_t behind(const struct page *page, size_t line, const char *words, bool at_begin)
{
    while (line < page->count && !(at_begin ? begins_with(at(page, line), words)
                                            : strstr(page->lines[line], words) != NULL))
        line++;
    return line < page->count ? line + 1 : line;
}

/* A block of code, which is a unit where it is ```text. */
static size_t fence(const struct page *page, size_t first)
{
    const size_t last = behind(page, first + 1, "```", true);
    const char *words = NULL;
    if (strcmp(at(page, first), "```text") == 0 && last > first + 2) {
        FILE *joined = open_text();
        for (size_t i = first + 1; i < last - 1; i++)
            fprintf(joined, "%s%s", i > first + 1 ? "\n" : "", page->lines[i]);
        words = translated(page, close_text(joined));
    }
    if (words)
        fprintf(page->to, "%s\n%s\n%s\n", page->lines[first], words, page->lines[last - 1]);
    else
        copy(page, first, last);
    return last;
}

/* A line of HTML, with the head of what is folded. */
static void markup(const struct page *page, size_t line)
{
    static const char begin[] = "<summary>", end[] = "</summary>";
    const char *from = strstr(page->lines[line], begin), *to = from ? strstr(from, end) : NULL;
    const char *words = NULL;
    if (to) {
        from += strlen(begin);
        words = translated(page, format("%.*s", (int)(to - from), from));
    }
    if (words)
        fprintf(page->to, "%.*s%s%s\n", (int)(from - page->lines[line]), page->lines[line], words,
                to);
    else
        copy(page, line, line + 1);
}

/* Whether a cell says something that is neither code nor a figure. */
static bool has_words(const char *cell)
{
    bool code = false, words = false;
    for (; *cell; cell++) {
        code ^= *cell == '`';
        words |= !code && isalpha((unsigned char)*cell);
    }
    return words;
}

/* How long a cell is, to the | behind it; one in code, or behind a backslash, is its own. */
static size_t cell_length(const char *cell)
{
    size_t length = 0;
    for (bool code = false; cell[length] && (code || cell[length] != '|'); length++) {
        code ^= cell[length] == '`';
        length += cell[length] == '\\' && cell[length + 1];
    }
    return length;
}

/* A row of a table, cell by cell. */
static void row(const struct page *page, size_t line)
{
    FILE *out = open_text();
    bool any = false;
    const char *rest = at(page, line);
    for (size_t length; length = cell_length(++rest), rest[length]; rest += length) {
        const char *cell = trimmed(rest, rest + length);
        const char *translation = has_words(cell) ? translated(page, cell) : NULL;
        any |= translation != NULL;
        fprintf(out, "| %s ", translation ? translation : cell);
    }
    const char *whole = close_text(out);
    if (any)
        fprintf(page->to, "%s|\n", whole);
    else
        copy(page, line, line + 1);
}

/* What begins in this line. Returns the line behind it. */
static size_t block(const struct page *page, size_t line)
{
    const char *words = at(page, line);
    if (begins_with(words, "```"))
        return fence(page, line);
    if (begins_with(words, "<!--")) {
        const size_t last = behind(page, line, "-->", false);
        copy(page, line, last);
        return last;
    }
    if (*words == '<')
        markup(page, line);
    else if (*words == '|')
        row(page, line);
    else if (*words && words < page->lines[line] + 4)
        return paragraph(page, line);
    else /* nothing, or a command */
        copy(page, line, line + 1);
    return line + 1;
}

void units_write(char *const *lines, size_t count, const char *name, FILE *to)
{
    const struct page page = {lines, count, name, to};
    for (size_t line = 0; line < count;)
        line = block(&page, line);
}

void units_list(char *const *lines, size_t count, FILE *to)
{
    units_write(lines, count, NULL, to);
}
