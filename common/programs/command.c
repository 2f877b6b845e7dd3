/* command.c - options that are refused, and settings of the simulated GPU: see command.h. */
#define _GNU_SOURCE
#include "command.h"

#include <getopt.h>
#include <stdlib.h>

#include "util.h"

void prefer_speed(void)
{
#ifdef SIMULATED_GPU
    setenv("SIM_CHECKS", "none", 0);
    setenv("SIM_MULTIPROCESSORS", "8", 0);
    setenv("SIM_BUDGET", "100000000000", 0);
    setenv("SIM_PROGRESS", "0", 0);
#endif
}

/* getopt_long has gone past the word, unless that is one of several letters. */
const char *refuse_option(const char *program, char **arguments, int returned, const char *wanted)
{
    const char *advice = format("; %s --help lists the options", program);
    const char *word = arguments[optind - 1];
    if (returned == ':')
        return format("%s wants %s%s", word, wanted, advice);
    if (optopt > 0 && optopt < LONG_ALONE && !begins_with(word, "--"))
        return format("there is no option -%c%s", optopt, advice);
    if (optopt > 0)
        return format("%s: this option takes no word%s", word, advice);
    return format("there is no option %s%s", word, advice);
}
