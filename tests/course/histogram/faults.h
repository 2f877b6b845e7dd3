/* faults.h - tests of tests: a program whose suite `fault` runs with a mistake, and what that says.
 *
 * The tests of the suite run in front of the program's other tests only, which start it once more with
 * FAULT in the environment, the name of a mistake. */
#ifndef FAULTS_H
#define FAULTS_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool fault(const char *mistake)
{
    const char *name = getenv("FAULT");
    return name && strcmp(name, mistake) == 0;
}

static void only_with_a_fault(void)
{
    if (!getenv("FAULT"))
        cr_skip_test("runs as a part of another test");
}

TestSuite(fault, .init = only_with_a_fault);

/* What the suite `fault` says with a mistake, one test at a time. */
struct answer {
    char text[8192];
    int status;
};

static struct answer run_with_fault(const char *mistake, const char *test)
{
    char program[4096], command[8192];
    struct answer answer = {.status = -1};
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    cr_assert(length > 0);
    program[length] = '\0';
    snprintf(command, sizeof command,
             "env -u BXFI_MAP -u VERDICT_LOG FAULT=%s %s --jobs 1 --filter fault/%s 2>&1", mistake,
             program, test);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    answer.text[fread(answer.text, 1, sizeof answer.text - 1, pipe)] = '\0';
    int status = pclose(pipe);
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return answer;
}

static void expect_message(const char *mistake, const char *test, int status, const char *part)
{
    struct answer answer = run_with_fault(mistake, test);
    cr_expect(answer.status == status, "%s: status %d:\n%s", mistake, answer.status, answer.text);
    cr_expect(strstr(answer.text, part), "%s: expected \"%s\" in:\n%s", mistake, part, answer.text);
}

#endif
