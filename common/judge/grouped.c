/* grouped.c - numbers as people read them. */
#include "grouped.h"

#include <stdio.h>

const char *grouped(unsigned long long number)
{
    static char buffers[16][32];
    static unsigned int turn;
    char *buffer = buffers[turn++ % 16];
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", number);
    char *out = buffer;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer;
}
