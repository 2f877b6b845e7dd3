/* sizes.h - sizes as they are typed. */
#ifndef SIZES_H
#define SIZES_H

#include <stdlib.h>
#include <string.h>

/* "50000000", "64K", "16M", "8G", and "1Kv", which is 1024 values of `value` bytes: in bytes. 0 for what is no
 * such size, or from 2^50 on. */
static inline size_t size_typed(const char *size, size_t value)
{
    static const char units[] = "KMGT";
    char *end;
    const unsigned long long number = strtoull(size, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    end += unit != NULL;
    const size_t each = *end == 'v' && value ? value : 1;
    end += each > 1;
    if (*size < '0' || *size > '9' || *end != '\0' || number >= 1ULL << (46 - shift))
        return 0;
    return (size_t)(number << shift) * each;
}

#endif
