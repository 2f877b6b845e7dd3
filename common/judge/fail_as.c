/* fail_as.c - the end of a test, for programs that are tests: see verdict_log.h. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "verdict_log.h"

void fail_as(const char *kind, const char *format, ...)
{
    enum { MESSAGE = 1600 };
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    verdict_log_add("failed %s", kind);
    cr_assert_fail("%s", message);
    abort(); /* it does not come back */
}
