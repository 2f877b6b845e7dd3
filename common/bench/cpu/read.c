/* read.c - reads a text and does nothing with it: no way of counting can be faster. */
#include <stdint.h>
#include <string.h>

#include "ways.h"

void read_only(const unsigned char *text, size_t length, unsigned int *bins)
{
    uint32_t sum = 0;
    size_t i = 0;
    for (; length - i >= sizeof sum; i += sizeof sum) {
        uint32_t word;
        memcpy(&word, text + i, sizeof word);
        sum += word;
    }
    for (; i < length; i++)
        sum += text[i];
    bins[0] += sum;
}
