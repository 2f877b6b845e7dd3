/* source_text.c - what stands in a line of the source: which of several arrays was meant. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/report.h"

/* The text of a .cu file, or of one that it includes, as it was when it was compiled. */
struct kept_source {
    const char *file, *text;
    size_t bytes;
    struct kept_source *next;
};
static struct kept_source *kept_sources;

void sim_keep_source(const char *file, const char *text, size_t bytes)
{
    struct kept_source *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = (struct kept_source){file, text, bytes, kept_sources};
        kept_sources = kept;
    }
}

/* Whether `file`, which may be told from the working directory on, is the one kept as `path`. */
static bool is_path_of(const char *path, const char *file)
{
    const size_t all = strlen(path), part = strlen(file);
    return part <= all && strcmp(path + all - part, file) == 0 &&
           (part == all || file[0] == '/' || path[all - part - 1] == '/');
}

/* What was compiled, if it was; else the file, which is one of the host's. NULL when there is none. */
static FILE *open_source(const char *file)
{
    for (const struct kept_source *kept = kept_sources; kept; kept = kept->next)
        if (is_path_of(kept->file, file))
            return kept->bytes ? fmemopen((void *)(uintptr_t)kept->text, kept->bytes, "r") : NULL;
    return fopen(file, "r");
}

/* Line `number` of a file, from malloc; NULL when there is none. */
static char *read_line(const char *file, int number)
{
    FILE *stream = open_source(file);
    char *line = NULL;
    size_t room = 0;
    ssize_t length = -1;
    for (int i = 0; stream && i < number; i++)
        if ((length = getline(&line, &room, stream)) < 0)
            break;
    if (stream)
        fclose(stream);
    if (length >= 0)
        return line;
    free(line);
    return NULL;
}

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)); at++)
        if ((at == line || !is_word_part(at[-1])) && !is_word_part(at[length]))
            return true;
    return false;
}

/* The line of the source of a call, from malloc; NULL when there is none. */
static char *line_of(uintptr_t pc)
{
    struct sim_source source = sim_find_source(pc, true);
    return source.line ? read_line(source.file, source.line) : NULL;
}

bool sim_source_is_known(const char *file)
{
    FILE *stream = open_source(file);
    if (stream)
        fclose(stream);
    return stream != NULL;
}

bool sim_text_mentions(const char *file, int number, const char *name)
{
    char *line = read_line(file, number);
    bool mentions = line && has_word(line, name);
    free(line);
    return mentions;
}

bool sim_line_mentions(uintptr_t pc, const char *name)
{
    struct sim_source source = sim_find_source(pc, true);
    return source.line && sim_text_mentions(source.file, source.line, name);
}

bool sim_is_declared_with(const char *file, const char *name, const char *one, const char *other)
{
    FILE *stream = open_source(file);
    char *line = NULL;
    size_t room = 0;
    bool is = false;
    while (stream && !is && getline(&line, &room, stream) >= 0)
        is = has_word(line, name) && (has_word(line, one) || has_word(line, other));
    if (stream)
        fclose(stream);
    free(line);
    return is;
}

