/* current_input.c - the input that the kernel is working on. */
#include "current_input.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static char current[256];

static void say_input(void)
{
    if (current[0])
        fprintf(stderr, "(on %s)\n", current);
}

void current_input_set(const char *input)
{
    static bool registered;
    if (!registered)
        registered = atexit(say_input) == 0;
    snprintf(current, sizeof current, "%s", input ? input : "");
}

const char *current_input(void)
{
    return current[0] ? current : NULL;
}
