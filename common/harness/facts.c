/* facts.c - lines that tests leave for the verdict. */
#include "facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void facts_add(const char *format, ...)
{
    const char *name = getenv("FACTS");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (!file)
        return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(file, "%s\n", line); /* in one piece, since tests may run at the same time */
    fclose(file);
}
