/* source_text.c - what stands in a line of the source: which of several arrays was meant. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/report.h"

/* The line of the source of a call, from malloc; NULL when there is none. */
static char *line_of(uintptr_t pc)
{
    struct sim_source source = sim_find_source(pc, true);
    return source.line ? sim_read_line(source.file, source.line) : NULL;
}

bool sim_line_mentions(uintptr_t pc, const char *name)
{
    struct sim_source source = sim_find_source(pc, true);
    return source.line && sim_text_mentions(source.file, source.line, name);
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
           (sim_is_word_part(at[-1]) || at[-1] == '.' ||
            (at - 1 > line && at[-1] == '>' && at[-2] == '-') || (at[-1] == '-' && at[0] == '>')))
        at--;
    return at;
}

void sim_indexed_name(const char *file, int number, int column, char *name, size_t size)
{
    char *line = sim_read_line(file, number);
    const char *end = NULL, *start;
    name[0] = '\0';
    if (line && column >= 1 && (size_t)column <= strlen(line))
        end = line + column - 1;
    if (end && *end == ']')
        end = opening(line, end); /* gcc's column */
    else
        while (end && sim_is_word_part(*end))
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
    while (start > line && sim_is_word_part(start[-1]))
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

static bool is_named(const struct element *element, const char *name)
{
    return element->name == strlen(name) && strncmp(element->start, name, element->name) == 0;
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

/* Whether the element is given a value there, `place[i] = 0`; `reads` is then whether it is read as well. */
static bool is_assigned(const struct element *element, bool *reads)
{
    const char *behind = element->start + element->length;
    while (*behind == '.' || sim_is_word_part(*behind)) /* a member */
        behind++;
    behind += strspn(behind, " ");
    const size_t signs = strspn(behind, "+-*/%&|^<>");
    *reads = signs > 0;
    return (signs <= 2 && behind[signs] == '=' && behind[signs + 1] != '=' &&
            !(signs == 1 && strchr("<>", *behind))) ||
           strncmp(behind, "++", 2) == 0 || strncmp(behind, "--", 2) == 0;
}

/* Whether the last line above that gives `pointer` a value, `uint16_t *pointer = (uint16_t *)array`, has `name`. */
static bool points_to(const struct sim_source *source, const char *pointer, const char *name)
{
    enum { LINES_BEFORE = 100 };
    const int first = source->line > LINES_BEFORE ? source->line - LINES_BEFORE : 1;
    for (int number = source->line - 1; number >= first; number--) {
        char *line = sim_read_line(source->file, number);
        bool is_set = false;
        for (const char *at = line; at && !is_set && (at = strstr(at, pointer)); at++) {
            const char *behind = at + strlen(pointer);
            is_set = (at == line || !sim_is_word_part(at[-1])) && strspn(behind, " ") > 0 &&
                     strncmp(behind + strspn(behind, " "), "= ", 2) == 0;
        }
        free(line);
        if (is_set)
            return sim_text_mentions(source->file, number, name);
    }
    return false;
}

bool sim_line_means(uintptr_t pc, bool stores, const char *name)
{
    const struct sim_source source = sim_find_source(pc, true);
    char *line = line_of(pc), indexed[64] = "";
    struct element first;
    bool reads = false, means = sim_line_mentions(pc, name);
    const bool assigns =
        line && next_element(line, line, &first) && first.name > 0 && is_assigned(&first, &reads);
    const bool is_stored = assigns && is_named(&first, name);
    if (assigns && stores) {
        means = is_stored;
        snprintf(indexed, sizeof indexed, "%.*s", (int)first.name, first.start);
    } else {
        if (!means)
            sim_line_element(pc, indexed, sizeof indexed);
        if (is_stored && !reads) { /* the name stands elsewhere in the line, too */
            const char *again = strstr(first.start + 1, name);
            means = again && !sim_is_word_part(again[-1]) && !sim_is_word_part(again[strlen(name)]);
        }
    }
    free(line);
    return means || (indexed[0] && points_to(&source, indexed, name));
}

bool sim_lines_have(uintptr_t one, uintptr_t other, int before, const char *text)
{
    struct sim_source a = sim_find_source(one, true), b = sim_find_source(other, true);
    bool found = false;
    if (!a.line || !b.line || strcmp(a.file, b.file) != 0)
        return false;
    const int last = a.line > b.line ? a.line : b.line;
    for (int number = (a.line < b.line ? a.line : b.line) - before; number <= last; number++) {
        char *line = number > 0 && !found ? sim_read_line(a.file, number) : NULL;
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
        if (*name && !is_named(&next, name))
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
        while (start > line && sim_is_word_part(start[-1]))
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
        char *line = number > 0 ? sim_read_line(source.file, number) : NULL;
        for (const char *at = line; at && !is && (at = strstr(at, name)); at++) {
            const char behind = at[strlen(name)];
            is = at > line && at[-1] == ' ' && strchr(line, '(') &&
                 (behind == ')' || behind == ',') && at > line + 1 && sim_is_word_part(at[-2]);
        }
        free(line);
    }
    return is;
}
