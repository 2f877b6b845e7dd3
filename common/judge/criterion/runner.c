/* runner.c - main() of every test program: Criterion with a logger of few words.
 *
 * A failed test is its name and the text of its assertion; with --jobs 1 a line
 * "* suite test" comes before what each test prints; the last line is
 * "12 passed, 0 failed". All of it goes to standard error; standard output is for entries (verdict_log.h).
 * "--kernel FOLDER" and "--bins N" come first: kernel_folder.h.
 * With arguments of Criterion's own loggers (--tap, --verbose, --list) those speak instead. With
 * --names the tests are named, in the order in which they run: "suite/test", one a line. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <criterion/internal/ordered-set.h>
#include <criterion/logging.h>
#include <criterion/options.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "criterion_calls.h"
#include "verdict_log.h"
#include "kernel_folder.h"

static void print_name(const struct criterion_test_stats *stats)
{
    fprintf(stderr, "%s %s:\n", stats->test->category, stats->test->name);
}

/* One test at a time: what the code under test prints on standard error stands below. */
static void log_pre_test(struct criterion_suite *suite, struct criterion_test *test)
{
    if (criterion_options.jobs == 1)
        fprintf(stderr, "* %s %s\n", suite->name, test->name);
}

static void log_crash(struct criterion_test_stats *stats)
{
    print_name(stats);
    fprintf(stderr, "  ended by signal %d (%s)\n", stats->signal, strsignal(stats->signal));
}

static void log_timeout(struct criterion_test_stats *stats)
{
    print_name(stats);
    fprintf(stderr, "  not finished in time\n");
}

static void print_indented(const char *message)
{
    for (const char *line = message; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(stderr, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* The first line of an assertion is the sentence that the verdict begins with. */
static void tell(const char *message)
{
    verdict_log_add("message %.*s", (int)strcspn(message, "\n"), message);
}

/* The first that failed is at the end of the list. */
static void print_failures(const struct criterion_assert_stats *asserts)
{
    if (!asserts)
        return;
    print_failures(asserts->next);
    if (asserts->passed)
        return;
    tell(asserts->message);
    print_indented(asserts->message);
}

/* A test failed by its assertions, or because histogram() ended the program. */
static void log_post_test(struct criterion_test_stats *stats)
{
    if (stats->test_status != CR_STATUS_FAILED)
        return;
    print_name(stats);
    print_failures(stats->asserts);
    if (stats->failed_asserts == 0)
        fprintf(stderr, "  ended the program with status %d\n", stats->exit_code);
}

static void log_post_all(struct criterion_global_stats *stats)
{
    fprintf(stderr, "%zu passed, %zu failed\n", stats->tests_passed, stats->tests_failed);
}

static struct criterion_logger few_words = {
    .log_pre_test = log_pre_test,
    .log_post_test = log_post_test,
    .log_test_crash = log_crash,
    .log_other_crash = log_crash,
    .log_test_timeout = log_timeout,
    .log_post_all = log_post_all,
};

/* Nobody but the system's administrator looks into these processes: not the kernel's, where nothing
 * else keeps it from them. */
__attribute__((constructor)) static void close_the_door(void)
{
    prctl(PR_SET_DUMPABLE, 0);
}

static void print_tests(const struct criterion_suite_set *suite)
{
    FOREACH_SET(const struct criterion_test *test, suite->tests)
    printf("%s/%s\n", suite->suite.name, test->name);
}

static void print_names(struct criterion_test_set *tests)
{
    FOREACH_SET(const struct criterion_suite_set *suite, tests->suites)
    print_tests(suite);
}

enum { ENOUGH = 1 << 20 /* bytes */ };

/* Whether /dev/shm, where processes of one program share memory, can be used: NULL, or what keeps one
 * from it, such as "Read-only file system". */
static const char *dev_shm_lacks(void)
{
    char name[64];
    snprintf(name, sizeof name, "/histogram-ladder-%d", (int)getpid());
    int memory = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (memory < 0)
        return strerror(errno);
    const int error = posix_fallocate(memory, 0, ENOUGH);
    shm_unlink(name);
    close(memory);
    return error != 0 ? strerror(error) : NULL;
}

/* Criterion says nothing of it that a reader could make use of, or nothing at all. */
static bool can_share(void)
{
    const char *lack = dev_shm_lacks();
    if (!lack)
        return true;
    char words[256];
    snprintf(words, sizeof words,
             "Criterion cannot use /dev/shm, where its processes share memory: %s; make doctor "
             "says more",
             lack);
    tell(words);
    fprintf(stderr, "%s\n0 passed, 1 failed\n", words);
    return false;
}

int main(int count, char **arguments)
{
    struct criterion_test_set *tests = criterion_initialize();
    criterion_calls_are_ours();
    kernel_folder_take(&count, arguments);
    if (count == 2 && strcmp(arguments[1], "--names") == 0) {
        print_names(tests);
        criterion_finalize(tests);
        return 0;
    }
    criterion_options.logger = &few_words;
    bool run = criterion_handle_args(count, arguments, true);
    bool passed = !run || (can_share() && criterion_run_all_tests(tests));
    criterion_finalize(tests);
    return passed ? 0 : 1;
}
