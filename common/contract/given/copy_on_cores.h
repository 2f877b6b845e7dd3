/* copy_on_cores.h - copies memory of the host with several of its cores, since one of them copies slower than a
 * card can receive. Given code of chapter 60. */
#ifndef COPY_ON_CORES_H
#define COPY_ON_CORES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
    COPY_CORES = 16,      // at most; 32 were slower than 8 on a host with two H200
    COPY_ALONE = 1 << 20, // so few bytes are copied before another thread has begun
};

struct copy_part {
    pthread_t thread;
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
    bool has_thread; // it has a thread of its own
};

/* Not inlined: what is said of an early copy then names one place, whoever copies. */
__attribute__((noinline)) static void *copy_one(void *what)
{
    const struct copy_part *part = (const struct copy_part *)what;
    memcpy(part->to, part->from, part->bytes);
    return NULL;
}

/* Copies as memcpy does, a part on each core; what gets no thread is copied by the caller. Returns when all
 * parts are copied. */
static void copy_in_parts(unsigned char *to, const unsigned char *from, size_t bytes)
{
    struct copy_part part[COPY_CORES];
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t cores = online < 1 ? 1 : online < COPY_CORES ? (size_t)online : (size_t)COPY_CORES;
    for (size_t i = 0; i < cores; i++) {
        const size_t begin = bytes / cores * i, end = i + 1 < cores ? begin + bytes / cores : bytes;
        part[i].to = to + begin;
        part[i].from = from + begin;
        part[i].bytes = end - begin;
        part[i].has_thread =
            i + 1 < cores && pthread_create(&part[i].thread, NULL, copy_one, &part[i]) == 0;
        if (!part[i].has_thread)
            copy_one(&part[i]);
    }
    for (size_t i = 0; i < cores; i++)
        if (part[i].has_thread)
            pthread_join(part[i].thread, NULL);
}

/* memcpy(to, from, bytes), on several cores where that is faster. A macro, so that what is said of a short copy
 * names the line that asks for it. */
#define copy_on_cores(to, from, bytes)                                                             \
    ((bytes) < COPY_ALONE ? (void)memcpy(to, from, bytes) : copy_in_parts(to, from, bytes))

#endif
