/* copies.c - what copy_on_cores() copies, on so many cores, and with threads that cannot be made. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Stand-ins: how many cores are online, and which threads cannot be made: bit i of the i-th one. */
static long online_cores;
static unsigned int refused, asked_for, made, joined;

static long count_cores(int name)
{
    return name == _SC_NPROCESSORS_ONLN ? online_cores : -1;
}

static int make_thread(pthread_t *thread, const pthread_attr_t *how, void *(*what)(void *),
                       void *with)
{
    const int error = refused >> asked_for++ & 1 ? EAGAIN : pthread_create(thread, how, what, with);
    made += error == 0;
    return error;
}

static int join_thread(pthread_t thread, void **result)
{
    return joined++ < made ? pthread_join(thread, result) : EINVAL;
}

#define sysconf count_cores
#define pthread_create make_thread
#define pthread_join join_thread
#include "given/copy_on_cores.h"

enum { MOST = 3 * COPY_ALONE, MARGIN = 64, UNTOUCHED = 0xa5 };

static unsigned char source[MOST];

/* Copies so many bytes from and to odd addresses; each has to arrive, and none beside them. */
static void expect_copied(size_t bytes)
{
    unsigned char *held = malloc(bytes + 2 * MARGIN + 1), *to = held + MARGIN + 1;
    cr_assert(held && bytes < MOST);
    memset(held, UNTOUCHED, bytes + 2 * MARGIN + 1);
    asked_for = made = joined = 0;
    copy_on_cores(to, source + 1, bytes);
    for (size_t i = 0; i < bytes; i++)
        cr_assert(to[i] == source[i + 1], "%ld cores, refused %x: byte %zu of %zu", online_cores,
                  refused, i, bytes);
    for (size_t i = 0; i < MARGIN; i++)
        cr_assert(to[bytes + i] == UNTOUCHED && held[i] == UNTOUCHED,
                  "%ld cores: something is written beside %zu bytes", online_cores, bytes);
    cr_expect_eq(joined, made, "%u threads of %u have ended", joined, made);
    free(held);
}

/* No two bytes that are near each other are alike, nor two that are as far apart as parts are. */
static void fill_source(void)
{
    unsigned int state = 1;
    for (size_t i = 0; i < MOST; i++)
        source[i] = (unsigned char)((state = state * 1664525 + 1013904223) >> 24);
    refused = 0;
}

TestSuite(copy_on_cores, .init = fill_source);

/* Catches a remainder that is lost, where the length is no multiple of the number of cores. */
Test(copy_on_cores, copies_each_byte_with_any_number_of_cores)
{
    for (online_cores = 1; online_cores <= COPY_CORES + 1; online_cores++)
        for (size_t more = 0; more < COPY_CORES + 1; more += 3) {
            expect_copied(COPY_ALONE + more);
            expect_copied(2 * COPY_ALONE - 1 - more);
        }
}

/* The caller is one of them. Catches parts that one thread copies, one after the other. */
Test(copy_on_cores, takes_as_many_threads_as_there_are_cores)
{
    static const long threads[][2] = {{-1, 0}, {0, 0}, {1, 0}, {2, 1}, {7, 6}, {16, 15}, {192, 15}};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        online_cores = threads[i][0];
        expect_copied(COPY_ALONE);
        cr_expect_eq(made, threads[i][1], "%ld cores: %u threads", online_cores, made);
    }
    expect_copied(COPY_ALONE - 1);
    cr_expect_eq(asked_for, 0u, "a short copy takes no threads");
}

/* Catches a part that nobody copies, and a thread that is joined and never was. */
Test(copy_on_cores, copies_itself_what_gets_no_thread)
{
    static const unsigned int none_of[] = {0xffff, 1, 0x4000, 0x5555, 0x7ffe};
    for (online_cores = 2; online_cores <= COPY_CORES; online_cores += 7)
        for (size_t i = 0; i < sizeof none_of / sizeof *none_of; i++) {
            refused = none_of[i];
            expect_copied(COPY_ALONE + 13);
            cr_expect_eq(asked_for, (unsigned int)online_cores - 1, "%u are asked for", asked_for);
        }
}
