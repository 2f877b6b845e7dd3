/* host_text.c - texts of many GiB: a thread for each core fills a part, or counts it. */
#define _GNU_SOURCE
#include "host_text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binning.h"

enum { MOST_THREADS = 64, LEAST_A_THREAD = 1 << 20, BYTE_VALUES = 256, TABLES = 4 };

struct part {
    unsigned char *bytes;
    size_t length, first;
    enum host_text kind;
    uint64_t of_value[BYTE_VALUES];
};

const char *host_text_name(enum host_text kind)
{
    static const char *const names[HOST_TEXTS] = {"mixed", "one letter", "bytes above 127"};
    return names[kind];
}

/* Every number of 64 bits comes from just one other. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

static unsigned char character_of(enum host_text kind, uint64_t random)
{
    enum { LETTERS = 26 };
    const unsigned int byte = random & 0xff;
    if (kind == ONE_LETTER)
        return 'e';
    if (kind == HARDLY_COUNTED)
        return (unsigned char)(byte | 0x80);
    return (unsigned char)(BINS > LETTERS ? byte : 'a' + byte * LETTERS / BYTE_VALUES);
}

static void *fill_part(void *what)
{
    const struct part *part = what;
    for (size_t i = 0; i < part->length;) {
        const size_t number = part->first + i;
        uint64_t random = mixed(number / 8) >> number % 8 * 8;
        for (size_t k = number % 8; k < 8 && i < part->length; k++, random >>= 8)
            part->bytes[i++] = character_of(part->kind, random);
    }
    return NULL;
}

/* In several tables, since neighbours that are equal would wait for each other. */
static void *count_part(void *what)
{
    struct part *part = what;
    uint64_t of[TABLES][BYTE_VALUES];
    memset(of, 0, sizeof of);
    for (size_t i = 0; i < part->length; i++)
        of[i % TABLES][part->bytes[i]]++;
    for (int value = 0; value < BYTE_VALUES; value++)
        for (int table = 0; table < TABLES; table++)
            part->of_value[value] += of[table][value];
    return NULL;
}

static size_t threads_for(size_t length)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t threads = cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (size_t)cores;
    const size_t enough = length / LEAST_A_THREAD + 1;
    return threads < enough ? threads : enough;
}

/* Has the work done on all parts, of which each is a thread's. */
static void do_parts(void *(*work)(void *), struct part *parts, size_t count)
{
    pthread_t threads[MOST_THREADS];
    for (size_t i = 1; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, &parts[i]) != 0) {
            fprintf(stderr, "gpu: cannot start a thread\n");
            exit(1);
        }
    work(&parts[0]);
    for (size_t i = 1; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* The parts of a text, one for each of so many threads. */
static size_t split(struct part *parts, unsigned char *bytes, size_t length, size_t first,
                    enum host_text kind)
{
    const size_t count = threads_for(length), share = length / count;
    memset(parts, 0, count * sizeof *parts);
    for (size_t i = 0; i < count; i++) {
        parts[i].bytes = bytes + i * share;
        parts[i].length = i + 1 < count ? share : length - i * share;
        parts[i].first = first + i * share;
        parts[i].kind = kind;
    }
    return count;
}

void host_text_fill(unsigned char *bytes, size_t length, size_t first, enum host_text kind)
{
    struct part parts[MOST_THREADS];
    do_parts(fill_part, parts, split(parts, bytes, length, first, kind));
}

void host_text_count(const unsigned char *bytes, size_t length, uint64_t *bins)
{
    struct part parts[MOST_THREADS];
    const size_t count = split(parts, (unsigned char *)(uintptr_t)bytes, length, 0, MIXED);
    do_parts(count_part, parts, count);
    for (size_t i = 0; i < count; i++)
        for (int value = 0; value < BYTE_VALUES; value++)
            if (bin_of((unsigned char)value) >= 0)
                bins[bin_of((unsigned char)value)] += parts[i].of_value[value];
}
