/* bin_names.c - which bytes a bin holds, asked of bin_of(): see count.h. */
#include "count.h"

#include <stdio.h>

#include "binning.h"

enum { BYTES = 256, FIRST_PRINTABLE = 33, LAST_PRINTABLE = 126 };

void bytes_of_bin(int bin, int *first, int *last)
{
    *first = *last = -1;
    for (int byte = 0; byte < BYTES; byte++)
        if (bin_of((unsigned char)byte) == bin) {
            *first = *first < 0 ? byte : *first;
            *last = byte;
        }
}

/* The character's name, "" for one that has none in print. */
static const char *character(int byte)
{
    static char printed[2];
    if (byte < FIRST_PRINTABLE || byte > LAST_PRINTABLE)
        return byte == '\t'   ? "\\t"
               : byte == '\n' ? "\\n"
               : byte == '\r' ? "\\r"
               : byte == ' '  ? "space"
               : byte == 0    ? "NUL"
                              : "";
    printed[0] = (char)byte;
    return printed;
}

void name_of_bin(int bin, char *name, size_t size)
{
    int first, last;
    bytes_of_bin(bin, &first, &last);
    if (first == last)
        snprintf(name, size, "%3d %s", first, character(first));
    else if (first >= FIRST_PRINTABLE && last <= LAST_PRINTABLE)
        snprintf(name, size, "%d-%d %c-%c", first, last, first, last);
    else
        snprintf(name, size, "%d-%d", first, last);
}