/* The bracket that opens what the one at `close` ends; NULL when there is none. */
static const char *opening(const char *line, const char *close)
{
    int depth = 0;
    for (const char *at = close; at >= line; at--) {
        depth += (*at == ']') - (*at == '[');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Where the name begins that ends before `end`, with what it is a member of. */
static const char *name_before(const char *line, const char *end)
{
    const char *at = end;
    while (at > line &&
           (is_word_part(at[-1]) || at[-1] == '.' ||
            (at - 1 > line && at[-1] == '>' && at[-2] == '-') || (at[-1] == '-' && at[0] == '>')))
        at--;
    return at;
}

void sim_indexed_name(const char *file, int number, int column, char *name, size_t size)
{
    char *line = read_line(file, number);
    const char *end = NULL, *start;
    name[0] = '\0';
    if (line && column >= 1 && (size_t)column <= strlen(line))
        end = line + column - 1;
    if (end && *end == ']')
        end = opening(line, end); /* gcc's column */
    else
        while (end && is_word_part(*end))
            end++; /* clang's */
    start = end && *end == '[' ? end : NULL;
    while (start && start > line && start[-1] == ']') /* of `table[row][column]` the row */
        start = opening(line, start - 1);
    start = start ? name_before(line, start) : NULL;
    if (start && start < end)
        snprintf(name, size, "%.*s", (int)(end - start), start);
    free(line);
}

/* An element in a line: `bins[bin]`, or `table[row][column]`. */
struct element {
    const char *start;
    size_t name, length; /* of the name, and of all */
};

/* The next element from `at` on; false when there is none. */
static bool next_element(const char *line, const char *at, struct element *element)
{
    const char *open = strchr(at, '['), *end = open;
    if (!open)
        return false;
    const char *start = open;
    while (start > line && is_word_part(start[-1]))
        start--;
    while (*end == '[') {
        int depth = 0;
        do
            depth += (*end == '[') - (*end == ']');
        while (depth && *++end);
        end += *end == ']';
    }
    *element = (struct element){start, (size_t)(open - start), (size_t)(end - start)};
    return true;
}

bool sim_line_element(uintptr_t pc, char *name, size_t size)
{
    char *line = line_of(pc);
    struct element first = {NULL, 0, 0}, next;
    bool one = true;
    for (const char *at = line; at && next_element(line, at, &next);
         at = next.start + next.length) {
        one = one && (!first.start || (next.name == first.name &&
                                       strncmp(next.start, first.start, first.name) == 0));
        first = next;
    }
    one = one && first.start && first.name > 0;
    if (one)
        snprintf(name, size, "%.*s", (int)first.name, first.start);
    free(line);
    return one;
}

bool sim_lines_have(uintptr_t one, uintptr_t other, int before, const char *text)
{
    struct sim_source a = sim_find_source(one, true), b = sim_find_source(other, true);
    bool found = false;
    if (!a.line || !b.line || strcmp(a.file, b.file) != 0)
        return false;
    const int last = a.line > b.line ? a.line : b.line;
    for (int number = (a.line < b.line ? a.line : b.line) - before; number <= last; number++) {
        char *line = number > 0 && !found ? read_line(a.file, number) : NULL;
        found = found || (line && strstr(line, text));
        free(line);
    }
    return found;
}

/* Whether all elements of the array `name` in a line, or of any array when `name` is "", are
 * one and the same. */
static bool has_one_element(const char *line, const char *name, bool *found)
{
    struct element first = {NULL, 0, 0}, next;
    for (const char *at = line; next_element(line, at, &next); at = next.start + next.length) {
        if (*name && (next.name != strlen(name) || strncmp(next.start, name, next.name) != 0))
            continue;
        if (first.start &&
            (next.length != first.length || strncmp(next.start, first.start, first.length) != 0))
            return false;
        first = next;
    }
    *found = first.start != NULL;
    return true;
}

enum sim_update sim_line_updates(uintptr_t pc, const char *name)
{
    char *line = line_of(pc);
    enum sim_update update = SIM_NO_UPDATE;
    bool found = false;
    if (line && has_one_element(line, name, &found) && (found || has_one_element(line, "", &found)))
        update = strstr(line, "++") || strstr(line, "+=")  ? SIM_ADDITION
                 : strstr(line, "--") || strchr(line, '=') ? SIM_OTHER_UPDATE
                                                           : SIM_NO_UPDATE;
    free(line);
    return update;
}

bool sim_line_last_argument(uintptr_t pc, const char *function, char *text, size_t size)
{
    char *line = line_of(pc);
    const char *open = line, *last = NULL, *end = NULL;
    int depth = 0;
    while (
        (open = open ? strchr(open, '(') : NULL)) { /* the call: letters of its name stand before */
        const char *start = open;
        while (start > line && is_word_part(start[-1]))
            start--;
        for (const char *at = start; at < open && !last; at++)
            if (strncasecmp(at, function, strlen(function)) == 0)
                last = open + 1;
        if (last)
            break;
        open++;
    }
    for (const char *at = last; at && *at && !end; at++) {
        if (*at == ',' && depth == 0)
            last = at + 1;
        end = *at == ')' && depth == 0 ? at : NULL;
        depth += (*at == '(') - (*at == ')');
    }
    while (end && last < end && isspace((unsigned char)*last))
        last++;
    while (end && end > last && isspace((unsigned char)end[-1]))
        end--;
    if (end)
        snprintf(text, size, "%.*s", (int)(end - last), last);
    free(line);
    return end && end > last;
}

bool sim_is_parameter(uintptr_t pc, const char *name)
{
    enum { LINES_BEFORE = 10 };
    const struct sim_source source = sim_find_source(pc, true);
    bool is = false;
    for (int number = source.line - LINES_BEFORE; number < source.line && !is; number++) {
        char *line = number > 0 ? read_line(source.file, number) : NULL;
        for (const char *at = line; at && !is && (at = strstr(at, name)); at++) {
            const char behind = at[strlen(name)];
            is = at > line && at[-1] == ' ' && strchr(line, '(') &&
                 (behind == ')' || behind == ',') && at > line + 1 && is_word_part(at[-2]);
        }
        free(line);
    }
    return is;
}
