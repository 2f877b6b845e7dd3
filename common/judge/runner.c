/* runner.c - main() of the test programs of the course itself: Criterion with a logger of few words.
 * The suites of chapters have another one (fallback/run_tests.c).
 *
 * A failed test is its name and the text of its assertion; with --jobs 1 a line
 * "* suite test" comes before what each test prints; the last line is
 * "12 passed, 0 failed". All of it goes to standard error; standard output is for facts (facts.h).
 * "--kernel FOLDER" and "--bins N" come first: kernel_folder.h.
 * With arguments of Criterion's own loggers (--tap, --verbose, --list) those speak instead. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <criterion/options.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "criterion_calls.h"
#include "facts.h"
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
    facts_add("said %.*s", (int)strcspn(message, "\n"), message);
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

/* Before main, since each test is a new process of this program, which never comes there. It stands
 * here, for the linker leaves out of a library what nobody calls. */
__attribute__((constructor)) static void note_reports(void)
{
    reports_become_facts();
}

/* The judge, whose objects end a test so, fails or skips one of Criterion's. */
__attribute__((format(printf, 1, 2), noreturn)) void fallback_fail(const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void fallback_skip(const char *format, ...);

static char words_of_the_judge[4096];

void fallback_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words_of_the_judge, sizeof words_of_the_judge, format, arguments);
    va_end(arguments);
    cr_assert_fail("%s", words_of_the_judge);
    abort(); /* it does not come back */
}

void fallback_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words_of_the_judge, sizeof words_of_the_judge, format, arguments);
    va_end(arguments);
    cr_skip_test("%s", words_of_the_judge);
    abort();
}

int main(int count, char **arguments)
{
    struct criterion_test_set *tests = criterion_initialize();
    criterion_calls_are_ours();
    kernel_folder_take(&count, arguments);
    criterion_options.logger = &few_words;
    bool run = criterion_handle_args(count, arguments, true);
    bool passed = !run || criterion_run_all_tests(tests);
    criterion_finalize(tests);
    return passed ? 0 : 1;
}
