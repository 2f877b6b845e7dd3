/* refuse_option.c - tells which option of a command line is wrong, and how: see refuse_option.h. */
#define _GNU_SOURCE
#include "refuse_option.h"

#include <getopt.h>

#include "util.h"

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
