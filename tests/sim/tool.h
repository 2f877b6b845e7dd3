/* tool.h - runs the command line tools in tests, and looks at what they say. */
#ifndef TOOL_H
#define TOOL_H

#define _POSIX_C_SOURCE 200809L /* popen, mkdtemp */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a command printed, both streams together, and its exit status. */
struct outcome {
    int status;
    char text[1 << 16];
};

/* Runs a command of the shell in `folder`. SIMCC stands for simcc's path. */
__attribute__((format(printf, 2, 3))) static inline struct outcome *run_in(const char *folder,
                                                                           const char *format, ...)
{
    static struct outcome outcome;
    char command[8192], root[2048];
    cr_assert_not_null(getcwd(root, sizeof root));
    int length = snprintf(command, sizeof command,
                          "SIMCC='%s/common/sim/simcc'; cd '%s' && exec 2>&1; ", root, folder);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command + length, sizeof command - (size_t)length, format, arguments);
    va_end(arguments);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    outcome.text[fread(outcome.text, 1, sizeof outcome.text - 1, pipe)] = '\0';
    int status = pclose(pipe);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return &outcome;
}

/* A new empty folder, which remove_folder removes. */
static inline char *make_folder(void)
{
    static char folder[4096];
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/simcc-test-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    cr_assert_not_null(mkdtemp(folder));
    return folder;
}
static inline void remove_folder(const char *folder)
{
    run_in("/", "rm -rf '%s'", folder);
}

static inline void write_file(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(text, file), 0);
    cr_assert_eq(fclose(file), 0);
}

/* The folder of a test of a suite that has .init = open_folder, .fini = close_folder. */
__attribute__((unused)) static char *folder;
static inline void open_folder(void)
{
    folder = make_folder();
}
static inline void close_folder(void)
{
    remove_folder(folder);
}

#define EXPECT_STATUS(outcome, expected)                                                           \
    cr_expect_eq((outcome)->status, expected, "expected status %d, not %d:\n%s", expected,         \
                 (outcome)->status, (outcome)->text)
#define EXPECT_MESSAGE(outcome, part)                                                              \
    cr_expect(strstr((outcome)->text, part), "expected \"%s\" in:\n%s", part, (outcome)->text)
/* Runs a command in the test's folder; it must succeed and print just this. */
#define EXPECT_OUTPUT(expected, ...)                                                               \
    do {                                                                                           \
        struct outcome *seen = run_in(folder, __VA_ARGS__);                                        \
        EXPECT_STATUS(seen, 0);                                                                    \
        cr_expect_str_eq(seen->text, expected);                                                    \
    } while (0)

#endif
