/* edit_to_verdict.c - how long a student waits: from a saved kernel to its verdict.
 *
 *     edit_to_verdict OUT.csv
 *
 * Each chapter's solution is put into a folder of its own, edited (a comment is added at its
 * end), and judged by `make chapterN test`, with everything but the kernel built before: three
 * edits for each number of bins. Prints the median in seconds, with the fastest and the slowest,
 * and writes all of them to OUT.csv. A chapter that refuses a number of bins has a dash. */
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EDITS = 3, NUMBERS = 3, PATH_ROOM = 4096 };
static const char edited[] = "build/edited";
static const char *const bins_of[NUMBERS] = {"5", "26", "256"};

static void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

/* Runs a command with nothing to say, outside of the make that started this program. Returns its
 * exit status. */
static int run(const char *command)
{
    char quiet[2 * PATH_ROOM];
    snprintf(quiet, sizeof quiet, "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL %s >/dev/null 2>&1",
             command);
    return system(quiet);
}

static void add_comment(const char *file)
{
    static unsigned int number;
    FILE *source = fopen(file, "a");
    if (!source)
        stop(file);
    fprintf(source, "// edit %u\n", ++number);
    fclose(source);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_size(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Seconds of the edits, sorted. Returns false when the chapter is not judged right. */
static bool time_edits(const char *file, unsigned int chapter, const char *bins, double *seconds)
{
    char command[PATH_ROOM];
    snprintf(command, sizeof command, "make chapter%u test BINS=%s CHAPTERS=%s", chapter, bins,
             edited);
    if (run(command) != 0) /* the first builds what all need */
        return false;
    for (int edit = 0; edit < EDITS; edit++) {
        add_comment(file);
        double begun = now();
        if (run(command) != 0)
            return false;
        seconds[edit] = now() - begun;
    }
    qsort(seconds, EDITS, sizeof *seconds, by_size);
    return true;
}

/* One chapter: its row of the table, and of the CSV file. */
static void time_chapter(const char *solution, FILE *csv)
{
    char file[PATH_ROOM], command[3 * PATH_ROOM], *copy = strdup(solution);
    const char *contract = basename(copy), *stem = basename(dirname(copy));
    const unsigned int chapter = (unsigned int)strtoul(stem, NULL, 10);
    snprintf(file, sizeof file, "%s/%s/%s", edited, stem, contract);
    snprintf(command, sizeof command, "mkdir -p %s/%s && cp %s %s", edited, stem, solution, file);
    if (system(command) != 0)
        stop(file);
    printf("%-24s", stem);
    for (int i = 0; i < NUMBERS; i++) {
        double seconds[EDITS];
        bool judged = time_edits(file, chapter, bins_of[i], seconds);
        if (!judged) {
            printf(" %21s", "-");
            continue;
        }
        printf("   %5.2f (%5.2f, %5.2f)", seconds[EDITS / 2], seconds[0], seconds[EDITS - 1]);
        fprintf(csv, "%s,%s,%d,%.2f,%.2f,%.2f\n", stem, bins_of[i], EDITS, seconds[EDITS / 2],
                seconds[0], seconds[EDITS - 1]);
        fflush(stdout);
    }
    printf("\n");
    free(copy);
}

int main(int count, char **arguments)
{
    glob_t solutions;
    FILE *csv = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!csv) {
        fprintf(stderr, "usage: edit_to_verdict OUT.csv, which must be writable\n");
        return 2;
    }
    if (glob("solutions/[0-9]*_*/*.c*", 0, NULL, &solutions) != 0) {
        fprintf(stderr, "there is nothing to edit: no solutions here\n");
        return 1;
    }
    fprintf(csv, "chapter,bins,edits,median_s,fastest_s,slowest_s\n");
    printf("\nSeconds from a saved kernel to its verdict, median of %d (fastest, slowest)\n\n",
           EDITS);
    printf("%-24s %20s %21s %21s\n", "", "5 bins", "26 bins", "256 bins");
    for (size_t i = 0; i < solutions.gl_pathc; i++)
        time_chapter(solutions.gl_pathv[i], csv);
    globfree(&solutions);
    fclose(csv);
    return 0;
}
