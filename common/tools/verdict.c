/* verdict.c - runs a chapter's suite and says what it means.
 *
 *     verdict [--jobs N] SUITE SOURCE NUMBER BINS
 *
 * SUITE    the program, linked with what SOURCE was compiled to
 * SOURCE   the file in which the student works, for its gaps
 * NUMBER   of the chapter, and BINS, with which it was built
 *
 * Each test of the suite is a process of its own; N of them run at a time, as many as there are
 * cores without --jobs. The outcome is that of one after the other, up to the first that fails,
 * in the order of their names. What it printed stays in SUITE.out, what the tests told
 * (facts.h) in SUITE.facts, each test's own in the folder SUITE.tests. Status 0 when all pass. */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "gap_search.h"

enum { MOST_TESTS = 256, PATH_ROOM = 4096 };

enum state { WAITS, RUNS, PASSED, FAILED };
struct test {
    char *name; /* "chapter05/counts_in_copies" */
    char output[PATH_ROOM], facts[PATH_ROOM];
    enum state state;
    pid_t pid;
};

struct suite {
    char *program;
    const char *source;
    unsigned int number, bins, jobs;
    struct test *tests;
    size_t count;
};

static FILE *must_open(const char *file, const char *mode)
{
    FILE *stream = fopen(file, mode);
    if (!stream) {
        perror(file);
        exit(3);
    }
    return stream;
}

/* Asks the program for its tests. */
static void list_tests(struct suite *suite)
{
    char list[PATH_ROOM], *line = NULL;
    size_t room = 0;
    pid_t pid;
    snprintf(list, sizeof list, "%s.tests", suite->program);
    mkdir(list, 0777);
    snprintf(list, sizeof list, "%s.tests/names", suite->program);
    pid = child_start((char *[]){suite->program, "--names", NULL}, list, CHILD_EVERYTHING);
    child_wait(&pid);
    suite->tests = calloc(MOST_TESTS, sizeof *suite->tests);
    FILE *names = must_open(list, "r");
    while (suite->tests && suite->count < MOST_TESTS && getline(&line, &room, names) > 0) {
        struct test *test = &suite->tests[suite->count];
        line[strcspn(line, "\n")] = '\0';
        char *slash = strchr(line, '/');
        if (!slash)
            continue;
        test->name = strdup(line);
        *slash = '.';
        snprintf(test->output, PATH_ROOM, "%s.tests/%s.out", suite->program, line);
        snprintf(test->facts, PATH_ROOM, "%s.tests/%s.facts", suite->program, line);
        suite->count++;
    }
    free(line);
    fclose(names);
}

static void start(const struct suite *suite, struct test *test)
{
    char *arguments[] = {suite->program, "--jobs", "1", "--filter", test->name, NULL};
    unlink(test->facts);
    setenv("FACTS", test->facts, 1);
    test->pid = child_start(arguments, test->output, CHILD_EVERYTHING);
    test->state = RUNS;
}

/* The first test that failed, with all before it passed; NULL when there is none yet. */
static struct test *first_failure(struct suite *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        if (suite->tests[i].state == FAILED)
            return &suite->tests[i];
        if (suite->tests[i].state != PASSED)
            return NULL;
    }
    return NULL;
}

static void take_result(struct suite *suite, pid_t pid, int status)
{
    for (size_t i = 0; i < suite->count; i++)
        if (suite->tests[i].pid == pid && suite->tests[i].state == RUNS)
            suite->tests[i].state = status == 0 ? PASSED : FAILED;
}

