/* total.c - adds up the last lines "12 passed, 0 failed" of test programs.
 *
 *     total OUTPUT...
 *     total --line NAME OUTPUT...
 *     total --table SECONDS --group NAME OUTPUT... --group NAME OUTPUT...
 *
 * Prints what the programs in which something failed have said, without what passed, and last the
 * sum as the same kind of line. A program without that line has crashed and counts as one failure;
 * its last words are printed. Status 1 when anything failed, or nothing passed.
 *
 * --line prints one line about a group of programs, and nothing of what they said. --table prints a
 * row for each group, and for all, which were begun at this second of the clock; after it what was
 * left out. How long a program took stands in the file seconds beside its output (tried.sh); what it left
 * out it says in lines "left out: WHAT; COMMAND". */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "grouped.h"

struct sum {
    unsigned long passed, failed, left_out;
    double seconds, of_cores;
};

/* What is said of all programs, a line each, and only once. */
struct lines {
    char *text;
};

static void add_line(struct lines *lines, const char *line)
{
    char *longer = NULL, *wanted = NULL;
    const char *before = lines->text ? lines->text : "\n";
    if (asprintf(&wanted, "\n  %s\n", line) < 0)
        return;
    if (!strstr(before, wanted) && asprintf(&longer, "%s%s", before, wanted + 1) >= 0) {
        free(lines->text);
        lines->text = longer;
    }
    free(wanted);
}

/* Adds what stands in the file beside an output. */
static void add_seconds(const char *file, struct sum *sum)
{
    char path[4096];
    const char *slash = strrchr(file, '/');
    double seconds, of_cores;
    snprintf(path, sizeof path, "%.*sseconds", slash ? (int)(slash + 1 - file) : 0, file);
    FILE *stream = fopen(path, "r");
    if (stream && fscanf(stream, "%lf %lf", &seconds, &of_cores) == 2) {
        sum->seconds += seconds;
        sum->of_cores += of_cores;
    }
    if (stream)
        fclose(stream);
}

/* Adds the last such line of a file. Returns false when there is none; `last` is then its last
 * line. */
static bool add(const char *file, struct sum *sum, struct lines *left_out, char *last, size_t size)
{
    struct sum found = {.passed = 0};
    bool any = false;
    char *line = NULL;
    size_t room = 0;
    FILE *output = fopen(file, "r");
    last[0] = '\0';
    while (output && getline(&line, &room, output) > 0) {
        unsigned long passed, failed;
        int end = 0;
        line[strcspn(line, "\n")] = '\0';
        snprintf(last, size, "%s", line);
        if (strncmp(line, "left out: ", 10) == 0) {
            add_line(left_out, line + 10);
            sum->left_out++;
        }
        if (sscanf(line, "%lu passed, %lu failed%n", &passed, &failed, &end) == 2 && !line[end]) {
            found = (struct sum){.passed = passed, .failed = failed};
            any = true;
        }
    }
    free(line);
    if (output)
        fclose(output);
    sum->passed += found.passed;
    sum->failed += found.failed + !any;
    add_seconds(file, sum);
    return any;
}

/* What a program said before is far above, among the lines of others. */
static void repeat(const char *file, const char *last, bool *any)
{
    if (!*any)
        printf("What failed:\n");
    *any = true;
    printf("%s:\n", file);
    child_repeat(file, stdout);
    if (!strstr(last, " passed, "))
        printf("%s: ended without a result: %s\n", file, last);
}

/* Adds up programs until the next group begins, or the arguments end, and repeats what those have said
 * in which something failed, unless `any` is NULL. Returns how many arguments that were. */
static int add_all(char **arguments, struct sum *sum, struct lines *left_out, bool *any)
{
    int taken = 0;
    char last[512];
    for (; arguments[taken] && strcmp(arguments[taken], "--group") != 0; taken++) {
        const unsigned long before = sum->failed;
        add(arguments[taken], sum, left_out, last, sizeof last);
        if (any && sum->failed > before)
            repeat(arguments[taken], last, any);
    }
    return taken;
}

static void print_sum(const struct sum *sum)
{
    printf("%lu passed, %lu failed\n", sum->passed, sum->failed);
}

static void print_row(FILE *table, const char *name, const struct sum *sum)
{
    fprintf(table, "%-34s %7s", name, grouped(sum->passed + sum->failed));
    fprintf(table, " %8.1f %8.1f", sum->seconds, sum->of_cores);
    fprintf(table, " %7s", sum->failed ? grouped(sum->failed) : "-");
    fprintf(table, " %9s\n", sum->left_out ? grouped(sum->left_out) : "-");
}

static void add_sum(struct sum *all, const struct sum *of_group)
{
    all->passed += of_group->passed;
    all->failed += of_group->failed;
    all->left_out += of_group->left_out;
    all->seconds += of_group->seconds;
    all->of_cores += of_group->of_cores;
}

/* The rows of all groups. Returns their sum. */
static struct sum print_table(const char *begun, char **arguments, struct lines *left_out)
{
    struct sum all = {.passed = 0};
    bool any = false;
    char *rows = NULL;
    size_t size;
    FILE *table = open_memstream(&rows, &size);
    while (table && arguments[0] && arguments[1]) {
        struct sum sum = {.passed = 0};
        const char *name = arguments[1]; /* behind --group */
        arguments += 2;
        arguments += add_all(arguments, &sum, left_out, &any);
        print_row(table, name, &sum);
        add_sum(&all, &sum);
    }
    if (table)
        fclose(table);
    printf("%s%-34s %7s %8s %8s %7s %9s\n%s", any ? "\n" : "", "", "tests", "seconds", "of cores",
           "failed", "left out", rows ? rows : "");
    print_row(stdout, "all", &all);
    printf("seconds: of the tests when they were last run, several at a time; now %.0f s in all\n",
           difftime(time(NULL), (time_t)strtoll(begun, NULL, 10)));
    free(rows);
    return all;
}

int main(int count, char **arguments)
{
    struct sum sum = {.passed = 0};
    struct lines left_out = {.text = NULL};
    bool any = false;
    if (count > 3 && strcmp(arguments[1], "--line") == 0) {
        add_all(arguments + 3, &sum, &left_out, NULL);
        printf("%s: ", arguments[2]);
        print_sum(&sum);
        return 0;
    }
    if (count > 3 && strcmp(arguments[1], "--table") == 0)
        sum = print_table(arguments[2], arguments + 3, &left_out);
    else
        add_all(arguments + 1, &sum, &left_out, &any);
    if (left_out.text)
        printf("What was left out:%s", left_out.text);
    print_sum(&sum);
    return sum.failed > 0 || sum.passed == 0;
}
