/* tokens.c - takes preprocessed C++ apart: names, numbers, strings, signs.
 *
 * Line markers (`# 12 "file.cu"`) are not tokens: they say where the tokens that
 * follow stand in the user's files. */
#include "names.h"
#include "tokens.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the reader is. */
struct reader {
    struct source *source;
    char *next, *end, *line_start;
    uint32_t line, file;
    bool system;
    bool at_line_start; /* nothing but blanks so far */
    size_t capacity;
};

void *get_memory(void *old, size_t count, size_t size)
{
    void *memory = size && count > SIZE_MAX / size ? NULL : realloc(old, count * size + 1);
    if (!memory) {
        fprintf(stderr, "rewrite: out of memory\n");
        exit(1);
    }
    return memory;
}

/* At once: several files are compiled at the same time. */
static void say_of(const struct source *source, const struct token *token, const char *kind,
                   const char *format, va_list arguments)
{
    size_t length;
    const char *file = source_name(source, token->file, &length);
    char words[1024];
    vsnprintf(words, sizeof words, format, arguments);
    fprintf(stderr, "%.*s:%u: %s: %s\n", (int)length, file, token->line, kind, words);
}

void fail_at(const struct source *source, size_t i, const char *format, ...)
{
    const struct token *token = token_at(source, i);
    if (token->kind == TOKEN_END && i > 0)
        token = token_at(source, source->count < 2 ? 0 : source->count - 2);
    va_list arguments;
    va_start(arguments, format);
    say_of(source, token, "error", format, arguments);
    va_end(arguments);
    exit(1);
}

void warn_at(const struct source *source, size_t i, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_of(source, token_at(source, i), "warning", format, arguments);
    va_end(arguments);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c & 0x80;
}

static void new_line(struct reader *reader)
{
    reader->line++;
    reader->line_start = reader->next;
    reader->at_line_start = true;
}

/* Passes a directive's line. A marker moves the reader to another place in the
 * user's files; the next line is the one that it names. */
static void read_directive(struct reader *reader)
{
    char *start = reader->next;
    char *end = memchr(start, '\n', (size_t)(reader->end - start));
    end = end ? end : reader->end;
    char *next = start + 1;
    while (next < end && is_blank(*next))
        next++;
    if (end - next > 6 && !memcmp(next, "pragma", 6)) {
        next += 6;
        while (next < end && is_blank(*next))
            next++;
        /* Each access must stay one instruction; nvcc's unrolling changes no count. */
        bool unroll = (end - next >= 6 && !memcmp(next, "unroll", 6)) ||
                      (end - next >= 8 && !memcmp(next, "nounroll", 8));
        if (unroll)
            memset(start, ' ', (size_t)(end - start));
    }
    if (end - next > 4 && !memcmp(next, "line", 4))
        for (next += 4; next < end && is_blank(*next);)
            next++;
    uint32_t line = 0;
    bool marker = next < end && is_digit(*next);
    for (; next < end && is_digit(*next); next++)
        line = line * 10 + (uint32_t)(*next - '0');
    char *quote = marker ? memchr(next, '"', (size_t)(end - next)) : NULL;
    char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    if (close) {
        reader->file = name_id(reader->source->names, quote + 1, (size_t)(close - quote - 1));
        reader->system = memchr(close, '3', (size_t)(end - close)) != NULL;
    }
    if (marker)
        reader->line = line - 1; /* the newline that follows adds one */
    reader->next = end;
}

/* Passes blanks, comments and directives. */
static void skip_blanks(struct reader *reader)
{
    while (reader->next < reader->end) {
        char *next = reader->next;
        bool more = next + 1 < reader->end;
        if (*next == '\n') {
            reader->next++;
            new_line(reader);
        } else if (is_blank(*next) || *next == '\0' || (*next == '\\' && more && next[1] == '\n')) {
            reader->next++;
        } else if (*next == '#' && reader->at_line_start) {
            read_directive(reader);
        } else if (*next == '/' && more && next[1] == '/') {
            char *end = memchr(next, '\n', (size_t)(reader->end - next));
            reader->next = end ? end : reader->end;
        } else if (*next == '/' && more && next[1] == '*') {
            for (reader->next += 2; reader->next < reader->end; reader->next++) {
                if (*reader->next == '/' && reader->next[-1] == '*' && reader->next > next + 2)
                    break;
                if (*reader->next == '\n') {
                    reader->line++;
                    reader->line_start = reader->next + 1;
                }
            }
            reader->next += reader->next < reader->end;
        } else {
            return;
        }
    }
}

/* Passes R"mark( ... )mark"; `next` is at the quote. */
static void skip_raw_string(struct reader *reader)
{
    char *mark = reader->next + 1;
    char *open = mark;
    while (open < reader->end && *open != '(' && *open != '"' && *open != '\n')
        open++;
    size_t length = (size_t)(open - mark);
    char *next = open;
    for (; next < reader->end; next++) {
        if (*next == '\n') {
            reader->line++;
            reader->line_start = next + 1;
        }
        if (*next == ')' && (size_t)(reader->end - next) > length + 1 && next[length + 1] == '"' &&
            !memcmp(next + 1, mark, length)) {
            next += length + 2;
            break;
        }
    }
    reader->next = next;
}

/* Passes a string or character; `next` is at the quote. One that is not
 * closed ends with its line. */
static void skip_string(struct reader *reader)
{
    char quote = *reader->next++;
    for (; reader->next < reader->end && *reader->next != '\n'; reader->next++) {
        if (*reader->next == '\\' && reader->end - reader->next > 1 && reader->next[1] != '\n') {
            reader->next++;
        } else if (*reader->next == quote) {
            reader->next++;
            return;
        }
    }
}