/* Runs the tests; stops when it is known which of them is the first to fail. */
static struct test *run_tests(struct suite *suite)
{
    size_t next = 0, running = 0;
    bool failed = false; /* a test after a failed one needs no run */
    while (!first_failure(suite) && ((next < suite->count && !failed) || running > 0)) {
        if (next < suite->count && running < suite->jobs && !failed) {
            start(suite, &suite->tests[next++]);
            running++;
            continue;
        }
        pid_t pid = 0;
        int status = child_wait(&pid);
        take_result(suite, pid, status);
        failed |= status != 0;
        running--;
    }
    for (size_t i = 0; i < suite->count; i++)
        if (suite->tests[i].state == RUNS) {
            kill(suite->tests[i].pid, SIGKILL);
            child_wait(&suite->tests[i].pid);
        }
    return first_failure(suite);
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

/* SUITE.out and SUITE.facts, of all tests up to the first that failed. */
static void gather(const struct suite *suite, const struct test *last)
{
    char name[PATH_ROOM];
    snprintf(name, sizeof name, "%s.out", suite->program);
    FILE *out = must_open(name, "w");
    snprintf(name, sizeof name, "%s.facts", suite->program);
    FILE *facts = must_open(name, "w");
    size_t passed = 0;
    for (size_t i = 0; i < suite->count; i++) {
        append(suite->tests[i].output, out);
        append(suite->tests[i].facts, facts);
        passed += suite->tests[i].state == PASSED;
        if (&suite->tests[i] == last)
            break;
    }
    fprintf(out, "%zu passed, %d failed\n", passed, last != NULL);
    fclose(out);
    fclose(facts);
}

/* What the facts amount to. */
struct summary {
    unsigned int inputs, schedules; /* the fewest that an input had */
    char technique[512];
    bool unjudged; /* nobody counts accesses here */
    bool raced;
    char seed[32]; /* of the schedule that went wrong */
};

static void read_fact(struct summary *sum, const char *fact)
{
    unsigned int schedules;
    if (strncmp(fact, "input ", 6) == 0)
        sum->inputs++;
    else if (sscanf(fact, "schedules %u", &schedules) == 1)
        sum->schedules = sum->schedules && sum->schedules < schedules ? sum->schedules : schedules;
    else if (strncmp(fact, "technique ", 10) == 0 && !sum->technique[0])
        snprintf(sum->technique, sizeof sum->technique, "%s", fact + 10);
    else if (strcmp(fact, "unjudged") == 0)
        sum->unjudged = true;
    else if (strncmp(fact, "caught racecheck", 16) == 0)
        sum->raced = true;
    else if (strncmp(fact, "seed ", 5) == 0)
        snprintf(sum->seed, sizeof sum->seed, "%s", fact + 5);
}

static struct summary sum_up(const struct suite *suite)
{
    struct summary sum = {.inputs = 0};
    char name[PATH_ROOM], *line = NULL;
    size_t room = 0;
    snprintf(name, sizeof name, "%s.facts", suite->program);
    FILE *facts = must_open(name, "r");
    while (getline(&line, &room, facts) > 0) {
        line[strcspn(line, "\n")] = '\0';
        read_fact(&sum, line);
    }
    free(line);
    fclose(facts);
    return sum;
}

/* What to do next: the lesson and the test of the next chapter that there is. */
static void print_next_step(unsigned int number)
{
    glob_t lessons;
    unsigned int least = UINT_MAX;
    const char *next = NULL;
    if (glob("docs/[0-9]*_*.md", 0, NULL, &lessons) != 0) {
        printf("next: make, which puts all chapters side by side\n");
        return;
    }
    for (size_t i = 0; i < lessons.gl_pathc; i++) {
        unsigned int other = (unsigned int)strtoul(lessons.gl_pathv[i] + 5, NULL, 10);
        if (other > number && other < least) {
            least = other;
            next = lessons.gl_pathv[i];
        }
    }
    if (next)
        printf("next: %s, then make chapter%u test\n", next, least);
    else
        printf("next: make, which puts all chapters side by side\n");
    globfree(&lessons);
}

static void print_praise(const struct suite *suite, const struct summary *sum)
{
    printf("chapter %u", suite->number);
    if (suite->bins != 5)
        printf(", %u bins", suite->bins);
    printf(": right on %u inputs", sum->inputs);
    if (sum->schedules > 1)
        printf(" x %u schedules", sum->schedules);
    if (sum->unjudged)
        printf("; only the simulated GPU judges the technique");
    else if (sum->technique[0])
        printf(", and by its technique: %s", sum->technique);
    printf("\n");
    print_next_step(suite->number);
}

static void print_replay(const struct suite *suite, const struct summary *sum)
{
    const char *chosen = getenv("SIM_SEED");
    if (!sum->raced && !sum->seed[0])
        return;
    printf("see it happen: make chapter%u%s replay SEED=%s", suite->number,
           strncmp(suite->source, "solutions/", 10) == 0 ? " solution" : "",
           sum->seed[0]        ? sum->seed
           : chosen && *chosen ? chosen
                               : "1");
    if (suite->bins != 5)
        printf(" BINS=%u", suite->bins);
    printf("\n");
}

/* The gaps are looked at first. Returns false when nothing has been done yet, or a gap has no
 * end: what the suite says would be no news. */
static bool may_run(const struct suite *suite, struct gaps *gaps)
{
    *gaps = gaps_in(suite->source, suite->bins);
    bool untouched = gaps->count > 0 && gaps->empty == gaps->count;
    if (untouched || gaps->error)
        gaps_print(gaps, stdout);
    return !untouched && !gaps->error;
}

static void print_failure(const struct suite *suite, const struct test *failure,
                          const struct gaps *gaps)
{
    gaps_print(gaps, stdout);
    if (!failure) {
        printf("%s: the suite ended before it had run a test\n", suite->source);
        return;
    }
    struct summary sum = sum_up(suite);
    child_repeat(failure->output, stdout);
    print_replay(suite, &sum);
}

static unsigned int whole(const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number > UINT_MAX) {
        fprintf(stderr, "verdict: %s is not a whole number\n", text);
        exit(2);
    }
    return (unsigned int)number;
}

int main(int count, char **arguments)
{
    struct suite suite = {.jobs = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (count == 7 && strcmp(arguments[1], "--jobs") == 0) {
        suite.jobs = whole(arguments[2]);
        arguments += 2;
        count -= 2;
    }
    if (count != 5 || suite.jobs == 0) {
        fprintf(stderr, "usage: verdict [--jobs N] SUITE SOURCE NUMBER BINS\n");
        return 2;
    }
    suite.program = arguments[1];
    suite.source = arguments[2];
    suite.number = whole(arguments[3]);
    suite.bins = whole(arguments[4]);
    struct gaps gaps;
    if (!may_run(&suite, &gaps))
        return 1;
    list_tests(&suite);
    const struct test *failure = run_tests(&suite);
    gather(&suite, failure);
    if (failure || suite.count == 0) {
        print_failure(&suite, failure, &gaps);
        return 1;
    }
    struct summary sum = sum_up(&suite);
    print_praise(&suite, &sum);
    return 0;
}
