/* words_in_bytes.h - words and floats that lie in bytes, one behind the other, wherever these begin. */
#ifndef WORDS_IN_BYTES_H
#define WORDS_IN_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The i-th word of 4 bytes, or of 8. */
static inline uint32_t word_at(const unsigned char *bytes, size_t i)
{
    uint32_t word;
    memcpy(&word, bytes + i * sizeof word, sizeof word);
    return word;
}

static inline uint64_t wide_word_at(const unsigned char *bytes, size_t i)
{
    uint64_t word;
    memcpy(&word, bytes + i * sizeof word, sizeof word);
    return word;
}

/* The i-th float. */
static inline double float_at(const unsigned char *bytes, size_t i)
{
    float number;
    memcpy(&number, bytes + i * sizeof number, sizeof number);
    return (double)number;
}

/* The bits of a float, and the float of bits. */
static inline uint32_t bits_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline float float_of_bits(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The bits of floats that are not like others. */
#define NOT_A_NUMBER 0x7fc00000u
#define INFINITE 0x7f800000u
#define SIGN 0x80000000u
#define ONE 0x3f800000u

#endif
