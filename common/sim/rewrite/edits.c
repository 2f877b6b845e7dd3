/* edits.c - changes to a text, and the text that results. */
#include "edits.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum place { BEFORE, INSTEAD, AFTER };

struct edit {
    size_t token, order;
    enum place place;
    char *text;
};

struct edits {
    struct edit *list;
    size_t count, capacity;
};

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (text->length + length >= text->capacity) {
        text->capacity = (text->length + length) * 2 + 64;
        text->bytes = get_memory(text->bytes, text->capacity, 1);
    }
    vsnprintf(text->bytes + text->length, length + 1, format, again);
    va_end(again);
    text->length += length;
}

void text_add_tokens(struct text *text, const struct source *source, size_t first, size_t last)
{
    for (size_t i = first; i <= last && i < source->count; i++) {
        const struct token *token = token_at(source, i);
        text_add(text, "%s%.*s", i > first ? " " : "", (int)token->length, token->text);
    }
    for (size_t i = 0; i < text->length; i++) /* of a raw string */
        if (text->bytes[i] == '\n')
            text->bytes[i] = ' ';
}

struct edits *edits_new(void)
{
    struct edits *edits = get_memory(NULL, 1, sizeof *edits);
    *edits = (struct edits){ .count = 0 };
    return edits;
}

void edits_free(struct edits *edits)
{
    for (size_t i = 0; i < edits->count; i++)
        free(edits->list[i].text);
    free(edits->list);
    free(edits);
}

static void edit_add(struct edits *edits, size_t token, enum place place, const char *text)
{
    if (edits->count == edits->capacity) {
        edits->capacity = edits->capacity ? edits->capacity * 2 : 256;
        edits->list = get_memory(edits->list, edits->capacity, sizeof *edits->list);
    }
    char *copy = get_memory(NULL, strlen(text) + 1, 1);
    edits->list[edits->count] = (struct edit){ token, edits->count, place, strcpy(copy, text) };
    edits->count++;
}

void edit_before(struct edits *edits, size_t i, const char *text)
{
    edit_add(edits, i, BEFORE, text);
}

void edit_after(struct edits *edits, size_t i, const char *text)
{
    edit_add(edits, i, AFTER, text);
}

void edit_instead(struct edits *edits, size_t i, const char *text)
{
    edit_add(edits, i, INSTEAD, text);
}

static int compare_edits(const void *left, const void *right)
{
    const struct edit *a = left, *b = right;
    if (a->token != b->token)
        return a->token < b->token ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Writes a line marker and blanks, so that `token` stands where it stood. */
static void write_marker(const struct source *source, const struct token *token, FILE *file)
{
    size_t length;
    const char *name = source_name(source, token->file, &length);
    fprintf(file, "\n# %u \"%.*s\"\n%*s", token->line, (int)length, name,
            (int)token->column - 1, "");
}

/* Writes token `i` with its edits, of which `*edit` is the first, and returns how
 * many bytes the line is longer for it. */
static long write_edited(const struct edits *edits, size_t *edit, const struct token *token,
                         size_t i, FILE *file)
{
    size_t written = 0;
    bool instead = false, done = false;
    for (; *edit < edits->count && edits->list[*edit].token == i; ++*edit) {
        const struct edit *change = &edits->list[*edit];
        if (change->place == AFTER && !done && !instead) {
            written += fwrite(token->text, 1, token->length, file);
            done = true;
        }
        instead |= change->place == INSTEAD;
        written += fwrite(change->text, 1, strlen(change->text), file);
    }
    if (!done && !instead)
        written += fwrite(token->text, 1, token->length, file);
    for (; written < token->length; written++)
        fputc(' ', file);
    return (long)written - (long)token->length;
}

bool edits_write(struct edits *edits, const struct source *source, FILE *file)
{
    qsort(edits->list, edits->count, sizeof *edits->list, compare_edits);
    const char *next = source->text; /* what is written so far ends here */
    size_t edit = 0;
    while (edit < edits->count) {
        size_t i = edits->list[edit].token;
        const struct token *token = token_at(source, i);
        fwrite(next, 1, (size_t)(token->text - next), file);
        long longer = write_edited(edits, &edit, token, i, file);
        next = token->text + token->length;
        const struct token *after = token_at(source, i + 1);
        bool same_line = after->kind != TOKEN_END && after->line == token->line &&
                         after->file == token->file && !after->system &&
                         !memchr(next, '\n', (size_t)(after->text - next));
        if (longer > 0 && same_line) {
            write_marker(source, after, file);
            next = after->text;
        }
    }
    fwrite(next, 1, (size_t)(source->text + source->length - next), file);
    return fflush(file) == 0 && !ferror(file);
}
