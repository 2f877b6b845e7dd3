/* status_line.c - a line of standard error that is written again and again: see status_line.h.
 *
 * Where that is no terminal each is a line of its own: some mpirun pass on no line before its end. Somebody else
 * may print to standard error meanwhile: the kernel's file says what it could not read. Then the line makes
 * room. Hence stderr is another stream as long as there is a line, one whose writer takes the line away first;
 * glibc lets a program assign it. */
#define _GNU_SOURCE
#include "status_line.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 79 };

static pthread_mutex_t at_work = PTHREAD_MUTEX_INITIALIZER;
static char shown[WIDTH + 1];
static FILE *plain; /* stderr as it was, while there is a line */
static struct {
    const char *(*words)(const void *);
    const void *of;
    pthread_t thread;
    bool has_thread;
    _Atomic bool over;
} asked;

static void take_away(void)
{
    if (*shown)
        fprintf(plain, "\r%*s\r", (int)strlen(shown), "");
    *shown = '\0';
    fflush(plain);
}

static ssize_t write_above(void *nothing, const char *text, size_t length)
{
    (void)nothing;
    pthread_mutex_lock(&at_work);
    take_away();
    const size_t written = fwrite(text, 1, length, plain);
    fflush(plain);
    pthread_mutex_unlock(&at_work);
    return (ssize_t)written;
}

static void write_line(const char *words)
{
    pthread_mutex_lock(&at_work);
    if (plain && !isatty(fileno(plain))) {
        fprintf(plain, "%s\n", words);
    } else if (plain) {
        const size_t before = strlen(shown);
        snprintf(shown, sizeof shown, "%.*s", WIDTH, words);
        fprintf(plain, "\r%-*s", (int)before, shown);
        fflush(plain);
    }
    pthread_mutex_unlock(&at_work);
}

/* What the thread does. */
static void *write_again(void *unused)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    const unsigned int naps = plain && isatty(fileno(plain)) ? 10 : 50;
    for (unsigned int i = 1; !asked.over; i++) {
        nanosleep(&nap, NULL);
        if (i % naps == 0 && !asked.over)
            write_line(asked.words(asked.of));
    }
    return unused;
}

void status_line_begin(const char *(*words)(const void *), const void *of)
{
    FILE *above = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_above});
    if (!above)
        return;
    setvbuf(above, NULL, _IOLBF, BUFSIZ);
    plain = stderr;
    stderr = above;
    asked.words = words;
    asked.of = of;
    asked.over = false;
    write_line(words(of));
    asked.has_thread = pthread_create(&asked.thread, NULL, write_again, NULL) == 0;
}

void status_line_end(const char *words)
{
    if (!plain)
        return;
    asked.over = true;
    if (asked.has_thread)
        pthread_join(asked.thread, NULL);
    if (words)
        write_line(words);
    fclose(stderr);
    stderr = plain;
    if (words && *shown)
        fprintf(plain, "\n");
    else
        take_away();
    *shown = '\0';
    plain = NULL;
}
