/* run_tests.c - main() of a chapter's test program where Criterion is not installed.
 *
 * Each test runs in a process of its own, one after the other, in the order of their names. What is
 * printed is what runner.c prints with Criterion. Arguments: --kernel FOLDER, --bins N, --names, --filter PATTERN ("suite/test"),
 * and --jobs N, of which 1 is meant whatever N is. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "criterion/criterion.h"
#include "verdict_log.h"
#include "kernel_folder.h"

/* How a test ended, as it says itself. */
enum fallback_end { NO_END, FAILED, SKIPPED };

static struct {
    struct fallback_test *tests; /* in the order of their suites, and then of their names */
    const struct fallback_test *current;
    enum fallback_end *end; /* in memory that the processes of the tests share */
} fallback;

static int compare(const struct fallback_test *a, const struct fallback_test *b)
{
    int suites = strcmp(a->suite, b->suite);
    return suites != 0 ? suites : strcmp(a->name, b->name);
}

void fallback_add(struct fallback_test *test)
{
    struct fallback_test **place = &fallback.tests;
    while (*place && compare(*place, test) < 0)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

/* Prints the failed test with its message, whose first line the verdict begins with. */
void fallback_fail(const char *format, ...)
{
    va_list arguments;
    char *message;
    va_start(arguments, format);
    if (vasprintf(&message, format, arguments) < 0)
        message = (char *)"no memory to say why";
    va_end(arguments);
    *fallback.end = FAILED;
    verdict_log_add("message %.*s", (int)strcspn(message, "\n"), message);
    fprintf(stderr, "%s %s:\n", fallback.current->suite, fallback.current->name);
    for (const char *line = message; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(stderr, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fflush(NULL);
    _exit(1);
}

void fallback_skip(const char *format, ...)
{
    (void)format;
    *fallback.end = SKIPPED;
    fflush(NULL);
    _exit(0);
}

/* The process of a test: when this program is ended, it is, too. */
__attribute__((noreturn)) static void run_here(const struct fallback_test *test)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    fallback.current = test;
    test->run();
    exit(0);
}

/* Runs a test. Returns whether it passed; adds one to *counted unless it was skipped. */
static bool run(const struct fallback_test *test, size_t *counted)
{
    int status = 0;
    *fallback.end = NO_END;
    fflush(NULL);
    fprintf(stderr, "* %s %s\n", test->suite, test->name);
    pid_t pid = fork();
    if (pid == 0)
        run_here(test);
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("cannot run a test");
        exit(3);
    }
    *counted += *fallback.end != SKIPPED;
    if (*fallback.end != NO_END)
        return *fallback.end == SKIPPED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == test->exit_code)
        return true;
    fprintf(stderr, "%s %s:\n", test->suite, test->name);
    if (WIFSIGNALED(status))
        fprintf(stderr, "  ended by signal %d (%s)\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    else
        fprintf(stderr, "  ended the program with status %d\n", WEXITSTATUS(status));
    return false;
}

static bool is_meant(const struct fallback_test *test, const char *pattern)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
    return fnmatch(pattern, name, 0) == 0;
}

/* As in runner.c: nobody looks into these processes. */
__attribute__((constructor)) static void prepare(void)
{
    prctl(PR_SET_DUMPABLE, 0);
}

int main(int count, char **arguments)
{
    const char *pattern = "*";
    size_t counted = 0, failed = 0;
    bool names = false;
    kernel_folder_take(&count, arguments);
    for (int i = 1; i < count; i++) {
        names |= strcmp(arguments[i], "--names") == 0;
        if (strcmp(arguments[i], "--filter") == 0 && i + 1 < count)
            pattern = arguments[++i];
    }
    fallback.end =
        mmap(NULL, sizeof *fallback.end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fallback.end == MAP_FAILED) {
        perror("no memory for the tests");
        return 3;
    }
    for (const struct fallback_test *test = fallback.tests; test; test = test->next) {
        if (!is_meant(test, pattern))
            continue;
        if (names)
            printf("%s/%s\n", test->suite, test->name);
        else
            failed += !run(test, &counted);
    }
    if (!names)
        fprintf(stderr, "%zu passed, %zu failed\n", counted - failed, failed);
    return failed > 0;
}