/* A preprocessing number, which is wider than the numbers of C++: 0x1p-3, 1'000, 08.. */
static void skip_number(struct reader *reader)
{
    for (char *next = reader->next;; reader->next = ++next) {
        if (next >= reader->end)
            return;
        bool part = is_digit(*next) || is_letter(*next) || *next == '.';
        bool exponent = (*next == '+' || *next == '-') && strchr("eEpP", next[-1]) && next[-1];
        bool separator =
            *next == '\'' && reader->end - next > 1 && (is_digit(next[1]) || is_letter(next[1]));
        if (!part && !exponent && !separator)
            return;
    }
}

/* Passes a sign and returns its id. Angle brackets stay single, for `>>` may
 * close two template argument lists and `<<<` opens a launch. */
static uint32_t read_sign(struct reader *reader)
{
    static const char signs[][4] = {"...", "::", "->", "++", "--", "+=", "-=", "*=", "/=", "%=",
                                    "&=",  "|=", "^=", "==", "!=", "<=", ">=", "&&", "||"};
    size_t left = (size_t)(reader->end - reader->next);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i][0] != *reader->next) /* of most */
            continue;
        size_t length = strlen(signs[i]);
        if (length <= left && !memcmp(reader->next, signs[i], length)) {
            reader->next += length;
            return SIGN2((unsigned char)signs[i][0], (unsigned char)signs[i][1]);
        }
    }
    return (unsigned char)*reader->next++;
}

/* u8R"..." is one token, and so is L'x'. */
static bool begins_string(const char *prefix, size_t length, bool *raw)
{
    *raw = length > 0 && prefix[length - 1] == 'R';
    length -= *raw;
    return length == 0 || (length == 1 && strchr("LuU", prefix[0]) && prefix[0]) ||
           (length == 2 && !memcmp(prefix, "u8", 2));
}

static void read_name(struct reader *reader, struct token *token)
{
    char *start = reader->next;
    while (reader->next < reader->end && (is_letter(*reader->next) || is_digit(*reader->next)))
        reader->next++;
    size_t length = (size_t)(reader->next - start);
    bool raw;
    bool quote = reader->next < reader->end && (*reader->next == '"' || *reader->next == '\'');
    if (quote && length <= 3 && begins_string(start, length, &raw)) {
        token->kind = TOKEN_STRING;
        if (raw && *reader->next == '"')
            skip_raw_string(reader);
        else
            skip_string(reader);
        return;
    }
    token->kind = TOKEN_NAME;
    token->id = name_id(reader->source->names, start, length);
}

/* A token without kind or length yet; the first and the last of a source stay so: its ends. */
static struct token *add_token(struct reader *reader)
{
    struct source *source = reader->source;
    if (source->count == reader->capacity) {
        reader->capacity = reader->capacity ? reader->capacity * 2 : 4096;
        source->tokens = get_memory(source->tokens, reader->capacity, sizeof *source->tokens);
    }
    struct token *token = &source->tokens[source->count++];
    *token = (struct token){.text = reader->next,
                            .line = reader->line,
                            .column = (uint32_t)(reader->next - reader->line_start) + 1,
                            .file = reader->file,
                            .system = reader->system};
    return token;
}

static void read_token(struct reader *reader)
{
    struct token *token = add_token(reader);
    char *start = reader->next;
    if (is_letter(*start)) {
        read_name(reader, token);
    } else if (is_digit(*start) ||
               (*start == '.' && reader->end - start > 1 && is_digit(start[1]))) {
        token->kind = TOKEN_NUMBER;
        reader->next++;
        skip_number(reader);
    } else if (*start == '"' || *start == '\'') {
        token->kind = TOKEN_STRING;
        skip_string(reader);
    } else {
        token->kind = TOKEN_SIGN;
        token->id = read_sign(reader);
    }
    token->length = (uint32_t)(reader->next - start);
    reader->at_line_start = false;
}

/* Links each bracket to its partner. One that has none keeps 0. */
static void match_brackets(struct source *source)
{
    static const char open[] = "([{", close[] = ")]}";
    uint32_t *stack = get_memory(NULL, source->count, sizeof *stack);
    size_t depth = 0, waiting[3] = {0, 0, 0};
    for (size_t i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        if (token->kind != TOKEN_SIGN || token->length != 1)
            continue;
        const char *opens = strchr(open, *token->text), *closes = strchr(close, *token->text);
        if (opens && *opens) {
            stack[depth++] = (uint32_t)i;
            waiting[opens - open]++;
        } else if (closes && *closes && waiting[closes - close] > 0) {
            size_t partner;
            do {
                partner = stack[--depth];
                waiting[strchr(open, *source->tokens[partner].text) - open]--;
            } while (*source->tokens[partner].text != open[closes - close]);
            source->tokens[partner].match = (uint32_t)i;
            source->tokens[i].match = (uint32_t)partner;
        }
    }
    free(stack);
}

struct source *source_read(char *text, size_t length)
{
    struct source *source = get_memory(NULL, 1, sizeof *source);
    *source = (struct source){.text = text, .length = length, .names = names_new()};
    struct reader reader = {.source = source,
                            .next = text,
                            .end = text + length,
                            .line_start = text,
                            .line = 1,
                            .at_line_start = true};
    reader.file = name_id(source->names, "input", 5);
    add_token(&reader);
    for (skip_blanks(&reader); reader.next < reader.end; skip_blanks(&reader))
        read_token(&reader);
    add_token(&reader);
    match_brackets(source);
    return source;
}

void source_free(struct source *source)
{
    names_free(source->names);
    free(source->tokens);
    free(source);
}
