/* binning.h - which bin a character belongs to, chosen at compile time.
 *
 * -DBINS=5    the default: a-f, g-l, m-r, s-x, y-z, six letters to a bin
 * -DBINS=26   one bin for each of the letters a to z
 * -DBINS=256  one bin for each value of a byte
 * -DBINS=64   one bin for each four of them, 0 to 3, 4 to 7, ...
 *
 * With 5 and 26 bins only the lower-case letters are counted. */
#ifndef BINNING_H
#define BINNING_H

#ifndef BINS
#define BINS 5
#endif

#if BINS != 5 && BINS != 26 && BINS != 64 && BINS != 256
#error "BINS must be 5, 26, 64 or 256"
#endif

enum { NUM_BINS = BINS };

#ifdef __CUDACC__
#define BINNING_FUNCTION __host__ __device__ static inline
#else
#define BINNING_FUNCTION static inline
#endif

/* The bin of a character, 0 to NUM_BINS - 1, or -1 when it is not counted. */
BINNING_FUNCTION int bin_of(unsigned char character)
{
#if 256 % BINS == 0
    return character / (256 / BINS);
#else
    const int letters_per_bin = BINS == 26 ? 1 : 6;
    const int letter = character - 'a';
    return letter >= 0 && letter < 26 ? letter / letters_per_bin : -1;
#endif
}

#undef BINNING_FUNCTION

#endif
