/* json.c - strings as JSON, without what could end the script that holds them. */
#include "story.h"

#include <string.h>

static void put(FILE *file, unsigned char c)
{
    if (c == '"' || c == '\\')
        fprintf(file, "\\%c", c);
    else if (c < 32 || c > 126 || c == '<' || c == '>' || c == '&')
        fprintf(file, "\\u%04x", c);
    else
        fputc(c, file);
}

/* The length of the UTF-8 character that begins here, beyond ASCII; 0 when it is none. */
static size_t wide(const unsigned char *text)
{
    size_t length = *text >= 0xc2 && *text < 0xe0   ? 2
                    : *text >= 0xe0 && *text < 0xf0 ? 3
                    : *text >= 0xf0 && *text < 0xf5 ? 4
                                                    : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = wide(at);
        if (length > 0)
            fwrite(at, 1, length, file);
        else
            put(file, *at);
        at += length > 0 ? length : 1;
    }
    fputc('"', file);
}

void json_bytes(FILE *file, const unsigned char *bytes, size_t length)
{
    fputc('"', file);
    for (size_t i = 0; i < length; i++)
        put(file, bytes[i]);
    fputc('"', file);
}
