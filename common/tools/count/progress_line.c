/* progress_line.c - a line on standard error that is written again and again: see count.h.
 *
 * Where that is no terminal each is a line of its own: some mpirun pass on no line before its end.
 *
 * Somebody else may print to standard error meanwhile: the kernel's file says what it could not read. Then
 * the line makes room. Hence stderr is another stream as long as there is a line, one whose writer takes the
 * line away first; glibc lets a program assign it. */
#define _GNU_SOURCE
#include "count.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 79 };

static pthread_mutex_t at_work = PTHREAD_MUTEX_INITIALIZER;
static char shown[WIDTH + 1];
static FILE *plain; /* stderr as it was, while there is a line */

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

void progress_line_begin(void)
{
    FILE *above = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_above});
    if (!above)
        return;
    setvbuf(above, NULL, _IOLBF, BUFSIZ);
    plain = stderr;
    stderr = above;
}

void progress_line_write(const char *words)
{
    pthread_mutex_lock(&at_work);
    if (plain && !isatty(fileno(plain))) {
        fprintf(plain, "%s\n", words);
    } else if (plain) {
        const size_t before = strlen(shown);
        snprintf(shown, sizeof shown, "%s", words);
        fprintf(plain, "\r%-*s", (int)before, shown);
        fflush(plain);
    }
    pthread_mutex_unlock(&at_work);
}

void progress_line_end(bool stays)
{
    if (!plain)
        return;
    fclose(stderr);
    stderr = plain;
    if (stays && *shown)
        fprintf(plain, "\n");
    else
        take_away();
    *shown = '\0';
    plain = NULL;
}

/* Bytes in the largest unit of which there is at least one, "1.2 GB". */
static const char *in_units(unsigned long long bytes, char *words, size_t size)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1000;
    snprintf(words, size, unit > 0 && value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return words;
}

static void add_time_left(const struct how_far *how, double rate, char *words, size_t size)
{
    const double left = (double)(how->all - how->done) / rate;
    const unsigned long seconds = (unsigned long)(left + 0.5), minute = 60, hour = 60 * minute;
    if (seconds >= hour)
        snprintf(words, size, "  %lu h %02lu min left", seconds / hour, seconds % hour / minute);
    else if (seconds >= minute)
        snprintf(words, size, "  %lu min %02lu s left", seconds / minute, seconds % minute);
    else
        snprintf(words, size, "  %lu s left", seconds);
}

const char *how_far_in_words(const struct how_far *how)
{
    static char words[256];
    char done[32], all[32], rate[32], left[48] = "";
    const double a_second = how->seconds > 0 ? (double)how->done / how->seconds : 0;
    if (how->done == how->all)
        snprintf(left, sizeof left, "  in %.1f s", how->seconds);
    else if (how->done > 0 && a_second > 0)
        add_time_left(how, a_second, left, sizeof left);
    snprintf(words, sizeof words, "%3d%%  %s%s of %s  %s/s%s  %s",
             how->all > 0 ? (int)(100 * (double)how->done / (double)how->all) : 100,
             how->about ? "about " : "", in_units(how->done, done, sizeof done),
             in_units(how->all, all, sizeof all),
             in_units((unsigned long long)a_second, rate, sizeof rate), left, how->file);
    return words;
}
