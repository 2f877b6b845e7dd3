/* suite.c - starts the tests of a suite and waits for them: see suite.h. */
#define _GNU_SOURCE
#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

#include "process.h"
#include "util.h"

static void add_test(struct suite_run *suite, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash)
        return;
    suite->tests = grow(suite->tests, suite->count, 1, sizeof *suite->tests);
    suite->tests[suite->count++] =
        (struct suite_test){.name = format("%s", name),
                            .output = format("%s.tests/%.*s.%s.out", suite->kept,
                                             (int)(slash - name), name, slash + 1)};
}

void suite_list(struct suite_run *suite)
{
    const char *list = format("%s.tests/names", suite->kept);
    suite->count = 0;
    make_folders(list);
    process_run((char *[]){suite->program, "--names", NULL}, list);
    for (struct lines in = lines_of(list); next_line(&in);)
        add_test(suite, in.line);
}

/* Of lines "SECONDS NAME". */
static void read_times(struct suite_run *suite)
{
    char name[512];
    double seconds;
    for (struct lines in = lines_of(format("%s.tests/seconds", suite->kept)); next_line(&in);)
        for (size_t i = 0; i < suite->count; i++)
            if (sscanf(in.line, "%lf %511s", &seconds, name) == 2 &&
                strcmp(suite->tests[i].name, name) == 0)
                suite->tests[i].seconds = seconds;
}

static void write_times(const struct suite_run *suite)
{
    FILE *times = fopen(format("%s.tests/seconds", suite->kept), "w");
    for (size_t i = 0; times && i < suite->count; i++)
        if (suite->tests[i].seconds > 0)
            fprintf(times, "%.3f %s\n", suite->tests[i].seconds, suite->tests[i].name);
    if (times)
        fclose(times);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A word that nobody can guess. */
static const char *draw_nonce(void)
{
    uint64_t drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        fail(3, "verdict: cannot draw a number: %s", strerror(errno));
    return format("%016llx", (unsigned long long)drawn);
}

static void start(const struct suite_run *suite, struct suite_test *test)
{
    char *arguments[8] = {suite->program}, **next = arguments + 1;
    if (suite->kernel) {
        *next++ = "--kernel";
        *next++ = suite->kernel;
    }
    memcpy(next, (char *[]){"--jobs", "1", "--filter", test->name}, 4 * sizeof *next);
    test->nonce = draw_nonce();
    test->stdout_file = memfd_create("facts", MFD_CLOEXEC);
    if (test->stdout_file < 0)
        fail(3, "verdict: cannot make a file for facts: %s", strerror(errno));
    setenv("FACTS", test->nonce, 1);
    test->begun = now();
    test->pid = process_start(arguments, test->output, test->stdout_file);
    test->state = RUNS;
}

/* Sorts what came on standard output: facts are kept, what is none goes to the output. */
static void take_facts(struct suite_test *test)
{
    FILE *output = fopen(test->output, "a"), *facts = open_text();
    struct lines in = {.file = fdopen(test->stdout_file, "r")};
    const char *begin = format("%s ", test->nonce);
    if (in.file)
        rewind(in.file);
    while (next_line(&in))
        if (begins_with(in.line, begin))
            fprintf(facts, "%s\n", in.line + strlen(begin));
        else if (output)
            fprintf(output, "%s\n", in.line);
    if (output)
        fclose(output);
    test->facts = close_text(facts);
}

static struct suite_test *first_failure(struct suite_run *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        if (suite->tests[i].state == FAILED)
            return &suite->tests[i];
        if (suite->tests[i].state != PASSED)
            return NULL;
    }
    return NULL;
}

/* The test to begin next: of those before the first that failed, the longest; of two that are
 * equally long, the first. NULL when there is none. */
static struct suite_test *next_test(struct suite_run *suite)
{
    struct suite_test *next = NULL;
    for (size_t i = 0; i < suite->count && suite->tests[i].state != FAILED; i++)
        if (suite->tests[i].state == WAITS && (!next || suite->tests[i].seconds > next->seconds))
            next = &suite->tests[i];
    return next;
}

static void take_result(struct suite_run *suite, pid_t pid, int status)
{
    for (size_t i = 0; i < suite->count; i++) {
        struct suite_test *test = &suite->tests[i];
        if (test->pid != pid || test->state != RUNS)
            continue;
        test->state = status == 0 ? PASSED : FAILED;
        take_facts(test);
        test->seconds = now() - test->begun;
    }
}

static void stop_the_rest(struct suite_run *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        struct suite_test *test = &suite->tests[i];
        if (test->state != RUNS)
            continue;
        kill(test->pid, SIGKILL);
        process_wait(&test->pid);
        take_facts(test);
        test->state = STOPPED;
    }
}

struct suite_test *suite_run_tests(struct suite_run *suite)
{
    unsigned int running = 0;
    struct suite_test *next;
    read_times(suite);
    while (!first_failure(suite)) {
        if (running < suite->jobs && (next = next_test(suite))) {
            start(suite, next);
            running++;
            continue;
        }
        if (running == 0)
            break;
        pid_t pid = 0;
        int status = process_wait(&pid);
        take_result(suite, pid, status);
        running--;
    }
    stop_the_rest(suite);
    write_times(suite);
    return first_failure(suite);
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
         *facts = must_open(format("%s.facts", suite->kept));
    size_t passed = 0, length = 0;
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_test *test = &suite->tests[i];
        const char *output = read_file(test->output, &length);
        fwrite(output, 1, output ? length : 0, out);
        fputs(test->facts ? test->facts : "", facts);
        passed += test->state == PASSED;
        if (test == last)
            break;
    }
    fprintf(out, "%zu passed, %d failed\n", passed, last != NULL);
    fclose(out);
    fclose(facts);
}
