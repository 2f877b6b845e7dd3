/* total.c - adds up the last lines "12 passed, 0 failed" of test programs. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "grouped.h"
#include "process.h"
#include "util.h"

struct sum {
    unsigned long passed, failed, left_out;
    double seconds;
};

/* Adds what is said of all programs, a line each, and only once. */
static void add_line(const char **lines, const char *line)
{
    const char *wanted = format("\n  %s\n", line);
    if (!strstr(*lines, wanted))
        *lines = format("%s%s", *lines, wanted + 1);
}

/* Adds the last such line of a file, and what stands in the file beside it. Returns NULL, or where
 * there is none the file's last line. */
static const char *add(const char *file, struct sum *sum, const char **left_out)
{
    struct sum found = {.passed = 0};
    bool any = false;
    const char *last = "";
    for (struct lines in = lines_of(file); next_line(&in);) {
        unsigned long passed, failed;
        int end = 0;
        last = format("%s", in.line);
        if (begins_with(last, "left out: ")) {
            add_line(left_out, last + 10);
            sum->left_out++;
        }
        if (sscanf(last, "%lu passed, %lu failed%n", &passed, &failed, &end) == 2 && !last[end]) {
            found = (struct sum){.passed = passed, .failed = failed};
            any = true;
        }
    }
    sum->passed += found.passed;
    sum->failed += found.failed + !any;
    double seconds;
    for (struct lines in = lines_of(beside(file, "seconds")); next_line(&in);)
        if (sscanf(in.line, "%lf", &seconds) == 1)
            sum->seconds += seconds;
    return any ? NULL : last;
}

/* What a program said before is far above, among the lines of others. */
static void repeat(const char *file, const char *last, bool *any)
{
    if (!*any)
        printf("What failed:\n");
    *any = true;
    printf("%s:\n", file);
    process_repeat(file, stdout);
    if (last)
        printf("%s: ended without a result: %s\n", file, last);
}

/* Adds up programs until the next group begins, or the arguments end, and repeats what those have
 * said in which something failed, unless `any` is NULL. Returns how many arguments that were. */
static int add_all(char **arguments, struct sum *sum, const char **left_out, bool *any)
{
    int taken = 0;
    for (; arguments[taken] && strcmp(arguments[taken], "--group") != 0; taken++) {
        const unsigned long before = sum->failed;
        const char *last = add(arguments[taken], sum, left_out);
        if (any && sum->failed > before)
            repeat(arguments[taken], last, any);
    }
    return taken;
}

static void print_sum(const struct sum *sum)
{
    printf("%lu passed, %lu failed\n", sum->passed, sum->failed);
}

static const char *row_of(const char *name, const struct sum *sum)
{
    return format("%-34s %7s %8.1f %7s %9s\n", name, grouped(sum->passed + sum->failed),
                  sum->seconds, sum->failed ? grouped(sum->failed) : "-",
                  sum->left_out ? grouped(sum->left_out) : "-");
}

static void add_sum(struct sum *all, const struct sum *of_group)
{
    all->passed += of_group->passed;
    all->failed += of_group->failed;
    all->left_out += of_group->left_out;
    all->seconds += of_group->seconds;
}

/* The rows of all groups. Returns their sum. */
static struct sum print_table(const char *begun, char **arguments, const char **left_out)
{
    struct sum all = {.passed = 0};
    bool any = false;
    const char *rows = "";
    while (arguments[0] && arguments[1]) {
        struct sum sum = {.passed = 0};
        const char *name = arguments[1]; /* behind --group */
        arguments += 2;
        arguments += add_all(arguments, &sum, left_out, &any);
        rows = format("%s%s", rows, row_of(name, &sum));
        add_sum(&all, &sum);
    }
    printf("%s%-34s %7s %8s %7s %9s\n%s", any ? "\n" : "", "", "tests", "seconds", "failed",
           "left out", rows);
    printf("%s", row_of("all", &all));
    printf("seconds: of the tests when they were last run, several at a time; now %.0f s in all\n",
           difftime(time(NULL), (time_t)strtoll(begun, NULL, 10)));
    return all;
}

/* OUTPUT...
 * --line NAME OUTPUT...
 * --table SECONDS --group NAME OUTPUT... --group NAME OUTPUT...
 *
 * Prints what the programs in which something failed have said, without what passed, and last the
 * sum as the same kind of line. A program without that line has crashed and counts as one failure;
 * its last words are printed. Status 1 when anything failed, or nothing passed.
 *
 * --line prints one line about a group of programs, and nothing of what they said. --table prints a
 * row for each group, and for all, which were begun at this second of the clock; after it what was
 * left out. How long a program took stands in the file seconds beside its output (tried.sh); what
 * it left out it says in lines "left out: WHAT; COMMAND". */
int total_command(int count, char **arguments)
{
    struct sum sum = {.passed = 0};
    const char *left_out = "\n";
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
    if (left_out[1])
        printf("What was left out:%s", left_out);
    print_sum(&sum);
    return sum.failed > 0 || sum.passed == 0;
}
