/* table.h - the one hash table of the simulator, and arrays that grow.
 *
 * Open addressing with linear probing (Knuth, The Art of Computer Programming, volume
 * 3, section 6.4). Nothing is ever taken out singly, so that a probe ends at the first
 * free entry. All of it is inline: the rewriting step, a program of its own, uses it, too. */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A number of `bits` bits (1 to 63) that spreads neighboring keys, as addresses are, far
 * apart: Fibonacci hashing, ibidem. */
static inline size_t sim_hash(uint64_t key, unsigned int bits)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - bits));
}

/* Entries are structs of `entry_bytes` bytes whose first member is `uint64_t key`; a key
 * of 0 marks a free one. To start, all but `entry_bytes` is zero. */
struct sim_table {
    size_t entry_bytes;
    unsigned char *entries;
    unsigned int bits; /* there are 2^bits entries, at most half of them in use */
    size_t count;      /* in use */
};

/* The entry with `key`, or the free one that it would take. */
static inline void *sim_table_probe(const struct sim_table *table, uint64_t key)
{
    size_t last = ((size_t)1 << table->bits) - 1;
    for (size_t at = sim_hash(key, table->bits);; at = (at + 1) & last) {
        void *entry = table->entries + at * table->entry_bytes;
        uint64_t there = *(const uint64_t *)entry;
        if (there == key || there == 0)
            return entry;
    }
}

/* The entry with `key`, which is not 0; NULL when there is none. */
static inline void *sim_table_find(const struct sim_table *table, uint64_t key)
{
    void *entry = table->entries ? sim_table_probe(table, key) : NULL;
    return entry && *(const uint64_t *)entry ? entry : NULL;
}

/* Doubles the room. Returns 0, and changes nothing, when memory is out. */
static inline int sim_table_grow(struct sim_table *table)
{
    enum { FIRST_BITS = 6 };
    struct sim_table grown = *table;
    grown.bits = table->entries ? table->bits + 1 : FIRST_BITS;
    grown.entries = (unsigned char *)calloc((size_t)1 << grown.bits, table->entry_bytes);
    if (!grown.entries)
        return 0;
    for (size_t i = 0; table->entries && i < (size_t)1 << table->bits; i++) {
        const unsigned char *entry = table->entries + i * table->entry_bytes;
        if (*(const uint64_t *)(const void *)entry)
            memcpy(sim_table_probe(&grown, *(const uint64_t *)(const void *)entry), entry,
                   table->entry_bytes);
    }
    free(table->entries);
    *table = grown;
    return 1;
}

/* The entry with `key`, which is not 0; a new one is zero but for its key. It stays where
 * it is until the next new one comes. NULL when memory is out. */
static inline void *sim_table_add(struct sim_table *table, uint64_t key)
{
    void *entry = sim_table_find(table, key);
    if (entry)
        return entry;
    if ((!table->entries || 2 * (table->count + 1) > (size_t)1 << table->bits) &&
        !sim_table_grow(table))
        return NULL;
    entry = sim_table_probe(table, key);
    *(uint64_t *)entry = key;
    table->count++;
    return entry;
}

/* The entry behind `entry`, in no order that means anything; the first after NULL; NULL
 * after the last. */
static inline void *sim_table_next(const struct sim_table *table, const void *entry)
{
    size_t room = table->entries ? (size_t)1 << table->bits : 0;
    size_t at =
        entry ? (size_t)((const unsigned char *)entry - table->entries) / table->entry_bytes + 1
              : 0;
    for (; at < room; at++)
        if (*(const uint64_t *)(const void *)(table->entries + at * table->entry_bytes))
            return table->entries + at * table->entry_bytes;
    return NULL;
}

/* Takes all entries out, and keeps their room. */
static inline void sim_table_clear(struct sim_table *table)
{
    if (table->entries && table->count)
        memset(table->entries, 0, table->entry_bytes << table->bits);
    table->count = 0;
}

/* Gives the room back; the table is as at the start. */
static inline void sim_table_free(struct sim_table *table)
{
    free(table->entries);
    *table = (struct sim_table){.entry_bytes = table->entry_bytes};
}

/* Makes room for `wanted` items of `size` bytes in `array`, which has room for *room; what
 * is new is zero. Returns the array, which may have moved; NULL when memory is out, and
 * the array is as before. */
static inline void *sim_grow(void *array, size_t *room, size_t wanted, size_t size)
{
    enum { LEAST = 64 };
    if (wanted <= *room)
        return array;
    size_t more = *room ? 2 * *room : LEAST;
    more = more < wanted ? wanted : more;
    unsigned char *grown = (unsigned char *)realloc(array, more * size);
    if (!grown)
        return NULL;
    memset(grown + *room * size, 0, (more - *room) * size);
    *room = more;
    return grown;
}

#endif
