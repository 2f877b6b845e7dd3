/* readable_name.c - names of functions and variables as the source has them. */
#include <stdio.h>
#include <stdlib.h>

#include "report/report.h"

/* Of the C++ library, with which simcc links every program (<cxxabi.h>). */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* The character in front of the parameter list, which closes at `end`: `f(int (*)(char))`. */
static const char *before_parameters(const char *name, const char *end)
{
    int depth = 0;
    for (const char *at = end; at > name; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth == 0)
            return at;
    }
    return end + 1;
}

/* Cuts the return type, which templates have, and the parameters from a C++ declaration.
 * The names of operators hold blanks and brackets: those declarations stay whole. */
static void cut_to_name(const char *declaration, char *text, size_t size)
{
    const char *start = declaration, *end = declaration + strlen(declaration);
    const char *close = strrchr(declaration, ')');
    int depth = 0;
    if (close && !strstr(declaration, "operator") && (!close[1] || close[1] == ' '))
        end = before_parameters(declaration, close);
    for (const char *at = declaration; at < end && !strstr(declaration, "operator"); at++) {
        depth +=
            (*at == '<' || *at == '(' || *at == '{') - (*at == '>' || *at == ')' || *at == '}');
        if (*at == ' ' && depth == 0)
            start = at + 1;
    }
    snprintf(text, size, "%.*s", (int)(end - start), start);
}

void sim_readable_name(const char *symbol, char *text, size_t size)
{
    char *declaration = symbol[0] == '_' ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
    if (declaration)
        cut_to_name(declaration, text, size);
    else
        snprintf(text, size, "%s", symbol);
    free(declaration);
}
