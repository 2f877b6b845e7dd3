/* random_numbers.h - numbers that are the same on every machine: of integers only. */
#ifndef RANDOM_NUMBERS_H
#define RANDOM_NUMBERS_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

/* A number from 0 to limit - 1. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((next_random(state) >> 32) * limit >> 32);
}

/* From 0 to almost 1, all 24 bits of it. */
static inline double random_fraction(uint64_t *state)
{
    return random_below(state, 1u << 24) / 16777216.0;
}

#endif
