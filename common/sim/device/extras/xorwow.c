/* xorwow.c - how the generator XORWOW (include/sim_random_xorwow.h) skips ahead.
 *
 * One step maps the 160 bits of its five words to 160 others, by shifts and exclusive ors: a
 * matrix of bits. Its squares are the maps of 2, 4, 8, ... steps. They are computed when they are
 * first asked for: half a millisecond for each. */
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

enum { WORDS = 5, BITS = 32 * WORDS, POWERS = 64 + 67 };

/* Row i is what bit i of the state turns into. */
struct map {
    uint32_t row[BITS][WORDS];
};

static void step(uint32_t v[WORDS])
{
    uint32_t mixed = v[0] ^ (v[0] >> 2), last = v[4];
    memmove(v, v + 1, (WORDS - 1) * sizeof *v);
    v[4] = (last ^ (last << 4)) ^ (mixed ^ (mixed << 1));
}

static void apply(const struct map *map, uint32_t v[WORDS])
{
    uint32_t sum[WORDS] = {0};
    for (int i = 0; i < BITS; i++)
        if (v[i / 32] >> i % 32 & 1)
            for (int w = 0; w < WORDS; w++)
                sum[w] ^= map->row[i][w];
    memcpy(v, sum, sizeof sum);
}

static void make_first(struct map *map)
{
    memset(map, 0, sizeof *map);
    for (int i = 0; i < BITS; i++) {
        map->row[i][i / 32] = 1u << i % 32;
        step(map->row[i]);
    }
}

/* The map of 2^power steps; NULL when the machine has no memory left. */
static const struct map *map_of(unsigned int power)
{
    static struct map *maps[POWERS];
    static unsigned int made;
    for (; made <= power; made++) {
        maps[made] = malloc(sizeof *maps[made]);
        if (!maps[made])
            return NULL;
        if (made == 0) {
            make_first(maps[made]);
            continue;
        }
        *maps[made] = *maps[made - 1];
        for (int i = 0; i < BITS; i++)
            apply(maps[made - 1], maps[made]->row[i]);
    }
    return maps[power];
}

void sim_xorwow_skip(unsigned int *words, unsigned long long count, unsigned int bits)
{
    for (; count; count >>= 1, bits++) {
        const struct map *map = count & 1 ? map_of(bits) : NULL;
        if (map)
            apply(map, words);
    }
}
