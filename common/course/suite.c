/* suite.c - runs a suite and reads what it says: see suite.h. */
#define _GNU_SOURCE
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "process.h"
#include "util.h"

/* A word that nobody can guess. */
static const char *draw_nonce(void)
{
    uint64_t drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        fail(3, "verdict: cannot draw a number: %s", strerror(errno));
    return format("%016llx", (unsigned long long)drawn);
}

/* Criterion runs the tests, several at a time, and writes a report in the Test Anything Protocol. Returns a file without
 * a name: the entries of all of them (verdict_log.h), each of which begins with the nonce. */
static FILE *run_program(const struct suite_run *suite, const char *report, const char *nonce)
{
    const int entries = memfd_create("verdict log", MFD_CLOEXEC);
    /* Tests write at the same time, and a file in memory has no lock on its position: each appends. */
    if (entries < 0 || fcntl(entries, F_SETFL, O_APPEND) < 0)
        fail(3, "verdict: cannot make a file for entries: %s", strerror(errno));
    if (suite->kernel)
        setenv("KERNEL_FOLDER", realpath(suite->kernel, NULL), 1);
    setenv("VERDICT_LOG", nonce, 1);
    pid_t pid =
        process_start((char *[]){suite->program, "--quiet", "--jobs", format("%u", suite->jobs),
                                 format("--tap=%s", report), NULL},
                      format("%s.err", suite->kept), entries);
    process_wait(&pid);
    FILE *file = fdopen(entries, "r");
    if (file)
        rewind(file);
    return file;
}

static struct suite_test *test_of(struct suite_run *suite, const char *name)
{
    for (size_t i = 0; i < suite->count; i++)
        if (strcmp(suite->tests[i].name, name) == 0)
            return &suite->tests[i];
    return NULL;
}

/* "ok - chapter05::counts  (0.02s)", or "not ok - ...". */
static struct suite_test *add_test(struct suite_run *suite, const char *line, bool passed)
{
    char name[512];
    if (sscanf(line, "%*[a-z ]- %511s", name) != 1 || !strstr(name, "::"))
        return NULL;
    suite->tests = grow(suite->tests, suite->count, 1, sizeof *suite->tests);
    struct suite_test *test = &suite->tests[suite->count++];
    char *colons = strstr(name, "::");
    *colons = '\0';
    *test = (struct suite_test){.name = format("%s/%s", name, colons + 2),
                                .printed = open_text(),
                                .entries = open_text(),
                                .state = passed ? PASSED : FAILED};
    test->message = "";
    return test;
}

/* What an assertion says stands behind six blanks, its first line behind two words more. */
static void read_report(struct suite_run *suite, const char *report)
{
    static const char first[] = "      Assertion failed: ";
    struct suite_test *test = NULL;
    for (struct lines in = lines_of(report); next_line(&in);)
        if (begins_with(in.line, "ok - ") || begins_with(in.line, "not ok - "))
            test = add_test(suite, in.line, in.line[0] == 'o');
        else if (test && begins_with(in.line, first))
            test->message = format("%s", in.line + strlen(first));
        else if (test && test->message[0] && begins_with(in.line, "      "))
            test->message = format("%s\n%s", test->message, in.line + 6);
}

/* Entries are kept with their test; what the kernel has printed is one of its texts. */
static void read_entries(struct suite_run *suite, FILE *file, const char *nonce)
{
    static const char printed[] = "printed ";
    char name[512];
    int length = 0;
    for (struct lines in = {.file = file}; next_line(&in);) {
        const char *line = in.line;
        if (!begins_with(line, nonce) ||
            sscanf(line + strlen(nonce), " %511s %n", name, &length) != 1)
            continue;
        struct suite_test *test = test_of(suite, name);
        line += strlen(nonce) + (size_t)length;
        if (test && begins_with(line, printed))
            fprintf(test->printed, "%s\n", line + strlen(printed));
        else if (test)
            fprintf(test->entries, "%s\n", line);
    }
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct suite_test *)one)->name, ((const struct suite_test *)other)->name);
}

/* What a failed test has printed ends with its name and the assertion. */
static void end_texts(struct suite_test *test)
{
    if (test->state == FAILED) {
        const char *slash = strchr(test->name, '/');
        fprintf(test->printed, "%.*s %s:\n", (int)(slash - test->name), test->name, slash + 1);
        char *rest = format("%s", test->message);
        for (char *line; rest && *rest && (line = strsep(&rest, "\n"));)
            fprintf(test->printed, "  %s\n", line);
    }
    test->output = close_text(test->printed);
    if (test->message[0])
        fprintf(test->entries, "message %.*s\n", (int)strcspn(test->message, "\n"), test->message);
    test->log = close_text(test->entries);
}

struct suite_test *suite_run_tests(struct suite_run *suite)
{
    const char *report = format("%s.tap", suite->kept), *nonce = draw_nonce();
    suite->count = 0;
    make_folders(report);
    remove(report);
    FILE *entries = run_program(suite, report, nonce);
    read_report(suite, report);
    read_entries(suite, entries, nonce);
    qsort(suite->tests, suite->count, sizeof *suite->tests, by_name);
    struct suite_test *first = NULL;
    for (size_t i = 0; i < suite->count; i++) {
        end_texts(&suite->tests[i]);
        if (!first && suite->tests[i].state == FAILED)
            first = &suite->tests[i];
    }
    return first;
}

static FILE *must_open(const char *file)
{
    FILE *stream = fopen(file, "w");
    if (!stream)
        fail(3, "%s: %s", file, strerror(errno));
    return stream;
}

void suite_gather(const struct suite_run *suite, const struct suite_test *last)
{
    FILE *out = must_open(format("%s.out", suite->kept)),
         *log = must_open(format("%s.log", suite->kept));
    size_t passed = 0;
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_test *test = &suite->tests[i];
        fputs(test->output, out);
        fputs(test->log, log);
        passed += test->state == PASSED;
        if (test == last)
            break;
    }
    fprintf(out, "%zu passed, %d failed\n", passed, last != NULL);
    fclose(out);
    fclose(log);
}
