/* fail_test.c - fails a test with a sentence: see verdict_log.h. Programs without tests do without it, and so without
 * Criterion. */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "verdict_log.h"

__attribute__((noreturn)) static void fail(const char *message)
{
    verdict_log_add("over");
    cr_assert_fail("%s", message);
    abort(); /* cr_assert_fail does not come back */
}

enum { MESSAGE = 1600 };

void fail_test(const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail(message);
}

void fail_as(const char *kind, const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    verdict_log_add("failed %s", kind);
    fail(message);
}
