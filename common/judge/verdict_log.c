/* verdict_log.c - lines that tests leave for the verdict: see verdict_log.h. */
#define _XOPEN_SOURCE 700
#include "verdict_log.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENTRY = 1200, NAME = 256 };

/* It is absent where a program has no tests. */
#pragma weak criterion_current_test
#pragma weak criterion_current_suite

/* Writes what each entry of this test begins with: "NONCE suite/test ". Returns false where nobody listens. */
static bool begin_of(char begin[NAME])
{
    const char *nonce = getenv("VERDICT_LOG");
    if (!nonce || !&criterion_current_test || !criterion_current_test)
        return false;
    snprintf(begin, NAME, "%.32s %s/%s ", nonce, criterion_current_suite->name,
             criterion_current_test->name);
    return true;
}

void verdict_log_add(const char *format, ...)
{
    char line[ENTRY], begin[NAME];
    if (!begin_of(begin))
        return;
    va_list arguments;
    int length = snprintf(line, sizeof line, "%s", begin);
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    for (char *end; (end = strchr(line, '\n'));)
        *end = ' ';
    size_t size = strlen(line);
    line[size++] = '\n';
    /* An entry is written in one piece, since tests may run at the same time. */
    if (write(STDOUT_FILENO, line, size) != (ssize_t)size)
        fprintf(stderr, "an entry is lost: %s", line);
}

void verdict_log_print(const char *line)
{
    char begin[NAME];
    if (begin_of(begin))
        verdict_log_add("printed %s", line);
    else
        fprintf(stderr, "%s\n", line);
}

/* Whether an entry says that a test before this one fails. */
static bool is_failure_before(const char *entry, const char *begin)
{
    char name[NAME], what[16];
    const size_t nonce = strcspn(begin, " ") + 1;
    return strncmp(entry, begin, nonce) == 0 &&
           sscanf(entry + nonce, "%255s %15s", name, what) == 2 && strcmp(what, "over") == 0 &&
           strcmp(name, begin + nonce) < 0;
}

/* Reads on from where it was the last time. */
bool verdict_is_known(void)
{
    static off_t at;
    static char entries[1 << 16];
    char begin[NAME];
    bool is_known = false;
    ssize_t got;
    if (!begin_of(begin))
        return false;
    begin[strlen(begin) - 1] = '\0';
    while (!is_known && (got = pread(STDOUT_FILENO, entries, sizeof entries - 1, at)) > 0) {
        entries[got] = '\0';
        char *line = entries, *end;
        for (; !is_known && (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            is_known = is_failure_before(line, begin);
        }
        if (line == entries)
            break;
        at += line - entries;
    }
    return is_known;
}
