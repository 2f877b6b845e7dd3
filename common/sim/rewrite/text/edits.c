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
    size_t shortened_from, shortened_to; /* bytes of the text: edits_shorten */
    const char *shortened;
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

/* Whether a sign goes on that has begun: `<<` and `>>=` are several tokens, and one word of the language. */
static bool continues_sign(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i), *before = token_at(source, i - 1);
    return token->kind == TOKEN_SIGN && (before->id == '<' || before->id == '>') &&
           before->kind == TOKEN_SIGN && strchr("<>=", token->text[0]) &&
           before->text + before->length == token->text;
}

void text_add_tokens(struct text *text, const struct source *source, size_t first, size_t last)
{
    for (size_t i = first; i <= last && i < source->count; i++) {
        const struct token *token = token_at(source, i);
        text_add(text, "%s%.*s", i > first && !continues_sign(source, i) ? " " : "",
                 (int)token->length, token->text);
    }
    for (size_t i = 0; i < text->length; i++) /* of a raw string */
        if (text->bytes[i] == '\n')
            text->bytes[i] = ' ';
}

struct edits *edits_new(void)
{
    struct edits *edits = get_memory(NULL, 1, sizeof *edits);
    *edits = (struct edits){.count = 0};
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
    edits->list[edits->count] = (struct edit){token, edits->count, place, strcpy(copy, text)};
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

void edits_shorten(struct edits *edits, size_t begin, size_t end, const char *instead)
{
    edits->shortened_from = begin;
    edits->shortened_to = end;
    edits->shortened = instead;
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

/* What is written so far: the text up to `next`; the line at hand has `longer`
 * bytes more than in the text. */
struct edited_text {
    const struct source *source;
    FILE *file;
    const char *next;
    long longer;
};

/* Writes the text up to `end`. */
static void write_text(struct edited_text *writer, const char *end)
{
    fwrite(writer->next, 1, (size_t)(end - writer->next), writer->file);
    writer->next = end;
}

/* Writes blanks, or a line marker and blanks, so that the token, which comes next,
 * stands where it stands in the user's file. */
static void write_place(struct edited_text *writer, const struct token *token)
{
    size_t length;
    const char *name = source_name(writer->source, token->file, &length);
    long wanted = token->wanted ? token->wanted : token->column;
    long blanks = wanted - (long)token->column - writer->longer;
    if (blanks == 0)
        return;
    write_text(writer, token->text);
    if (blanks < 0)
        fprintf(writer->file, "\n# %u \"%.*s\"\n%*s", token->line, (int)length, name,
                (int)wanted - 1, "");
    else
        fprintf(writer->file, "%*s", (int)blanks, "");
    writer->longer = wanted - (long)token->column;
}

/* Writes token `i` with its edits, of which list[*edit] is the first. */
static void write_edited(struct edited_text *writer, const struct edits *edits, size_t *edit,
                         size_t i)
{
    const struct token *token = token_at(writer->source, i);
    size_t written = 0;
    bool done = false;
    write_text(writer, token->text);
    for (; *edit < edits->count && edits->list[*edit].token == i; ++*edit) {
        const struct edit *change = &edits->list[*edit];
        if (change->place == AFTER && !done)
            written += fwrite(token->text, 1, token->length, writer->file);
        done |= change->place != BEFORE;
        written += fwrite(change->text, 1, strlen(change->text), writer->file);
    }
    if (!done)
        written += fwrite(token->text, 1, token->length, writer->file);
    for (; written < token->length; written++)
        fputc(' ', writer->file);
    writer->longer += (long)written - (long)token->length;
    writer->next = token->text + token->length;
}

/* Writes what comes before the first edit and is shortened. */
static void write_shortened(struct edited_text *writer, const struct edits *edits)
{
    const char *text = writer->source->text, *end = text + edits->shortened_to;
    if (!edits->shortened ||
        (edits->count && token_at(writer->source, edits->list[0].token)->text < end))
        return;
    write_text(writer, text + edits->shortened_from);
    fputs(edits->shortened, writer->file);
    writer->next = end;
}

bool edits_write(struct edits *edits, const struct source *source, FILE *file)
{
    struct edited_text writer = {source, file, source->text, 0};
    size_t edit = 0;
    uint32_t line_end = 0; /* the column after the last token */
    if (edits->count)
        qsort(edits->list, edits->count, sizeof *edits->list, compare_edits);
    write_shortened(&writer, edits);
    for (size_t i = 1; i + 1 < source->count; i++) {
        const struct token *token = token_at(source, i);
        if (token->column < line_end || token->line != token_at(source, i - 1)->line)
            writer.longer = 0; /* a new line */
        line_end = token->column + token->length;
        if (!token->system && !continues_sign(source, i))
            write_place(&writer, token);
        if (edit < edits->count && edits->list[edit].token == i)
            write_edited(&writer, edits, &edit, i);
    }
    write_text(&writer, source->text + source->length);
    return fflush(file) == 0 && !ferror(file);
}
