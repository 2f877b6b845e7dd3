/* yardstick.c - what a CPU can do: the loop of a chapter beside better ways of counting, on
 * one core and on all, and beside reading the same text, all in one run.
 *
 *     yardstick TEXT CHAPTER OUT.csv
 *
 * TEXT is a file that input wrote; its name stands in TEXT.name. It is linked with one
 * histogram(), that of CHAPTER, a number. The table goes to standard output, and with all its figures to OUT.csv. When
 * a way counts wrongly there is no table; status 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "grouped.h"
#include "histogram.h"
#include "text.h"
#include "timing.h"
#include "ways.h"

static const double most_seconds = 5;

static char name_of_the_loop[40];
static const struct contestant ways[] = {
    {.name = name_of_the_loop, .run = histogram, .counts = true},
    {.name = "16 tables", .run = count_in_16_tables, .counts = true},
#if BINS != 256
    {.name = "comparing", .run = count_by_comparing, .counts = true},
#endif
    {.name = "reading alone", .run = read_only},
};
enum { WAYS = sizeof ways / sizeof *ways, LOOP = 0, READING = WAYS - 1 };

/* What was measured: every way on one core, and after them every way on all. */
struct figures {
    struct contestant contestants[2 * WAYS];
    const struct text *text;
    int runs, cores; /* no cores: nothing was measured on all */
};

__attribute__((noreturn)) static void stop(const char *line)
{
    fprintf(stderr, "%s\n", line);
    exit(1);
}

static void measure(struct figures *figures)
{
    char error[2048];
    for (size_t i = 0; i < 2 * WAYS; i++) {
        figures->contestants[i] = ways[i % WAYS];
        figures->contestants[i].all_cores = i >= WAYS;
    }
    figures->cores = all_cores();
    figures->runs = time_all(figures->contestants, figures->cores > 0 ? 2 * WAYS : WAYS,
                             figures->text, most_seconds, error, sizeof error);
    if (figures->runs == 0)
        stop(error);
}

/* Gigabytes of text a second in a run of so many milliseconds. */
static double rate(const struct figures *figures, double ms)
{
    return (double)figures->text->length / ms / 1e6;
}

static double median(const struct figures *figures, size_t i)
{
    return rate(figures, figures->contestants[i].ms.median);
}

static double times_the_loop(const struct figures *figures, size_t i)
{
    return median(figures, i) / median(figures, LOOP);
}

/* Of reading with as many cores. */
static double percent_of_reading(const struct figures *figures, size_t i)
{
    return 100 * median(figures, i) / median(figures, i < WAYS ? READING : WAYS + READING);
}

static void print_row(const struct figures *figures, const char *name, size_t i)
{
    const struct spread *ms = &figures->contestants[i].ms;
    printf("%-22s%8.2f %6.2f %6.2f %6.1f %5.0f%%\n", name, median(figures, i),
           rate(figures, ms->high), rate(figures, ms->low), times_the_loop(figures, i),
           percent_of_reading(figures, i));
}

static void print_table(const struct figures *figures)
{
    char all[32];
    snprintf(all, sizeof all, "  on all %d cores", figures->cores);
    printf("%s characters of %s in %d bins, on one core:\nmedian, and 10%% to 90%% of %d runs\n\n",
           grouped(figures->text->length), figures->text->name, (int)NUM_BINS, figures->runs);
    printf("%30s %6s %6s %6s %6s\n", "GB/s", "10%", "90%", "x loop", "read");
    for (size_t i = 0; i < WAYS; i++) {
        print_row(figures, ways[i].name, i);
        if (figures->cores > 0)
            print_row(figures, all, WAYS + i);
    }
}

/* The fastest way of counting among WAYS from the first on. */
static size_t best(const struct figures *figures, size_t first)
{
    size_t fastest = first;
    for (size_t i = first; i < first + READING; i++)
        if (median(figures, i) > median(figures, fastest))
            fastest = i;
    return fastest;
}

static void print_yardstick(const struct figures *figures)
{
    const size_t one = best(figures, 0), all = best(figures, WAYS);
    printf("\nThe yardstick: one core counts %.2f GB/s with %s,\n%.1f times the loop",
           median(figures, one), ways[one].name, times_the_loop(figures, one));
    if (figures->cores > 0)
        printf("; all %d cores %.2f", figures->cores, median(figures, all));
    printf(".\n");
    if (figures->cores == 0)
        printf("Not all cores: this compiler has no OpenMP. For clang: apt-get install "
               "libomp-dev\n");
}

static void write_csv(const char *name, const struct figures *figures)
{
    FILE *file = fopen(name, "w");
    if (!file)
        stop("cannot write the CSV file");
    fprintf(file, "way,cores,input,bins,length,runs,median_ms,low_ms,high_ms,GB_per_s,"
                  "times_the_loop,percent_of_reading\n");
    for (size_t i = 0; i < (figures->cores > 0 ? 2 * WAYS : WAYS); i++) {
        const struct contestant *who = &figures->contestants[i];
        fprintf(file, "%s,%d,%s,%d,%zu,%d,%.3f,%.3f,%.3f,%.2f,%.1f,%.0f\n", who->name,
                i < WAYS ? 1 : figures->cores, figures->text->name, (int)NUM_BINS,
                figures->text->length, figures->runs, who->ms.median, who->ms.low, who->ms.high,
                median(figures, i), times_the_loop(figures, i), percent_of_reading(figures, i));
    }
    fclose(file);
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "usage: %s TEXT CHAPTER OUT.csv\n", arguments[0]);
        return 2;
    }
    struct text text = text_read_input(arguments[1]);
    static struct figures figures;
    figures.text = &text;
    snprintf(name_of_the_loop, sizeof name_of_the_loop, "the loop of chapter %s", arguments[2]);
    measure(&figures);
    print_table(&figures);
    print_yardstick(&figures);
    write_csv(arguments[3], &figures);
    text_free(&text);
    return 0;
}
