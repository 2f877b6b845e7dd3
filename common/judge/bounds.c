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

/* Whether a derivation says the bound itself at its end, as in "and there are 5". Then "= 5" behind it would add
 * nothing. */
static bool says_bound(const char *derivation, const char *bound)
{
    const char *last = strrchr(derivation, ' ');
    return last && strcmp(last + 1, bound) == 0 && last - derivation > 1 &&
           isalpha((unsigned char)last[-1]) && isalpha((unsigned char)last[-2]);
}

/* Whether a text ends with one of these words. */
static bool ends_with_any(const char *text, const char *const words[])
{
    const char *last = strrchr(text, ' ');
    for (; *words; words++)
        if (strcmp(last ? last + 1 : text, *words) == 0)
            return true;
    return false;
}

/* Whether the last words of a derivation name the bound and are no sentence: "; launches", ", ranges", ": words of 4
 * bytes". */
static bool ends_with_name(const char *derivation)
{
    enum { LONGEST = 5 }; /* words */
    const char *part = NULL, *words[] = {"once", "twice", "up", "it", NULL};
    size_t blanks = 0;
    for (const char *at = derivation; *at; at++)
        if (strchr(";:,", *at) && at[1] == ' ')
            part = at;
    if (!part || ends_with_any(derivation, words))
        return false;
    for (const char *at = part + 2; *at; at++)
        blanks += *at == ' ';
    return blanks < (*part == ';' ? LONGEST : *part == ':' ? 3 : 2);
}

const char *bound_joint(const char *derivation, const char *bound)
{
    static const char *const links[] = {"are",   "is",   "be",    "has", "have", "make", "makes",
                                        "least", "most", "there", "all", "with", "for",  NULL},
                             *const nothings[] = {"none", "nothing", NULL};
    const size_t length = strlen(derivation);
    const char last = length > 0 ? derivation[length - 1] : '\0';
    if (says_bound(derivation, bound) ||
        (strcmp(bound, "0") == 0 && ends_with_any(derivation, nothings)))
        return NULL;
    if (ends_with_any(derivation, links))
        return " ";
    return isalpha((unsigned char)last) && !ends_with_name(derivation) ? ", which makes " : " = ";
}

/* "<counted> <what>; <derivation> = <bound>" */
__attribute__((format(printf, 4, 0))) static void fail_bound(uint64_t counted, const char *what,
                                                             uint64_t bound, const char *format,
                                                             va_list arguments)
{
    char derivation[MESSAGE];
    vsnprintf(derivation, sizeof derivation, format, arguments);
    va_end(arguments);
    const char *joint = bound_joint(derivation, grouped(bound));
    if (!joint)
        fail_as("counter", "%s %s; %s", grouped(counted), what, derivation);
    fail_as("counter", "%s %s; %s%s%s", grouped(counted), what, derivation, joint, grouped(bound));
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
