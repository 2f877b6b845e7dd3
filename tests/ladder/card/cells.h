/* cells.h - keys of many kinds, made on the GPU: those that a sweep draws from. */
#ifndef CELLS_H
#define CELLS_H

#include <math.h>
#include <stddef.h>

/* number: a position from 0 to 1, a length of runs, an exponent, ...; what it is stands behind the kind */
enum kind {
    UNIFORM,
    ZIPF,   /* number: the exponent, 0.5 to 2 */
    SINGLE, /* a position */
    STRIDE, /* uniform among multiples of that number */
    NINETY, /* a position has 90% */
    SORTED,
    REVERSED,
    RUNS,      /* of so many neighbors, 2 to 4,096 */
    BLOCKS,    /* of so many equal keys, 1,024 to 2^22 */
    CLUSTER,   /* that share of the bins, around a center that moves over all */
    ALTERNATE, /* two keys in turns */
    PERMUTATION,
    PARTITION, /* 1,024 neighbors from a position on */
    /* patterns that had been slow */
    EIGHT,      /* eight bins take 70% */
    SHORT_RUNS, /* runs of 1 to 16 of one key, at random places */
    CORNER,     /* all in a 2,048th of the bins */
    FAR,        /* 37 bins far apart */
    MODULO,     /* key = i % bins */
    WAVE,       /* a slow sine over the bins */
    /* five more, with which the kernels were not tuned before their first measurement */
    BELL,       /* a normal distribution of that width around the middle */
    BURSTS,     /* 4,096 elements of one key, then 4,096 uniform ones, in turns */
    WALK,       /* 256 neighbors go up in steps of 0 to 3 from a random bin */
    TWO_SCALES, /* half in 256 bins side by side, half uniform */
    PICTURE,    /* rows of pixels, whose gray goes smoothly, with noise of a few bins */
    /* and five more, invented after that */
    CHIRP,      /* neighbors step by 0 bins at the begin and by 16 at the end */
    TRANSPOSED, /* a table of 1,024 rows, read by columns: neighbors are a row apart */
    OCTAVES, /* as many keys in 1 to 2 as in 2 to 4, and so on: the most frequent lie side by side */
    DRIFT,   /* one key has 60%, and in each 16th of the elements it is another one */
    LATE,    /* uniform, but the last 32nd of the elements have one key */
    KINDS
};
#define KIND_NAMES                                                                                 \
    "uniform", "zipf", "single", "stride", "ninety", "sorted", "reversed", "runs", "blocks",       \
        "cluster", "alternate", "permutation", "partition", "eight", "short_runs", "corner",       \
        "far", "modulo", "wave", "bell", "bursts", "walk", "two_scales", "picture", "chirp",       \
        "transposed", "octaves", "drift", "late"

