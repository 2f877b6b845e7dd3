/* wrapped.c - breaks a text at its blanks: see wrapped.h. */
#include "wrapped.h"

#include <stdio.h>
#include <string.h>

/* How many columns the bytes of a word take: what begins a character of UTF-8 counts. */
static size_t columns_of(const char *word, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

void wrapped_print(const char *text, size_t indent, size_t width)
{
    size_t column = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " "), columns = columns_of(text, length);
        if (column > 0 && column + 1 + columns > width) {
            printf("\n");
            column = 0;
        }
        size_t blanks = column == 0 ? indent : 1;
        printf("%*s%.*s", (int)blanks, "", (int)length, text);
        column += blanks + columns;
        text += length;
    }
    printf("\n");
}
