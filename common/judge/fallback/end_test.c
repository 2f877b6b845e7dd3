/* end_test.c - how a test adds itself, and how it ends: for a machine without Criterion. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "fallback.h"

struct fallback fallback;

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
    facts_add("said %.*s", (int)strcspn(message, "\n"), message);
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
