/* at_hand.c - the input that the kernel is working on. */
#include "at_hand.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static char current[256];

static void say_input(void)
{
    if (current[0])
        fprintf(stderr, "(on %s)\n", current);
}

void at_hand_set(const char *input)
{
    static bool registered;
    if (!registered)
        registered = atexit(say_input) == 0;
    snprintf(current, sizeof current, "%s", input ? input : "");
}

const char *at_hand(void)
{
    return current[0] ? current : NULL;
}
