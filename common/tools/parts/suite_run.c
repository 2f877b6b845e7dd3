/* suite_run.c - starts the tests of a suite and waits for them: see suite_run.h. */
#define _GNU_SOURCE
#include "suite_run.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

static void add_test(struct suite_run *suite, char *name)
{
    struct suite_test *test = &suite->tests[suite->count];
    char *slash = strchr(name, '/');
    if (!slash || suite->count == SUITE_TESTS)
        return;
    test->name = strdup(name);
    *slash = '.';
    snprintf(test->output, SUITE_PATH, "%s.tests/%s.out", suite->kept, name);
    suite->count++;
}

void suite_list(struct suite_run *suite)
{
    char list[SUITE_PATH], *line = NULL;
    size_t room = 0;
    pid_t pid;
    suite->count = 0;
    suite->tests = calloc(SUITE_TESTS, sizeof *suite->tests);
    snprintf(list, sizeof list, "%s.tests", suite->kept);
    mkdir(list, 0777);
    snprintf(list, sizeof list, "%s.tests/names", suite->kept);
    pid = child_start((char *[]){suite->program, "--names", NULL}, list, CHILD_EVERYTHING);
    child_wait(&pid);
    FILE *names = fopen(list, "r");
    while (names && suite->tests && getline(&line, &room, names) > 0) {
        line[strcspn(line, "\n")] = '\0';
        add_test(suite, line);
    }
    free(line);
    if (names)
        fclose(names);
}

/* The file with lines "SECONDS NAME". */
static FILE *open_times(const struct suite_run *suite, const char *mode)
{
    char file[SUITE_PATH];
    snprintf(file, sizeof file, "%s.tests/seconds", suite->kept);
    return fopen(file, mode);
}

static void read_times(struct suite_run *suite)
{
    char name[512];
    double seconds;
    FILE *times = open_times(suite, "r");
    while (times && fscanf(times, "%lf %511s", &seconds, name) == 2)
        for (size_t i = 0; i < suite->count; i++)
            if (strcmp(suite->tests[i].name, name) == 0)
                suite->tests[i].seconds = seconds;
    if (times)
        fclose(times);
}

static void write_times(const struct suite_run *suite)
{
    FILE *times = open_times(suite, "w");
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
static void draw_nonce(char *nonce, size_t size)
{
    uint64_t drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) {
        perror("verdict: cannot draw a number");
        exit(3);
    }
    snprintf(nonce, size, "%016llx", (unsigned long long)drawn);
}

static void start(const struct suite_run *suite, struct suite_test *test)
{
    char *arguments[8] = {suite->program}, **next = arguments + 1;
    if (suite->kernel) {
        *next++ = "--kernel";
        *next++ = suite->kernel;
    }
    memcpy(next, (char *[]){"--jobs", "1", "--filter", test->name}, 4 * sizeof *next);
    draw_nonce(test->nonce, sizeof test->nonce);
    test->told = memfd_create("facts", MFD_CLOEXEC);
    if (test->told < 0) {
        perror("verdict: cannot make a file for facts");
        exit(3);
    }
    setenv("FACTS", test->nonce, 1);
    test->begun = now();
    test->pid = child_start_to(arguments, test->output, test->told);
    test->state = RUNS;
}

/* Sorts what came on standard output: facts to `facts`, what is none to the output. */
static void sort_lines(struct suite_test *test, FILE *told, FILE *facts)
{
    char *line = NULL;
    size_t room = 0, length = strlen(test->nonce);
    FILE *output = fopen(test->output, "a");
    while (getline(&line, &room, told) > 0)
        if (strncmp(line, test->nonce, length) == 0 && line[length] == ' ')
            fputs(line + length + 1, facts);
        else if (output)
            fputs(line, output);
    free(line);
    if (output)
        fclose(output);
}

static void take_facts(struct suite_test *test)
{
    size_t size;
    FILE *facts = open_memstream(&test->facts, &size);
    lseek(test->told, 0, SEEK_SET);
    FILE *told = fdopen(test->told, "r");
    if (!told || !facts) {
        perror("verdict: cannot read facts");
        exit(3);
    }
    sort_lines(test, told, facts);
    fclose(told);
    fclose(facts);
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
        child_wait(&test->pid);
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
        int status = child_wait(&pid);
        take_result(suite, pid, status);
        running--;
    }
    stop_the_rest(suite);
    write_times(suite);
    return first_failure(suite);
}

static FILE *must_open(const char *file, const char *mode)
{
    FILE *stream = fopen(file, mode);
    if (!stream) {
        perror(file);
        exit(3);
    }
    return stream;
}

static void append(const char *file, FILE *to)
{
    char piece[4096];
    FILE *from = fopen(file, "r");
    for (size_t bytes; from && (bytes = fread(piece, 1, sizeof piece, from)) > 0;)
        fwrite(piece, 1, bytes, to);
    if (from)
        fclose(from);
}

void suite_gather(const struct suite_run *suite, const struct suite_test *last)
{
    char name[SUITE_PATH];
    snprintf(name, sizeof name, "%s.out", suite->kept);
    FILE *out = must_open(name, "w");
    snprintf(name, sizeof name, "%s.facts", suite->kept);
    FILE *facts = must_open(name, "w");
    size_t passed = 0;
    for (size_t i = 0; i < suite->count; i++) {
        append(suite->tests[i].output, out);
        fputs(suite->tests[i].facts ? suite->tests[i].facts : "", facts);
        passed += suite->tests[i].state == PASSED;
        if (&suite->tests[i] == last)
            break;
    }
    fprintf(out, "%zu passed, %d failed\n", passed, last != NULL);
    fclose(out);
    fclose(facts);
}
