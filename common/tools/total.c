/* total.c - adds up the last lines "12 passed, 0 failed" of test programs.
 *
 *     total OUTPUT...
 *
 * Prints what the programs in which something failed have said, without what passed, and last the
 * sum as the same kind of line. A program without that line has crashed and counts as one failure;
 * its last words are printed. Status 1 when anything failed, or nothing passed. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"

struct sum {
    unsigned long passed, failed;
};

/* Adds the last such line of a file. Returns false when there is none; `last` is then its last
 * line. */
static bool add(const char *file, struct sum *sum, char *last, size_t size)
{
    struct sum found = {0, 0};
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
        if (sscanf(line, "%lu passed, %lu failed%n", &passed, &failed, &end) == 2 && !line[end]) {
            found = (struct sum){passed, failed};
            any = true;
        }
    }
    free(line);
    if (output)
        fclose(output);
    sum->passed += found.passed;
    sum->failed += found.failed;
    return any;
}

/* Whether anything failed in it; adds it up. `last` is its last line. */
static bool is_fine(const char *file, struct sum *sum, char *last, size_t size)
{
    const unsigned long before = sum->failed;
    if (!add(file, sum, last, size)) {
        sum->failed++;
        return false;
    }
    return sum->failed == before;
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

int main(int count, char **arguments)
{
    struct sum sum = {0, 0};
    char last[512];
    bool any = false;
    for (int i = 1; i < count; i++)
        if (!is_fine(arguments[i], &sum, last, sizeof last))
            repeat(arguments[i], last, &any);
    printf("%lu passed, %lu failed\n", sum.passed, sum.failed);
    return sum.failed > 0 || sum.passed == 0;
}
