/* bounds.c - what a technique may cost: a count, a bound, and where the bound comes from. */
#include "bounds.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "verdict_log.h"
#include "grouped.h"

enum { MESSAGE = 1024 };

/* Whether a derivation ends in the bound itself, "and there are 5", so that "= 5" says no more. */
static bool says_bound(const char *derivation, const char *bound)
{
    const char *last = strrchr(derivation, ' ');
    return last && strcmp(last + 1, bound) == 0 && last - derivation > 1 &&
           isalpha((unsigned char)last[-1]) && isalpha((unsigned char)last[-2]);
}

/* "<counted> <what>; <derivation> = <bound>" */
__attribute__((format(printf, 4, 0))) static void fail_bound(uint64_t counted, const char *what,
                                                             uint64_t bound, const char *format,
                                                             va_list arguments)
{
    char derivation[MESSAGE];
    vsnprintf(derivation, sizeof derivation, format, arguments);
    va_end(arguments);
    if (says_bound(derivation, grouped(bound)))
        fail_as("counter", "%s %s; %s", grouped(counted), what, derivation);
    fail_as("counter", "%s %s; %s = %s", grouped(counted), what, derivation, grouped(bound));
}

void expect_at_most(uint64_t counted, const char *what, uint64_t bound, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (counted > bound)
        fail_bound(counted, what, bound, format, arguments);
    va_end(arguments);
}

void expect_at_least(uint64_t counted, const char *what, uint64_t bound, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (counted < bound)
        fail_bound(counted, what, bound, format, arguments);
    va_end(arguments);
}

void expect_exactly(uint64_t counted, const char *what, uint64_t bound, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (counted != bound)
        fail_bound(counted, what, bound, format, arguments);
    va_end(arguments);
}

void expect_that(int condition, const char *format, ...)
{
    if (condition)
        return;
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail_as("counter", "%s", message);
}

void technique_is(const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    verdict_log_add("technique %s", message);
}
