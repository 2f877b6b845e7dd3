/* columns.c - finds in the user's files where each token stood.
 *
 * The preprocessor keeps lines, but it shrinks blanks and drops comments. The
 * compiler shows the user's own line with a mark below the column, so the column
 * has to be that of the user's file, too. */
#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of the user's files, while its tokens are looked up. */
struct original {
    uint32_t file;
    char *text;
    size_t length;
    uint32_t line; /* that `start` begins */
    const char *start, *end, *next;
};

static void original_close(struct original *original)
{
    free(original->text);
    *original = (struct original){.text = NULL};
}

/* Reads the file; one that cannot be read is empty. */
static void original_open(struct original *original, const struct source *source, uint32_t file)
{
    size_t length, got;
    const char *name = source_name(source, file, &length);
    char *path = get_memory(NULL, length + 1, 1);
    memcpy(path, name, length);
    path[length] = '\0';
    FILE *stream = fopen(path, "rb");
    free(path);
    original_close(original);
    original->file = file;
    original->line = 1;
    do {
        original->text = get_memory(original->text, original->length + 65536, 1);
        got = stream ? fread(original->text + original->length, 1, 65536, stream) : 0;
        original->length += got;
    } while (got > 0);
    if (stream)
        fclose(stream);
    original->start = original->next = original->text;
    original->end = memchr(original->text, '\n', original->length);
    if (!original->end)
        original->end = original->text + original->length;
}

/* Moves to a line; to the end of the file when it has no such line. */
static void original_seek(struct original *original, uint32_t line)
{
    const char *last = original->text + original->length;
    if (line < original->line) {
        original->line = 1;
        original->start = original->text;
    }
    while (original->line < line && original->start < last) {
        const char *newline = memchr(original->start, '\n', (size_t)(last - original->start));
        original->start = newline ? newline + 1 : last;
        original->line++;
    }
    const char *end = memchr(original->start, '\n', (size_t)(last - original->start));
    original->end = end ? end : last;
    original->next = original->start;
}

static const char *skip_blanks(const char *next, const char *end)
{
    while (next < end) {
        if (*next == ' ' || *next == '\t') {
            next++;
        } else if (end - next > 1 && next[0] == '/' && next[1] == '*') {
            for (next += 2; next < end && !(next[0] == '/' && next[-1] == '*');)
                next++;
            next += next < end;
        } else {
            break;
        }
    }
    return next;
}

/* Looks for a token in the rest of the line: here, or further on, when a macro
 * stands between. */
static const char *find(const struct original *original, const struct token *token)
{
    const char *next = skip_blanks(original->next, original->end);
    for (; (size_t)(original->end - next) >= token->length && next < original->end; next++)
        if (!memcmp(next, token->text, token->length))
            return next;
    return NULL;
}

void source_find_columns(struct source *source)
{
    struct original original = {.text = NULL};
    uint32_t line = 0;
    for (size_t i = 1; i + 1 < source->count; i++) {
        struct token *token = &source->tokens[i];
        if (token->system)
            continue;
        bool same_line = token->file == original.file && token->line == line;
        if (token->file != original.file)
            original_open(&original, source, token->file);
        if (!same_line)
            original_seek(&original, token->line);
        line = token->line;
        const char *found = original.length ? find(&original, token) : NULL;
        if (found) {
            token->wanted = (uint32_t)(found - original.start) + 1;
            original.next = found + token->length;
        }
    }
    original_close(&original);
}