__host__ __device__ static inline unsigned int mixed(unsigned int x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

__device__ static inline unsigned int scaled(unsigned int random, size_t limit)
{
    return (unsigned int)((unsigned long long)random * limit >> 32);
}

__device__ static double zipf_rank(unsigned int random, size_t ranks, double exponent)
{
    const double share = (random + 0.5) / 4294967296.0, end = (double)ranks + 1;
    if (exponent == 1)
        return exp(share * log(end));
    return pow(1 + share * (pow(end, 1 - exponent) - 1), 1 / (1 - exponent));
}

/* The key of element i. Every key has a bin. */
__device__ static unsigned int key_of(unsigned int i, size_t length, size_t bins, enum kind kind,
                                      double number)
{
    const unsigned int random = mixed(2 * i + 1), second = mixed(random ^ 0x9e3779b9U);
    const size_t neighbors = bins < 1024 ? bins : 1024, prime = 2654435761ULL;
    const size_t place = (size_t)(number * (double)bins);
    const unsigned int whole = number < 1 ? 1 : (unsigned int)number;
    size_t key = scaled(random, bins);
    switch (kind) {
    case ZIPF: {
        const size_t rank = (size_t)(zipf_rank(random, bins, number) - 1);
        key = (rank < bins ? rank : bins - 1) * prime % bins;
        break;
    }
    case SINGLE:
        key = place;
        break;
    case STRIDE:
        key = (size_t)whole * scaled(random, (bins + whole - 1) / whole);
        break;
    case NINETY:
        key = second % 10 != 0 ? place : key;
        break;
    case SORTED:
        key = (size_t)i * bins / length;
        break;
    case REVERSED:
        key = (length - 1 - i) * bins / length;
        break;
    case RUNS:
        key = scaled(mixed((i + mixed(i / (8 * whole)) % whole) / whole), bins);
        break;
    case BLOCKS:
        key = scaled(mixed(i / whole), bins);
        break;
    case CLUSTER: {
        const size_t width = 1 + (size_t)(number * (double)(bins - 1));
        key = (size_t)i * (bins - width) / length +
              ((size_t)scaled(random, width) + scaled(second, width)) / 2;
        break;
    }
    case ALTERNATE:
        key = i % 2 == 0 ? place : scaled(mixed((unsigned int)place), bins);
        break;
    case PERMUTATION:
        key = i % bins * prime % bins;
        break;
    case PARTITION:
        key = (place < bins - neighbors ? place : bins - neighbors) + scaled(random, neighbors);
        break;
    case EIGHT:
        key = second % 10 < 7 ? bins * (random % 8) / 8 : key;
        break;
    case SHORT_RUNS:
        key = scaled(mixed((i / 64) * 64 + i % 64 / (1 + mixed(i / 64) % 16)), bins);
        break;
    case CORNER:
        key = (bins / 3 + scaled(random, bins / 2048 + 1)) % bins;
        break;
    case FAR:
        key = bins * (random % 37) / 37;
        break;
    case MODULO:
        key = i % bins;
        break;
    case WAVE:
        key = (size_t)((1 + sin((double)i * 40 / (double)length)) / 2 * (double)(bins - 1));
        break;
    case BELL: {
        const double u = (random + 0.5) / 4294967296.0, v = (second + 0.5) / 4294967296.0;
        const double at = 0.5 + number * sqrt(-2 * log(u)) * cos(6.283185307 * v);
        key = at <= 0 ? 0 : at >= 1 ? bins - 1 : (size_t)(at * (double)(bins - 1));
        break;
    }
    case BURSTS:
        key = i / 4096 % 2 ? key : scaled(mixed(i / 8192), bins);
        break;
    case WALK:
        key = ((size_t)scaled(mixed(i / 256), bins) + i % 256 * 3 / 2 + random % 2) % bins;
        break;
    case TWO_SCALES:
        key = second % 2 ? (place + random % 256) % bins : key;
        break;
    case PICTURE: {
        const double x = i % 4096 / 4096.0, y = i / 4096 % 4096 / 4096.0;
        const double gray = (2 + sin(9 * x + 3 * y) + cos(5 * y - 2 * x)) / 4;
        key = ((size_t)(gray * (double)(bins - 1)) + random % 5) % bins;
        break;
    }
    case CHIRP:
        key = (size_t)i * i / (length / 8 + 1) % bins;
        break;
    case TRANSPOSED: {
        const size_t rows = bins < 1024 ? 1 : 1024, columns = bins / rows;
        key = i % rows * columns + i / rows % columns;
        break;
    }
    case OCTAVES: {
        unsigned int octaves = 1;
        while (octaves < 31 && (size_t)2 << octaves <= bins)
            octaves++;
        const size_t from = (size_t)1 << random % octaves;
        key = from - 1 + scaled(second, from);
        break;
    }
    case DRIFT:
        key = second % 10 < 6 ? scaled(mixed((unsigned int)((size_t)i * 16 / length)), bins) : key;
        break;
    case LATE:
        key = i >= length / 32 * 31 ? place : key;
        break;
    default:
        break;
    }
    return (unsigned int)(key < bins ? key : bins - 1);
}

#endif
