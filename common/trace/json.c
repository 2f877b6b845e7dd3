/* json.c - the commas, names and escapes of JSON: see json.h. */
#define _GNU_SOURCE
#include "json.h"

#include <math.h>
#include <string.h>

#include "util.h"

/* The length of the UTF-8 character that begins here, beyond ASCII; 0 when it is none: also of one that is
 * longer than it need be, of a surrogate, and of what is beyond U+10FFFF. */
static size_t utf8_length(const unsigned char *text)
{
    const size_t length = *text >= 0xc2 && *text < 0xe0   ? 2
                          : *text >= 0xe0 && *text < 0xf0 ? 3
                          : *text >= 0xf0 && *text < 0xf5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

/* A character of a string, with the value of a byte. */
static void put_byte(unsigned char byte, FILE *to)
{
    if (byte == '"' || byte == '\\')
        fprintf(to, "\\%c", byte);
    else if (byte < ' ' || byte > '~' || byte == '<' || byte == '>' || byte == '&')
        fprintf(to, "\\u%04x", byte);
    else
        putc(byte, to);
}

/* A text as a string of JSON that may stand in a page; what is no UTF-8 is taken for Latin-1. */
static void put_json(const char *text, FILE *to)
{
    putc('"', to);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = utf8_length(at);
        if (length > 0)
            fwrite(at, 1, length, to);
        else
            put_byte(*at, to);
        at += length > 0 ? length : 1;
    }
    putc('"', to);
}

/* What stands before a value: a comma, and its name. */
static void begin_value(struct json *json, const char *name)
{
    if (json->any[json->depth])
        putc(',', json->to);
    if (json->on_new_line)
        putc('\n', json->to);
    else if (json->any[json->depth] && !json->tight)
        putc(' ', json->to);
    json->on_new_line = false;
    json->any[json->depth] = true;
    if (name) {
        put_json(name, json->to);
        fputs(json->tight ? ":" : ": ", json->to);
    }
}

void json_break(struct json *json)
{
    json->on_new_line = true;
}

static void open_level(struct json *json, const char *name, char first, char last)
{
    begin_value(json, name);
    if (json->depth == JSON_DEPTH)
        fail(3, "json: more than %d levels", JSON_DEPTH);
    putc(first, json->to);
    json->close[json->depth++] = last;
    json->any[json->depth] = false;
}

void json_object(struct json *json, const char *name)
{
    open_level(json, name, '{', '}');
}

void json_array(struct json *json, const char *name)
{
    open_level(json, name, '[', ']');
}

void json_end(struct json *json)
{
    putc(json->close[--json->depth], json->to);
}

void json_text(struct json *json, const char *name, const char *text)
{
    begin_value(json, name);
    if (text)
        put_json(text, json->to);
    else
        fputs("null", json->to);
}

void json_count(struct json *json, const char *name, unsigned long long number)
{
    begin_value(json, name);
    fprintf(json->to, "%llu", number);
}

void json_integer(struct json *json, const char *name, long long number)
{
    begin_value(json, name);
    fprintf(json->to, "%lld", number);
}

void json_exact(struct json *json, const char *name, unsigned long long number)
{
    const char *quote = number >> 53 ? "\"" : "";
    begin_value(json, name);
    fprintf(json->to, "%s%llu%s", quote, number, quote);
}

void json_number(struct json *json, const char *name, double number)
{
    begin_value(json, name);
    if (isfinite(number))
        fprintf(json->to, "%.15g", number);
    else
        fputs("null", json->to);
}

void json_truth(struct json *json, const char *name, bool truth)
{
    begin_value(json, name);
    fputs(truth ? "true" : "false", json->to);
}

void json_bytes(struct json *json, const char *name, const unsigned char *bytes, size_t length)
{
    begin_value(json, name);
    putc('"', json->to);
    for (size_t i = 0; i < length; i++)
        put_byte(bytes[i], json->to);
    putc('"', json->to);
}
